/** GS1 General Specifications, section 7.9. */

/** The lengths of GTIN-8, GTIN-12 (UPC), GTIN-13 (EAN) and GTIN-14. */
const form = /^(?:\d{8}|\d{12,14})$/;

/** By length and check digit. */
export function isGtin(text: string): boolean {
  if (!form.test(text)) return false;
  // From the right the digits count once and three times in turn.
  const sum = [...text].reverse().reduce((total, digit, index) => total + Number(digit) * (index % 2 === 0 ? 1 : 3), 0);
  return sum % 10 === 0;
}
