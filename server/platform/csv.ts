/** Writes tables as CSV (RFC 4180), in pieces: a table of any length takes no more memory than a piece of it. */
import { setImmediate } from 'node:timers/promises';
import { guarded, guardedCode } from './csv-cells.ts';

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
