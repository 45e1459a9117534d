/** The answers of calls besides their results, for OpenAPI and the API page. */
import { errorTypes, statusOf } from '#contract/errors.ts';
import type { Json } from './openapi-schemas.ts';

interface Answer {
  /** The name of the response in `components.responses`. */
  name: string;
  description: string;
}

/** The meaning of each status, for all calls. */
const answers: Record<number, Answer> = {
  304: { name: 'NotModified', description: 'The answer has not changed since the one with this ETag.' },
  400: { name: 'BadRequest', description: 'A field is missing or invalid (`errors` names each), or the request is malformed.' },
  401: { name: 'Unauthorized', description: 'The call is for signed-in customers only, or email and password do not match.' },
  402: { name: 'PaymentRequired', description: 'The payment was declined. Nothing was charged.' },
  403: { name: 'Forbidden', description: 'The client header is missing, or the data belongs to somebody else.' },
  404: { name: 'NotFound', description: 'The requested thing does not exist.' },
  409: { name: 'Conflict', description: 'The shop has changed meanwhile, for instance its stock or prices.' },
  413: { name: 'ContentTooLarge', description: 'The body is longer than 256 KB.' },
  414: { name: 'UriTooLong', description: 'The path is longer than 4 KB.' },
  415: { name: 'UnsupportedMediaType', description: 'The body is not JSON.' },
  422: { name: 'UnprocessableContent', description: 'The payment provider rejected what was entered. Nothing was charged.' },
  429: { name: 'TooManyRequests', description: 'There were too many attempts. Wait as many seconds as `Retry-After` says.' },
  500: { name: 'InternalServerError', description: 'The shop failed. `requestId` identifies the line of its log.' },
  503: { name: 'ServiceUnavailable', description: 'The database or a provider does not answer. Repeat the call later.' },
};

const unexpected: Answer = { name: 'Error', description: 'Any other error.' };

const retryAfter = { 'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer', minimum: 1 } } };
export const etag = { ETag: { description: 'Identifies this answer, for `If-None-Match`.', schema: { type: 'string' } } };

/** `components.responses`. `errorBody` is the `$ref` of the error body. */
export function errorResponses(errorBody: unknown): Record<string, Json> {
  const content = { 'application/json': { schema: errorBody } };
  const printed = Object.entries(answers).map(([status, { name, description }]) => [
    name,
    status === '304'
      ? { description, headers: etag }
      : { description, ...(status === '429' || status === '503' ? { headers: retryAfter } : {}), content },
  ]);
  return { ...Object.fromEntries(printed), [unexpected.name]: { description: unexpected.description, content } };
}

/** The `responses` of an operation besides its result, by status, with a default for all others. */
export function referToErrors(statuses: readonly number[]): Json {
  const refer = ({ name }: Answer) => ({ $ref: `#/components/responses/${name}` });
  return {
    ...Object.fromEntries(statuses.map((status) => [status, refer(answers[status] ?? unexpected)])),
    default: refer(unexpected),
  };
}

/** Every error type with its status, for the API page. */
export const errorTable = errorTypes.map((type) => ({
  type,
  status: statusOf[type],
  meaning: answers[statusOf[type]]?.description ?? '',
}));
