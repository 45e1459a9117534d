import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ErrorType } from '#contract/errors.ts';
import { staffBase } from '#contract/limits.ts';
import type { MessageKey } from '#contract/locales.ts';
import { problemsByField } from '#contract/problems.ts';
import { TooManySteps } from '#contract/rules/patch.ts';
import type { ErrorBody } from '#contract/schemas/common.ts';
import { staffTranslate } from '#contract/staff/messages.ts';
import { diskFull, type Outage } from '#db/outage.ts';
import { AppError, type AppErrorDetails, InputError, OperationError } from '#server/platform/errors.ts';
import { localeOf, translateAny, translateFieldErrors, translateWords } from '#server/platform/i18n.ts';
import { pathOf } from './request-log.ts';
import { unknownRoute } from './request-metrics.ts';
import type { HeadersFor } from './security-headers.ts';

/** In bytes. */
export const bodyLimit = 64 * 1024;
export const longBodyLimit = 256 * 1024;
/** A body that is too long is read up to this size, so that the client receives the error response. */
const drainLimit = 16 * 1024 * 1024;

/** The Retry-After of a response during a database outage, ms. */
export const outageRetryMs = 10_000;

/** Errors of an `outage` of the database are answered with 503 and logged once. */
export function registerErrors(app: FastifyInstance, outage: Outage): void {
  outage.onChange = (cause) => {
    if (cause === null) app.log.info('database available again');
    else app.log.error({ cause }, 'database unavailable');
  };
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const known = toKnownError(error);
    if (known) {
      if (error instanceof AppError) app.securityLog.refused(request, error);
      const { retryAfterMs } = known.details;
      if (retryAfterMs !== undefined)
        reply.header('retry-after', Math.max(1, Math.ceil(retryAfterMs / 1000)));
      return answer(request, reply, known);
    }
    const cause = outage.note(error);
    if (cause !== null) {
      reply.header('retry-after', outageRetryMs / 1000);
      // Whoever runs the shop can mend it, and waiting does not.
      const isForStaff = Object.values(diskFull).includes(cause) && request.url.startsWith(staffBase);
      const errorKey = isForStaff ? 'error.diskFull' : 'error.unavailable';
      return answer(request, reply, { status: 503, type: 'SYSTEM_ERROR', details: { errorKey } });
    }
    request.log.error({ err: error, method: request.method, url: pathOf(request) }, 'crash');
    return answer(request, reply, {
      status: 500,
      type: 'SYSTEM_ERROR',
      details: { errorKey: 'error.crash' },
    });
  });
  // A plain form of another site could send this type; the shop's clients never do.
  app.removeContentTypeParser('text/plain');
  app.addHook('onRoute', (route) => {
    if (route.method === 'POST' || route.method === 'PUT')
      route.onRequest = [rejectLongBody(route.bodyLimit ?? bodyLimit), ...[route.onRequest ?? []].flat()];
  });
}

export function rejectEarly(headersFor: HeadersFor) {
  return (error: FastifyError, request: FastifyRequest, reply: FastifyReply): void => {
    reply.headers({ ...headersFor('application/json'), connection: 'close', 'x-request-id': request.id });
    answer(request, reply, {
      status: error.statusCode ?? 400,
      type: 'REQUEST_VALIDATION_ERROR',
      details: { errorKey: 'error.malformed' },
    });
  };
}

export async function unknownEndpoint(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  reply.measuredAs = unknownRoute;
  return answer(request, reply, {
    status: 404,
    type: 'NOT_FOUND',
    details: { errorKey: 'error.unknownRoute' },
  });
}

export function errorBody(
  request: FastifyRequest,
  errorType: ErrorType,
  details: AppErrorDetails,
): ErrorBody {
  const locale = localeOf(request.query);
  const { errorKey, errors, problems } = details;
  const values = { ...details.values, ...translateWords(details.words ?? {}, locale) };
  return {
    errorType,
    ...(errorKey ? { errorKey, message: translateAny(locale)(errorKey, values) } : {}),
    ...(errors ? { errors: translateFieldErrors(errors, locale) } : {}),
    ...(problems ? { errors: problemsByField(problems, staffTranslate(locale)) } : {}),
    requestId: request.id,
  };
}

function answer(
  request: FastifyRequest,
  reply: FastifyReply,
  { status, type, details }: { status: number; type: ErrorType; details: AppErrorDetails },
): FastifyReply {
  return reply
    .status(status)
    .headers({ 'cache-control': 'no-store', 'content-type': 'application/json; charset=utf-8' })
    .send(JSON.stringify(errorBody(request, type, details)));
}

interface KnownError {
  status: number;
  type: ErrorType;
  details: AppErrorDetails;
}

/** Null for a crash. */
function toKnownError(error: FastifyError): KnownError | null {
  if (error instanceof AppError)
    return { status: error.status, type: error.errorType, details: error.details };
  if (error instanceof InputError)
    return {
      status: 400,
      type: 'REQUEST_VALIDATION_ERROR',
      details: { errorKey: 'error.fields', problems: error.problems },
    };
  if (error instanceof TooManySteps)
    return { status: 413, type: 'PAYLOAD_TOO_LARGE', details: { errorKey: 'error.tooLarge' } };
  // An operation of the staff that is not possible now.
  if (error instanceof OperationError) {
    const details = { errorKey: error.key, values: error.values, words: error.words };
    return error.key.endsWith('.unknown')
      ? { status: 404, type: 'NOT_FOUND', details }
      : { status: 409, type: 'CONFLICT', details };
  }
  const status = error.statusCode ?? 500;
  if (status < 400 || status > 499) return null;
  const errorKey: MessageKey =
    ({ 413: 'error.tooLarge', 415: 'error.contentType' } as const)[status] ?? 'error.malformed';
  return {
    status,
    type: status === 413 ? 'PAYLOAD_TOO_LARGE' : 'REQUEST_VALIDATION_ERROR',
    details: { errorKey },
  };
}

/** Closing at once, as Fastify does, often breaks the connection before the client has read the response. */
function rejectLongBody(limit: number) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const length = Number(request.headers['content-length'] ?? 0);
    if (length <= limit) return;
    if (length > drainLimit) reply.header('connection', 'close');
    throw new AppError('PAYLOAD_TOO_LARGE', { errorKey: 'error.tooLarge' });
  };
}
