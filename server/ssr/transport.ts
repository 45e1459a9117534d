/** Carries the API calls of a page being rendered through the server itself, without a network in between. */
import type { FastifyInstance } from 'fastify';
import { clientToken, clientTokenHeader } from '#contract/limits.ts';
import type { ApiTransport } from '#contract/transport.ts';

/**
 * No cookie is ever sent, so that no personal data can enter a page that is cached for all visitors. `address` is the client's, for
 * calls that are limited by network; only pages that are rendered for one client have it. `cached` returns the cached answer of a URL,
 * which then passes no request through the server.
 */
export function inProcessTransport(
  app: FastifyInstance,
  { address, cached }: { address?: string; cached?: (url: string) => Promise<string | null> },
): ApiTransport {
  return async ({ method, url, body }) => {
    const known = method === 'GET' ? ((await cached?.(url)) ?? null) : null;
    if (known !== null) return { status: 200, body: JSON.parse(known) };
    const response = await app.inject({
      method,
      url,
      headers: { [clientTokenHeader]: clientToken },
      ...(address === undefined ? {} : { remoteAddress: address }),
      ...(body === undefined ? {} : { payload: body as object }),
    });
    return { status: response.statusCode, body: response.body === '' ? null : JSON.parse(response.body) };
  };
}
