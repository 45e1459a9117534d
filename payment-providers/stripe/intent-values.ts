/** Decided hours or days later. https://docs.stripe.com/payments/payment-methods/payment-method-support */
export const delayedStripeMethods: readonly string[] = [
  'acss_debit',
  'au_becs_debit',
  'bacs_debit',
  'boleto',
  'customer_balance',
  'konbini',
  'multibanco',
  'nz_bank_account',
  'oxxo',
  'pay_by_bank',
  'payto',
  'sepa_debit',
  'us_bank_account',
];

/** Currencies that Stripe counts in whole units. https://docs.stripe.com/currencies#zero-decimal */
const whole = ['BIF', 'CLP', 'DJF', 'GNF', 'JPY', 'KMF', 'KRW', 'MGA', 'PYG', 'RWF', 'VND', 'VUV', 'XAF', 'XOF', 'XPF'];
/** Currencies that Stripe counts in thousandths, with 0 as the last digit. https://docs.stripe.com/currencies#three-decimal */
const thousandths = ['BHD', 'JOD', 'KWD', 'OMR', 'TND'];

/** 4972 CAD is 4972, 49700 JPY is 497. @throws {RangeError} if the result is not whole: outgoing money is never rounded */
export function stripeAmount(cents: number, currency: string): number {
  const code = currency.toUpperCase();
  const amount = whole.includes(code) ? cents / 100 : thousandths.includes(code) ? cents * 10 : cents;
  if (!Number.isSafeInteger(amount) || amount < 0) throw new RangeError(`${cents} cents are no amount of ${code}`);
  return amount;
}

export function centsOfStripe(amount: number, currency: string): number {
  const code = currency.toUpperCase();
  return whole.includes(code) ? amount * 100 : thousandths.includes(code) ? Math.round(amount / 10) : amount;
}
