/** Text that somebody typed, on its way into the shop. */

/** Without line breaks and other control characters, which have no place in a name, an address or a mail's header. */
export function oneLine(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim();
}

/** The key that an email is looked up by: spellings that are known to reach one mailbox have one key. */
export function emailKeyOf(email: string): string {
  return email.trim().normalize('NFC').toLowerCase();
}
