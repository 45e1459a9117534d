/** They must not appear in a name, an address or an email header. */
export function oneLine(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim();
}

/** Spellings that are known to reach one mailbox share a key. */
export function emailKeyOf(email: string): string {
  return email.trim().normalize('NFC').toLowerCase();
}

/** Collapses white space and removes control characters; cut at `most` characters with an ellipsis. */
export function shortened(text: string, most: number): string {
  const characters = [
    ...text
      .replace(/[\s\p{Cc}]+/gu, ' ')
      .replace(/[\u202a-\u202e\u2066-\u2069]/g, '')
      .trim(),
  ];
  return characters.length <= most ? characters.join('') : `${characters.slice(0, most).join('').trimEnd()}…`;
}
