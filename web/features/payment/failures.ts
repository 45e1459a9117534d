import type { MessageKey } from '#contract/locales.ts';
import { ApiError, type FieldTexts, fieldErrorsOf } from '#ui/errors.ts';

export type PaymentFailure =
  /** A popup with the title and text of SPEC §8; `words` is the server's own text if it has one. */
  | { kind: 'popup'; title: MessageKey; text: MessageKey; words: string | undefined; signIn: boolean; fields: FieldTexts }
  | { kind: 'fields'; fields: FieldTexts }
  /** Price, stock or coupon differ from what the customer saw; the changes are shown for confirmation. */
  | { kind: 'changed'; fields: FieldTexts }
  /** A temporary rejection, shown on the page in the server's words. */
  | { kind: 'notice'; words: string }
  /** A choice made at checkout is no longer valid, for instance a pickup time: shown here, corrected at checkout. */
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
const checkoutField =
  /^(methodName|localStoreName|tableNumber|partySize|pickupDate|shippingMethod|(shippingC|c)ontact\..*|address\..*)$/;

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

/** SPEC §8. `words` blames the shop's settings, unless the cause was the bill, the session or the connection. */
export function walletFailure(error: unknown, words: string): PaymentFailure {
  const failure = paymentFailure(error);
  const ours = error instanceof ApiError && error.status !== 0 && failure.kind === 'popup' && !failure.signIn;
  return ours ? { kind: 'notice', words } : failure;
}

/** The provider has not decided yet: the order is neither paid nor editable, and a later request returns the outcome. */
export function isUndecided(error: unknown): boolean {
  return error instanceof ApiError && (error.body.errorKey === 'payment.undecided' || error.status === 0);
}
