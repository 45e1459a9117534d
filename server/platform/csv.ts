/**
 * Writes tables as CSV (RFC 4180), in pieces: a table of any length takes no more memory than a piece of it. Spreadsheets open it: no
 * cell becomes a formula, and no code loses its zeros. What goes out comes back equal.
 */
import { setImmediate } from 'node:timers/promises';

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

/** Numbers are written as they are; texts never become formulas, and codes keep their digits. An empty cell is null. */
export type Cell = string | number | boolean | null | { code: string };
export type Row = readonly Cell[];

/** By which spreadsheets know UTF-8. */
export const byteOrderMark = '\ufeff';

export async function* csvOf(header: readonly string[], pieces: AsyncIterable<readonly Row[]>): AsyncGenerator<string> {
  const { stringify } = await import('csv-stringify/sync');
  // Lone line ends as well: readers differ in what they take for one.
  const write = (rows: readonly Row[]) =>
    stringify(
      rows.map((row) => row.map(cellText)),
      { quoted_match: /[\r\n]/ },
    );
  yield write([header]);
  for await (const rows of pieces) {
    yield write(rows);
    // Shoppers are answered between the pieces.
    await setImmediate();
  }
}

export function cellText(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell === 'object') return guardedCode(cell.code);
  return typeof cell === 'string' ? guarded(cell) : String(cell);
}

/** Of money: 1250 is 12.50. */
export const amount = (cents: number): string => (cents / 100).toFixed(2);
