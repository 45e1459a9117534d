/** The plain card form (SPEC §5, §9). Whether the card is good is the gateway's to say. */
import type { FieldErrors } from '../errors.ts';
import { limits } from '../limits.ts';
import type { MessageKey } from '../locales.ts';
import type { PaymentInstrument } from '../schemas/order.ts';
import { isBlank } from './fields.ts';

const prefix = 'paymentInstrucment';
/** West of everywhere: a month that is over there is over in every time zone. */
const lastTimeZoneMs = 12 * 3_600_000;
const cardNumber = new RegExp(`^\\d{${limits.cardNumberMin},${limits.cardNumberMax}}$`);
const cardCode = new RegExp(`^\\d{${limits.cardCodeMin},${limits.cardCodeMax}}$`);

/** The number without the spaces and dashes people write it with. */
export function cardDigits(text: string): string {
  return text.replace(/[\s\-–]/g, '');
}

/** `now` is the current time in epoch milliseconds. A card is good until the end of its month. */
export function cardErrors(card: PaymentInstrument, now: number): FieldErrors {
  const errors: FieldErrors = {};
  const say = (field: keyof PaymentInstrument, key: MessageKey) => {
    errors[`${prefix}.${field}`] = key;
  };

  if (isBlank(card.cardHolderName)) say('cardHolderName', 'rule.cardHolderMissing');

  if (isBlank(card.creditCardNumber)) say('creditCardNumber', 'rule.cardNumberMissing');
  else if (!cardNumber.test(cardDigits(card.creditCardNumber ?? ''))) say('creditCardNumber', 'rule.cardNumberInvalid');

  if (isBlank(card.cardCode)) say('cardCode', 'rule.cardCodeMissing');
  else if (!cardCode.test((card.cardCode ?? '').trim())) say('cardCode', 'rule.cardCodeInvalid');

  const month = wholeNumber(card.expirationMonth);
  const year = fullYear(card.expirationYear);
  if (isBlank(card.expirationMonth)) say('expirationMonth', 'rule.cardMonthMissing');
  else if (month === null || month < 1 || month > 12) say('expirationMonth', 'rule.cardMonthInvalid');
  if (isBlank(card.expirationYear)) say('expirationYear', 'rule.cardYearMissing');
  else if (year === null) say('expirationYear', 'rule.cardYearInvalid');

  const named = `${prefix}.expirationMonth` in errors || `${prefix}.expirationYear` in errors;
  if (!named && month !== null && year !== null && isExpired(month, year, now)) say('expirationMonth', 'rule.cardExpired');
  return errors;
}

function isExpired(month: number, year: number, now: number): boolean {
  return now - lastTimeZoneMs >= Date.UTC(year, month, 1);
}

/** A year of four digits, or two as printed on cards; null where it is neither. */
function fullYear(typed: number | string | undefined): number | null {
  const year = wholeNumber(typed);
  if (year === null) return null;
  if (year < 100) return 2000 + year;
  return year >= 1000 ? year : null;
}

function wholeNumber(typed: number | string | undefined): number | null {
  const text = String(typed ?? '').trim();
  return /^\d{1,4}$/.test(text) ? Number(text) : null;
}
