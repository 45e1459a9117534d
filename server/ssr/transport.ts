/** Carries the API calls of a page being rendered through the server itself, without a network in between. */
import type { FastifyInstance } from 'fastify';
import { clientToken, clientTokenHeader } from '#contract/limits.ts';
import type { ApiTransport } from '#contract/transport.ts';

/**
 * No cookie is ever sent, so that no personal data can enter a page that is cached for all visitors. `address` is the client's, for
 * calls that are limited by network; only pages that are rendered for one client have it.
 */
export function inProcessTransport(app: FastifyInstance, address?: string): ApiTransport {
  return async ({ method, url, body }) => {
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
