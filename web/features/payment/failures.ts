/** What a payment that failed is to be answered with (SPEC §8). */
import type { MessageKey } from '#contract/locales.ts';
import { ApiError } from '#web/lib/api.ts';
import { type FieldTexts, fieldErrorsOf } from '#web/lib/api-errors.ts';

export type PaymentFailure =
  /** A popup with the title and text of SPEC §8; `words` are the server's own where it has some. */
  | { kind: 'popup'; title: MessageKey; text: MessageKey; words: string | undefined; signIn: boolean; fields: FieldTexts }
  /** Fields of the form, marked. */
  | { kind: 'fields'; fields: FieldTexts }
  /** Price, stock or coupon are other than what the shopper saw: to be shown and asked about. */
  | { kind: 'changed'; fields: FieldTexts }
  /** A refusal that passes: said on the page, in the server's words. */
  | { kind: 'notice'; words: string }
  /** What was said at checkout no longer holds, a pickup time for instance: said here, mended there. */
  | { kind: 'checkout'; words: string[] };

type Popup = 'authorization' | 'validation' | 'transaction' | 'system' | 'network';

const popup = (name: Popup, words?: string, fields: FieldTexts = {}): PaymentFailure => ({
  kind: 'popup',
  title: `payment.error.${name}.title`,
  text: `payment.error.${name}.text`,
  words,
  signIn: name === 'authorization',
  fields,
});

/** Fields of the checkout, which the payment page does not have. */
const checkoutField = /^(methodName|localStoreName|tableNumber|pickupDate|shippingMethod|(shippingC|c)ontact\..*|address\..*)$/;

const systemStatuses = [404, 400, 503, 0];

export function paymentFailure(error: unknown): PaymentFailure {
  if (!(error instanceof ApiError)) return popup('network');
  const { status, body } = error;
  const fields = fieldErrorsOf(error);
  const marked = Object.keys(fields);
  if (body.errorKey === 'billChanged' || marked.some((field) => field.startsWith('lineItems.')))
    return { kind: 'changed', fields };
  const elsewhere = marked.filter((field) => checkoutField.test(field)).map((field) => fields[field] ?? '');
  if (elsewhere.length > 0) return { kind: 'checkout', words: [...new Set(elsewhere)] };
  switch (body.errorType) {
    case 'AUTHORIZATION_ERROR':
      return popup('authorization', body.message);
    case 'VALIDATION_ERROR':
      return popup('validation', fields['paymentInstrucment.creditCardNumber'] ?? body.message, fields);
    case 'TRANSACTION_ERROR':
      return popup('transaction', body.message);
    case 'SYSTEM_ERROR':
      return popup('system');
    case 'REQUEST_VALIDATION_ERROR':
      return marked.length > 0 ? { kind: 'fields', fields } : popup('system');
    case 'CONFLICT':
    case 'RATE_LIMITED':
      return body.message ? { kind: 'notice', words: body.message } : popup('network');
  }
  return popup(systemStatuses.includes(status) ? 'system' : 'network');
}

/**
 * A wallet's token that could not be had (SPEC §8): `words` say that the shop's settings are at fault,
 * unless it was the bill, the session or the connection.
 */
export function walletFailure(error: unknown, words: string): PaymentFailure {
  const failure = paymentFailure(error);
  const ours = error instanceof ApiError && error.status !== 0 && failure.kind === 'popup' && !failure.signIn;
  return ours ? { kind: 'notice', words } : failure;
}

/** The provider has not decided yet: the order is neither paid nor the shopper's again, and asking later tells. */
export function isUndecided(error: unknown): boolean {
  return error instanceof ApiError && (error.body.errorKey === 'payment.undecided' || error.status === 0);
}
