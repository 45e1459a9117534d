/** Formats amounts for providers: decimal text with as many digits as the currency has. */
import { numberFormat } from '#contract/formatters.ts';

/** A currency's digits after the point, by ISO 4217: CAD 2, JPY 0, KWD 3. */
export function currencyDigits(currency: string): number {
  return numberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2;
}

/**
 * Formats `cents` (hundredths of one unit of any `currency`) as decimal text: 4972 CAD is '49.72', 49700 JPY is '497'. `digits`
 * is the number the provider uses if it differs from ISO 4217.
 * @throws {RangeError} if the amount cannot be written exactly: outgoing amounts are never rounded
 */
export function decimalAmount(cents: number, currency: string, digits = currencyDigits(currency)): string {
  const grain = digits >= 2 ? 1 : 10 ** (2 - digits);
  if (!Number.isSafeInteger(cents) || cents < 0 || cents % grain !== 0)
    throw new RangeError(`${cents} cents are no amount of ${currency}`);
  const whole = Math.floor(cents / 100);
  if (digits === 0) return String(whole);
  return `${whole}.${String(cents % 100)
    .padStart(2, '0')
    .slice(0, digits)
    .padEnd(digits, '0')}`;
}
