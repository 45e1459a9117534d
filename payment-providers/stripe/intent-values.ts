import { currencyDigits } from '#contract/money.ts';

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
const whole = [
  'BIF',
  'CLP',
  'DJF',
  'GNF',
  'JPY',
  'KMF',
  'KRW',
  'MGA',
  'PYG',
  'RWF',
  'VND',
  'VUV',
  'XAF',
  'XOF',
  'XPF',
];
/** Whole by now, and still counted in hundredths, of which the last two digits are 0. https://docs.stripe.com/currencies#special-cases */
const formerHundredths = ['ISK', 'UGX'];
/** Currencies that Stripe counts in thousandths, with 0 as the last digit. https://docs.stripe.com/currencies#three-decimal */
const thousandths = ['BHD', 'JOD', 'KWD', 'OMR', 'TND'];

/** How many digits Stripe counts in, and what an amount in them is a multiple of. */
function stripeUnit(code: string): { digits: number; step: number } {
  if (whole.includes(code)) return { digits: 0, step: 1 };
  if (thousandths.includes(code)) return { digits: 3, step: 10 };
  return { digits: 2, step: formerHundredths.includes(code) ? 100 : 1 };
}

/**
 * 4972 CAD is 4972, 497 JPY is 497, 4970 KWD is 4970, 500 ISK is 50000. `rounds`: for a form, which is drawn before anything is charged.
 * @throws {RangeError} for what Stripe cannot charge, such as 4972 KWD: outgoing money is never rounded
 */
export function stripeAmount(amount: number, currency: string, { rounds = false } = {}): number {
  const code = currency.toUpperCase();
  const { digits, step } = stripeUnit(code);
  const exact = scale(amount, digits - currencyDigits(code));
  const scaled = rounds ? Math.floor(exact / step) * step : exact;
  if (!Number.isSafeInteger(scaled) || scaled < 0 || scaled % step !== 0)
    throw new RangeError(`Stripe cannot charge ${amount} of the smallest unit of ${code}`);
  return scaled;
}

/** Of an amount in Stripe's unit. */
export function amountOfStripe(amount: number, currency: string): number {
  const code = currency.toUpperCase();
  return Math.round(scale(amount, currencyDigits(code) - stripeUnit(code).digits));
}

/** Divides instead of multiplying by a fraction, which is not exact. */
const scale = (amount: number, digits: number) =>
  digits < 0 ? amount / 10 ** -digits : amount * 10 ** digits;
