/** The form of an endpoint, for every table of them. */
import type { TSchema } from 'typebox';

export type HttpMethod = 'GET' | 'POST' | 'PUT';

/**
 * `audience` decides caching: a `public` answer is the same for every client and is cached by URL and catalogue version; a
 * `session` answer is never cached. Calls with `changes` need the client header.
 */
export interface Endpoint {
  /** Method and path below `/api/istore/client/`, such as 'GET productManagement/product/:id'. */
  route: `${HttpMethod} ${string}`;
  summary: string;
  audience: 'public' | 'session';
  changes?: boolean;
  params?: TSchema;
  query: TSchema;
  body?: TSchema;
  response: TSchema;
  /** The statuses of its rejections that do not follow from the fields above, for endpoints that `statuses.ts` does not list. */
  statuses?: readonly number[];
}
