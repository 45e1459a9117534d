import type { FastifyRequest } from 'fastify';
import { AppError } from '#server/platform/errors.ts';

/**
 * For forms without scripts. Another site's form could not send the header that calls need, but it could be sent here: browsers say
 * where a form was. @throws {AppError} FORBIDDEN
 */
export async function requireOwnPage({ headers, host }: FastifyRequest): Promise<void> {
  const site = headers['sec-fetch-site'];
  const isOwn = site === undefined ? URL.parse(headers.origin ?? '')?.host === host : site === 'same-origin';
  if (!isOwn) throw new AppError('FORBIDDEN', { errorKey: 'error.forbidden' });
}
