/** Formats amounts for providers that take decimal text, and reads theirs. */
import { currencyDigits, decimalText, parseAmount } from '#contract/money.ts';

/**
 * Formats `amount` as decimal text: 4972 CAD is '49.72', 497 JPY '497'. `digits` is the number the provider uses if it differs from
 * ISO 4217.
 * @throws {RangeError} if the amount cannot be written exactly: outgoing amounts are never rounded
 */
export function decimalAmount(amount: number, currency: string, digits = currencyDigits(currency)): string {
  if (!Number.isSafeInteger(amount) || amount < 0)
    throw new RangeError(`${amount} is no amount of ${currency}`);
  const text = decimalText(amount, currency);
  const [whole = '', part = ''] = text.split('.');
  if (/[1-9]/.test(part.slice(digits)))
    throw new RangeError(`${text} ${currency} has more than ${digits} decimals`);
  return digits === 0 ? whole : `${whole}.${part.slice(0, digits).padEnd(digits, '0')}`;
}

/**
 * The amount of a provider's decimal text; below zero for what went out.
 * @throws {RangeError} for what is no amount of the currency: money is never guessed
 */
export function amountOf(text: string, currency: string): number {
  const amount = parseAmount(text, currency, { negative: true });
  if (amount === null) throw new RangeError(`${text} is no amount of ${currency}`);
  return amount;
}
