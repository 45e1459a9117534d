/** Expected failures. Anything else that is thrown is a crash. */
import type { ErrorType, FieldErrors } from '#contract/errors.ts';
import { statusOf } from '#contract/errors.ts';
import type { MessageKey } from '#contract/locales.ts';

export interface AppErrorDetails {
  /** What is said about the whole request. */
  errorKey?: MessageKey;
  /** For the placeholders of `errorKey`. */
  values?: Record<string, string | number>;
  /** What is said about each field, dotted where nested. */
  errors?: FieldErrors;
  /** Where the HTTP status is not the usual one of the error type. */
  status?: number;
  /** How long to wait before trying again, milliseconds. */
  retryAfterMs?: number;
}

/**
 * The shop says no, and why. Thrown by services, answered by the error plugin as an `ErrorBody` in the
 * caller's language (SPEC §8). Inside a transaction it undoes what was done.
 */
export class AppError extends Error {
  override name = 'Refusal';
  readonly errorType: ErrorType;
  readonly details: AppErrorDetails;

  constructor(errorType: ErrorType, details: AppErrorDetails = {}) {
    super(details.errorKey ?? errorType);
    this.errorType = errorType;
    this.details = details;
  }

  get status(): number {
    return this.details.status ?? statusOf[this.errorType];
  }
}

/** Fields that are wrong; `REQUEST_VALIDATION_ERROR` with an errors map (SPEC §8). */
export function validationError(errors: FieldErrors): AppError {
  return new AppError('REQUEST_VALIDATION_ERROR', { errorKey: 'error.fields', errors });
}

/** Somebody tries too often. */
export function rateLimited(waitMs: number): AppError {
  const seconds = Math.max(1, Math.ceil(waitMs / 1000));
  return new AppError('RATE_LIMITED', { errorKey: 'error.rateLimited', values: { seconds }, retryAfterMs: waitMs });
}

/** There is no such thing, or it is not the caller's to see. */
export function notFound(errorKey: MessageKey = 'error.notFound'): AppError {
  return new AppError('NOT_FOUND', { errorKey });
}
