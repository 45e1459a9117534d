/**
 * Writes tables as CSV (RFC 4180), on the server and in the office. Spreadsheets open it: they know its encoding, no cell becomes a
 * formula, and no code loses its zeros. What goes out comes back equal.
 */

/** By which spreadsheets know UTF-8; every file begins with it. */
export const byteOrderMark = '\ufeff';

/** By which a spreadsheet knows a formula, in both widths, after whatever marks it as text. */
const formula = /^'*[=+\-@\t\r\n＝＋－＠]/u;
/** What a spreadsheet would write otherwise: 0042, 4006381333931, 12E5. */
const number = /^'*\d+(?:[.,]\d+)?(?:e\d+)?$/i;

/** With the apostrophe that makes it text, where a spreadsheet would compute it. */
export const guarded = (text: string): string =>
  formula.test(text) || /^'+\d/.test(text) ? `'${text}` : text;

/** Also where a spreadsheet would take it for a number: for bar codes, SKUs and postal codes. */
export const guardedCode = (text: string): string => (number.test(text) ? `'${text}` : guarded(text));

/** Without that apostrophe, which other shops' exports have as well. */
export const unguarded = (text: string): string =>
  text.startsWith("'") && (formula.test(text) || number.test(text) || /^''+\d/.test(text))
    ? text.slice(1)
    : text;

/** Numbers and decimals are written as they are; texts never become formulas, and codes keep their digits. An empty cell is null. */
export type Cell = string | number | boolean | null | { code: string } | { decimal: string };
export type Row = readonly Cell[];

export function cellText(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell === 'object') return 'code' in cell ? guardedCode(cell.code) : cell.decimal;
  return typeof cell === 'string' ? guarded(cell) : String(cell);
}

/** Rows without the mark, for files that are written in pieces. Lone line ends are quoted as well: readers differ in what they take for one. */
export function csvText(rows: readonly Row[]): string {
  const quoted = (text: string) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  return rows.map((row) => `${row.map((cell) => quoted(cellText(cell))).join(',')}\n`).join('');
}
