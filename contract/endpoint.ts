import type { TSchema } from 'typebox';

export type HttpMethod = 'GET' | 'POST' | 'PUT';

/** A `public` answer is cached by URL and catalogue version, a `session` answer never. `changes`: needs the client header. */
export interface Endpoint {
  /** Below `/api/istore/client/`, such as 'GET productManagement/product/:id'. */
  route: `${HttpMethod} ${string}`;
  summary: string;
  audience: 'public' | 'session';
  changes?: boolean;
  params?: TSchema;
  query: TSchema;
  body?: TSchema;
  response: TSchema;
  statuses?: readonly number[];
}
