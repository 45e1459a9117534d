/** While the database is prepared, so that a shop which cannot serve does not migrate anything. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { isLocale } from '#contract/locales.ts';
import type { Env } from '#server/env.ts';
import { localeOf, translate } from '#server/platform/i18n.ts';

/** Seconds. */
const retryAfterSeconds = 5;

export type HeldPort = Awaited<ReturnType<typeof holdPort>>;

/**
 * Until it is released, `/healthz` is answered with 200, since the process lives, and everything else with 503 and `Retry-After`.
 * Port 0 is not held. @throws {Error} with the system's code, such as EADDRINUSE
 */
export async function holdPort({ host, port }: Pick<Env, 'host' | 'port'>) {
  if (port === 0) return { release: async () => {} };
  const server = createServer(answerWhileStarting).listen({ host, port });
  // Rejects if the server emits an error instead.
  await once(server, 'listening');
  return {
    /** So that the shop can listen there. */
    async release(): Promise<void> {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

function answerWhileStarting({ url = '/', headers }: IncomingMessage, response: ServerResponse): void {
  const { pathname, searchParams } = new URL(`http://shop${url.startsWith('/') ? url : '/'}`);
  response.setHeader('cache-control', 'no-store');
  response.setHeader('connection', 'close');
  response.setHeader('x-content-type-options', 'nosniff');
  if (pathname === '/healthz') {
    sendJson(response, 200, { status: 'ok' });
    return;
  }
  response.setHeader('retry-after', retryAfterSeconds);
  if (pathname === '/readyz') {
    sendJson(response, 503, { status: 'starting' });
    return;
  }
  const [, prefix] = pathname.split('/');
  const locale = isLocale(prefix) ? prefix : localeOf(Object.fromEntries(searchParams));
  const message = translate(locale)('error.unavailable');
  if (headers.accept?.includes('text/html'))
    response.writeHead(503, { 'content-type': 'text/plain; charset=utf-8' }).end(message);
  else sendJson(response, 503, { errorType: 'SYSTEM_ERROR', errorKey: 'error.unavailable', message });
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(body));
}
