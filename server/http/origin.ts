/** Where the shop is, for the addresses it writes into what others read: pages, feeds, sitemaps. */
import type { FastifyInstance } from 'fastify';

/**
 * Scheme and host without a slash at the end: the public address where one is set, else the one this
 * server listens on. Never the request's Host header: what one caller sends must not end up in what
 * others are given. Ask when answering, since before the server listens it has no address.
 */
export function shopOrigin(app: FastifyInstance, publicUrl: string | null): () => string {
  return () => publicUrl ?? listeningAddress(app);
}

function listeningAddress(app: FastifyInstance): string {
  const address = app.server.address();
  return address && typeof address === 'object' ? `http://localhost:${address.port}` : 'http://localhost';
}
