/**
 * Makes text written by other people safe to print on a terminal: one line, without the control characters that a terminal
 * interprets and the invisible ones that disguise text.
 */
export function printable(text: string): string {
  return text.replace(/\r\n?|[\n\p{Zl}\p{Zp}]/gu, ' / ').replace(/[\p{Cc}\p{Cf}\p{Cs}]/gu, '');
}
