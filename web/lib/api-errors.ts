/** Turns rejections of the server and of the rules into messages. */
import type { FieldErrors } from '#contract/errors.ts';
import type { Translate } from '#contract/translate.ts';
import { ApiError } from './api.ts';

/** A field's path (`contact.email`) to its error message. */
export type FieldTexts = Readonly<Record<string, string>>;

/** The errors of `contract/rules` in the language of `t`. */
export function fieldTexts(errors: FieldErrors, t: Translate): FieldTexts {
  return Object.fromEntries(
    Object.entries(errors).map(([field, found]) => [field, typeof found === 'string' ? t(found) : t(found.key, found.values)]),
  );
}

/** The fields that an answer of the server marks (SPEC §8); none if it marks none or there was no answer. */
export function fieldErrorsOf(error: unknown): FieldTexts {
  return error instanceof ApiError ? (error.body.errors ?? {}) : {};
}

/** Why a call failed: the server's own message, or that it did not answer. */
export function errorText(error: unknown, t: Translate): string {
  if (!(error instanceof ApiError)) return t('error.crash');
  if (error.status === 0) return t('error.noAnswer');
  return Object.values(error.body.errors ?? {})[0] ?? error.body.message ?? t('error.crash');
}
