/** SPEC §8: every rejected call answers a status and an `ErrorBody`, with messages in the caller's language. */
import type { MessageKey } from './locales.ts';

export const errorTypes = [
  'REQUEST_VALIDATION_ERROR',
  'NOT_FOUND',
  'CONFLICT',
  'FORBIDDEN',
  'AUTHORIZATION_ERROR',
  'VALIDATION_ERROR',
  'TRANSACTION_ERROR',
  'RATE_LIMITED',
  'PAYLOAD_TOO_LARGE',
  'SYSTEM_ERROR',
] as const;
export type ErrorType = (typeof errorTypes)[number];

export const statusOf: Record<ErrorType, number> = {
  REQUEST_VALIDATION_ERROR: 400,
  NOT_FOUND: 404,
  CONFLICT: 409,
  FORBIDDEN: 403,
  AUTHORIZATION_ERROR: 401,
  VALIDATION_ERROR: 422,
  TRANSACTION_ERROR: 402,
  RATE_LIMITED: 429,
  PAYLOAD_TOO_LARGE: 413,
  SYSTEM_ERROR: 500,
};

/** Field name (dotted for nested fields) to message key, with the placeholder values of the message. */
export type FieldErrors<Key extends string = MessageKey> = Record<
  string,
  Key | { key: Key; values: Record<string, string | number> }
>;
