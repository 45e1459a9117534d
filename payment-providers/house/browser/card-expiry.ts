export interface Expiry {
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

/**
 * Reads '1231', '12/31', '5/2031', '2031-12'. Deleting the separator of `before` deletes the month's last digit, so that
 * Backspace does not get stuck.
 */
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
