/** Whether a text can be an email address or a phone number at all. */

/** Deliberately loose: only an email sent to an address can show that it exists. */
export const emailPattern = /^[^\s@,;<>]+@[^\s@,;<>.]+(?:\.[^\s@,;<>.]+)*\.[^\s@,;<>.]{2,}$/;

const fewestPhoneDigits = 5;

export function isEmail(text: string): boolean {
  return emailPattern.test(text.trim());
}

/** In any notation that contains a digit. */
export function isPhone(text: string): boolean {
  return (text.match(/\p{Nd}/gu)?.length ?? 0) >= fewestPhoneDigits;
}
