import type { FastifyInstance } from 'fastify';
import { clientToken, clientTokenHeader } from '#contract/limits.ts';
import type { ApiTransport } from '#contract/transport.ts';

export interface InProcessOptions {
  /** For calls that are limited by network. Only for pages that are rendered for one client. */
  address?: string;
  /** For a page for one client: without it no personal data can enter a cached page. Cookies of the answers are dropped. */
  cookie?: string;
  /** An answer from the cache passes no request through the server. */
  cached?: (url: string) => Promise<string | null>;
}

export function inProcessTransport(app: FastifyInstance, { address, cookie, cached }: InProcessOptions): ApiTransport {
  return async ({ method, url, body }) => {
    const known = method === 'GET' ? ((await cached?.(url)) ?? null) : null;
    if (known !== null) return { status: 200, body: JSON.parse(known) };
    const response = await app.inject({
      method,
      url,
      headers: { [clientTokenHeader]: clientToken, ...(cookie === undefined ? {} : { cookie }) },
      ...(address === undefined ? {} : { remoteAddress: address }),
      ...(body === undefined ? {} : { payload: body as object }),
    });
    return { status: response.statusCode, body: response.body === '' ? null : JSON.parse(response.body) };
  };
}
