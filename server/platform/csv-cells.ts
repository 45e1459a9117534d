/** Cells of CSV that spreadsheets open: none becomes a formula, and no code loses its zeros. What goes out comes back equal. */

/** By which a spreadsheet knows a formula, in both widths, after whatever marks it as text. */
const formula = /^'*[=+\-@\t\r\n＝＋－＠]/u;
/** What a spreadsheet would write otherwise: 0042, 4006381333931, 12E5. */
const number = /^'*\d+(?:[.,]\d+)?(?:e\d+)?$/i;

/** With the apostrophe that makes it text, where a spreadsheet would compute it. */
export const guarded = (text: string): string => (formula.test(text) || /^'+\d/.test(text) ? `'${text}` : text);

/** Also where a spreadsheet would take it for a number: for bar codes, SKUs and postal codes. */
export const guardedCode = (text: string): string => (number.test(text) ? `'${text}` : guarded(text));

/** Without that apostrophe, which other shops' exports have as well. */
export const unguarded = (text: string): string =>
  text.startsWith("'") && (formula.test(text) || number.test(text) || /^''+\d/.test(text)) ? text.slice(1) : text;
