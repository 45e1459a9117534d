/**
 * Text that somebody else wrote, safe to print on a terminal: one line, without the control characters that a
 * terminal obeys and the invisible ones that make text read as something else.
 */
export function printable(text: string): string {
  return text.replace(/\r\n?|[\n\p{Zl}\p{Zp}]/gu, ' / ').replace(/[\p{Cc}\p{Cf}\p{Cs}]/gu, '');
}
