/** American Express groups 4-6-5, all others in fours. */
const amex = /^3[47]/;

/** At most 19. */
export function typedDigits(text: string): string {
  return text.replace(/[^0-9]/g, '').slice(0, 19);
}

/** For instance '4242 4242 4242 4242'. */
export function groupCardNumber(text: string): string {
  const digits = typedDigits(text);
  const groups = amex.test(digits)
    ? [digits.slice(0, 4), digits.slice(4, 10), digits.slice(10)]
    : (digits.match(/.{1,4}/g) ?? []);
  return groups.filter(Boolean).join(' ');
}

/** The caret position in the grouped text that leaves as many digits before it as in `typed`. */
export function caretAfterGrouping(typed: string, caret: number): number {
  const before = typedDigits(typed.slice(0, caret)).length;
  const grouped = groupCardNumber(typed);
  let seen = 0;
  for (let at = 0; at < grouped.length; at++) {
    if (seen === before) return at;
    if (grouped[at] !== ' ') seen++;
  }
  return grouped.length;
}

export type CardBrand = 'visa' | 'mastercard' | 'amex' | 'discover' | 'unionpay' | 'jcb' | 'diners';

const prefixes: readonly (readonly [CardBrand, RegExp])[] = [
  ['visa', /^4/],
  ['mastercard', /^(?:5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/],
  ['amex', /^3[47]/],
  ['jcb', /^35(?:2[89]|[3-8])/],
  ['diners', /^3(?:0[0-5]|[689])/],
  ['unionpay', /^62/],
  ['discover', /^(?:6011|64[4-9]|65)/],
];

export const brandNames: Record<CardBrand, string> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  amex: 'American Express',
  discover: 'Discover',
  unionpay: 'UnionPay',
  jcb: 'JCB',
  diners: 'Diners Club',
};

/** Null while the digits fit none, or several. */
export function cardBrand(number: string): CardBrand | null {
  const digits = typedDigits(number);
  return prefixes.find(([, prefix]) => prefix.test(digits))?.[0] ?? null;
}

interface Expiry {
  /** As typed: one or two digits, or ''. */
  expirationMonth: string;
  /** Two digits as on cards, fewer while it is typed. */
  expirationYear: string;
}

const separator = ' / ';

/** For instance '12 / 31'; the separator follows the second digit. */
export function formatExpiry({ expirationMonth: month, expirationYear: year }: Expiry): string {
  return month.length < 2 && year === '' ? month : `${month}${separator}${year}`;
}

/** Reads '1231', '12/31', '5/2031', '2031-12'. Deleting the separator of `before` deletes a digit: Backspace gets on. */
export function parseExpiry(typed: string, before = ''): Expiry {
  const [, isoYear, isoMonth] = /^\s*(?:20)(\d\d)-(\d\d?)\s*$/.exec(typed) ?? [];
  if (isoYear && isoMonth) return { expirationMonth: isoMonth.padStart(2, '0'), expirationYear: isoYear };
  if (before.endsWith(separator) && typed === before.slice(0, -1))
    return { expirationMonth: typed.slice(0, 1), expirationYear: '' };
  const [, named = '', rest = ''] = /^\D*(\d{1,2})\s*[/\-.\s]\s*(.*)$/.exec(typed) ?? [];
  const digits = typed.replace(/\D/g, '');
  // No month begins with 2–9, so such a digit is a month of its own.
  const length = /^[2-9]/.test(digits) ? 1 : 2;
  const month = named || digits.slice(0, length);
  const year = named ? rest.replace(/\D/g, '') : digits.slice(length);
  const whole = named.length === 1 || (length === 1 && month.length === 1) ? month.padStart(2, '0') : month;
  return { expirationMonth: whole, expirationYear: year.length >= 4 ? year.slice(2, 4) : year.slice(0, 2) };
}
