/** Normalises text that a person typed. */

/** Removes line breaks and other control characters, which must not appear in a name, an address or an email header. */
export function oneLine(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim();
}

/** The lookup key of an email address: spellings that are known to reach one mailbox share a key. */
export function emailKeyOf(email: string): string {
  return email.trim().normalize('NFC').toLowerCase();
}
