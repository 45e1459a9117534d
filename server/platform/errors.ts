import type { ErrorType, FieldErrors } from '#contract/errors.ts';
import { statusOf } from '#contract/errors.ts';
import { defaultLocale, type MessageKey } from '#contract/locales.ts';
import type { Problem } from '#contract/problems.ts';
import { type StaffMessageKey, staffTranslate } from '#contract/staff/messages.ts';

/** What shoppers read, or staff. */
export type AnyMessageKey = MessageKey | StaffMessageKey;

export interface AppErrorDetails {
  errorKey?: AnyMessageKey;
  values?: Record<string, string | number>;
  /** Values that are words of the shop. */
  words?: Record<string, AnyMessageKey>;
  errors?: FieldErrors<AnyMessageKey>;
  /** Of staff's input, in place of `errors`. */
  problems?: readonly Problem[];
  status?: number;
  retryAfterMs?: number;
}

/** Any other error is a crash. Answered in the client's language (SPEC §8); in a transaction, it rolls back. */
export class AppError extends Error {
  override name = 'AppError';
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

/** A message for each invalid field (SPEC §8). */
export function validationError(errors: FieldErrors<AnyMessageKey>): AppError {
  return new AppError('REQUEST_VALIDATION_ERROR', { errorKey: 'error.fields', errors });
}

export function rateLimited(waitMs: number): AppError {
  const seconds = Math.max(1, Math.ceil(waitMs / 1000));
  return new AppError('RATE_LIMITED', {
    errorKey: 'error.rateLimited',
    values: { seconds },
    retryAfterMs: waitMs,
  });
}

export function notFound(errorKey: AnyMessageKey = 'error.notFound'): AppError {
  return new AppError('NOT_FOUND', { errorKey });
}

/** A merchant's input is invalid. Nothing has been written. */
export class InputError extends Error {
  override name = 'InputError';
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[]) {
    super(
      problems
        .slice(0, 20)
        .map(({ path, key }) => `${path.join('/')} ${key}`)
        .join('\n'),
    );
    this.problems = problems;
  }
}

/** Explained in the language of whoever made the operation. */
export class OperationError extends Error {
  override name = 'OperationError';
  readonly key: StaffMessageKey;
  readonly values: Record<string, string | number>;
  /** Values that are messages themselves, by their names in the message. */
  readonly words: Record<string, StaffMessageKey>;

  constructor(
    key: StaffMessageKey,
    values: Record<string, string | number> = {},
    words: Record<string, StaffMessageKey> = {},
  ) {
    const t = staffTranslate(defaultLocale);
    const said = Object.entries(words).map(([name, word]) => [name, t(word)]);
    super(t(key, { ...values, ...Object.fromEntries(said) }));
    this.key = key;
    this.values = values;
    this.words = words;
  }
}
