import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { PageTransport } from '#server/ssr/renderer.ts';
import { inProcessTransport } from '#server/ssr/transport.ts';
import { splitLocale } from '../../contract/locale-path.ts';
import type { PublicResponse } from './encoded-answer.ts';
import { acceptedEncoding, compress } from './encoding.ts';
import type { PublicCache } from './public-cache.ts';
import { NoTurn, type RenderQueue } from './render-queue.ts';
import { sessionCookieOf, sessionOf } from './session-cookie.ts';

export interface VisitorPagesDeps {
  app: FastifyInstance;
  /** For answers that are the same for everybody, which a page asks for as well. */
  cache: PublicCache;
  renders: RenderQueue;
  render: (request: FastifyRequest, transport: PageTransport) => Promise<PublicResponse>;
}

/** Null for another page, no session that can be read, or no turn for rendering: the page for everybody is right then. */
export function visitorPages({ app, cache, renders, render }: VisitorPagesDeps) {
  return async (request: FastifyRequest): Promise<PublicResponse | null> => {
    const cookie = mayBeOwnPage(request) ? sessionCookieOf(request) : null;
    if (cookie === null || !(await hasSession(request))) return null;
    const send = inProcessTransport(app, { address: request.ip, cookie, cached: (url) => cache.text(url) });
    try {
      return await renders.run(() => render(request, { send, visitor: true }));
    } catch (error) {
      if (error instanceof NoTurn) return null;
      throw error;
    }
  };
}

/** By its address, and because it carries cookies. */
export function mayBeOwnPage({ headers, url }: Pick<FastifyRequest, 'headers' | 'url'>): boolean {
  return headers.cookie !== undefined && isVisitorPage(url);
}

async function hasSession(request: FastifyRequest): Promise<boolean> {
  try {
    return (await sessionOf(request, request.server.contract.sessions).get()) !== null;
  } catch {
    return false;
  }
}

/** No cache stores it. */
export async function sendVisitorPage(request: FastifyRequest, reply: FastifyReply, page: PublicResponse): Promise<FastifyReply> {
  const { status = 200, contentType, body, headers, route } = page;
  // The page repeats its query. Beside what the visitor alone may know, the compressed length of a text that others choose would tell
  // them what it has in common with the rest (BREACH).
  const encoding = request.url.includes('?') ? 'identity' : acceptedEncoding(request.headers['accept-encoding']);
  reply.measuredAs = route ?? null;
  reply
    .status(status)
    .headers({ ...headers, 'cache-control': 'private, no-store', 'x-robots-tag': 'noindex', vary: 'Accept-Encoding' })
    .type(contentType);
  if (encoding !== 'identity') reply.header('content-encoding', encoding);
  return reply.send(await compress(Buffer.from(body), encoding));
}

/** Their screens show nothing during hydration that only the browser knows (docs/decisions/0078). Without language. */
const ownPages: readonly string[] = ['/cart'];

/** Only the exact spelling counts: any other is the same page for everybody. */
function isVisitorPage(url: string): boolean {
  return ownPages.includes(splitLocale(url.split('?', 1)[0] ?? '').pathname);
}
