/** What the shop refused, and what the rules found wrong, in the shopper's words. */
import type { FieldErrors } from '#contract/errors.ts';
import type { Translate } from '#contract/translate.ts';
import { ApiError } from './api.ts';

/** A field's path (`contact.email`) and what is wrong with it, ready to show. */
export type FieldTexts = Readonly<Record<string, string>>;

/** The findings of `contract/rules` in the language of `t`. */
export function fieldTexts(errors: FieldErrors, t: Translate): FieldTexts {
  return Object.fromEntries(
    Object.entries(errors).map(([field, found]) => [field, typeof found === 'string' ? t(found) : t(found.key, found.values)]),
  );
}

/** The fields an answer of the server marks (SPEC §8); none where it marks none, or is no answer. */
export function fieldErrorsOf(error: unknown): FieldTexts {
  return error instanceof ApiError ? (error.body.errors ?? {}) : {};
}

/** Why a call failed, as a sentence: the server's own words, or that it did not answer. */
export function errorText(error: unknown, t: Translate): string {
  if (!(error instanceof ApiError)) return t('error.crash');
  if (error.status === 0) return t('error.noAnswer');
  return Object.values(error.body.errors ?? {})[0] ?? error.body.message ?? t('error.crash');
}
