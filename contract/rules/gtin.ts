/** GS1 General Specifications, section 7.9. */

/** The lengths of GTIN-8, GTIN-12 (UPC), GTIN-13 (EAN) and GTIN-14. */
const form = /^(?:\d{8}|\d{12,14})$/;

/** By length and check digit. */
export function isGtin(text: string): boolean {
  if (!form.test(text)) return false;
  // From the right the digits count once and three times in turn.
  const sum = [...text]
    .reverse()
    .reduce((total, digit, index) => total + Number(digit) * (index % 2 === 0 ? 1 : 3), 0);
  return sum % 10 === 0;
}

/**
 * The forms in which a catalogue may have the number that a scanner read: a UPC is an EAN with a zero before it, and a QR code may be
 * a GS1 Digital Link or begin with the application identifier of a GTIN.
 */
export function gtinsOf(code: string): string[] {
  const [, linked] = /(?:\/01\/|^\(?01\)?)(\d{14})(?!\d)/.exec(code) ?? [];
  const digits = linked ?? code;
  if (!form.test(digits)) return [];
  const shortest = digits.replace(/^0+/, '');
  return [8, 12, 13, 14]
    .filter((length) => length >= shortest.length)
    .map((length) => shortest.padStart(length, '0'));
}
