import type { FieldErrors } from '#contract/errors.ts';
import type { MessageKey } from '#contract/locales.ts';
import type { ErrorBody } from '#contract/schemas/common.ts';
import type { Translate } from '#contract/translate.ts';

/** A call that was rejected (`status` ≥ 400), or that had no answer (`status` 0: offline, or too slow). */
export class ApiError extends Error {
  readonly status: number;
  readonly body: ErrorBody;

  constructor(status: number, body: ErrorBody) {
    super(`${status} ${body.errorType}`);
    this.name = 'ApiError';
    this.status = status;
    this.body = body;
  }
}

export type FieldTexts = Readonly<Record<string, string>>;

export function fieldTexts(errors: FieldErrors, t: Translate): FieldTexts {
  return Object.fromEntries(
    Object.entries(errors).map(([field, found]) => [
      field,
      typeof found === 'string' ? t(found) : t(found.key, found.values),
    ]),
  );
}

/** The fields that an answer of the server marks (SPEC §8); none if it marks none or there was no answer. */
export function fieldErrorsOf(error: unknown): FieldTexts {
  return error instanceof ApiError ? (error.body.errors ?? {}) : {};
}

export function errorText(error: unknown, t: Translate): string {
  if (!(error instanceof ApiError)) return t('error.crash');
  // The key is of this front itself, which has its text.
  if (error.status === 0) return t((error.body.errorKey as MessageKey | undefined) ?? 'error.noAnswer');
  return Object.values(error.body.errors ?? {})[0] ?? error.body.message ?? t('error.crash');
}

/** Whether the requested thing does not exist. 400 is the answer to a name that nothing can have. */
export function isMissing(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 404 || error.status === 400);
}

/** Whether this is an `ApiError`, or the serialised form of one that the server sent with the page. */
export function isApiError(error: unknown): error is { name: string; status: number } {
  return (
    typeof error === 'object' &&
    error !== null &&
    'name' in error &&
    error.name === 'ApiError' &&
    'status' in error
  );
}
