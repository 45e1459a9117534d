/** Determines the shop's origin for URLs that others read: in pages, feeds and sitemaps. */
import type { FastifyInstance } from 'fastify';

/**
 * Without a trailing slash: the public address if one is set, else the address this server listens on. Never the request's Host
 * header: input from one client must not reach others. Call it while answering, since the server has no address before it
 * listens.
 */
export function shopOrigin(app: FastifyInstance, publicUrl: string | null): () => string {
  return () => publicUrl ?? listeningAddress(app);
}

function listeningAddress(app: FastifyInstance): string {
  const address = app.server.address();
  return address && typeof address === 'object' ? `http://localhost:${address.port}` : 'http://localhost';
}
