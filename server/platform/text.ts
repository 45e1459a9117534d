/** They must not appear in a name, an address or an email header. */
export function oneLine(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim();
}

/** Spellings of one address share a key, by which accounts and the orders of guests are found. */
export function emailKeyOf(email: string): string {
  return email.trim().normalize('NFC').toLowerCase();
}

/**
 * Addresses that are known to reach one mailbox share a key, for limits that count people: what follows `+` is the owner's own tag,
 * and Gmail ignores dots. Two accounts may share one, so it never finds an account, and no email is sent to it.
 */
export function mailboxKeyOf(email: string): string {
  const key = emailKeyOf(email);
  const at = key.lastIndexOf('@');
  const host = key.slice(at + 1);
  const isGmail = host === 'gmail.com' || host === 'googlemail.com';
  const [name = ''] = key.slice(0, at).split('+');
  const mailbox = isGmail ? name.replaceAll('.', '') : name;
  return at < 0 || mailbox === '' ? key : `${mailbox}@${isGmail ? 'gmail.com' : host}`;
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
