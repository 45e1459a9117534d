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
