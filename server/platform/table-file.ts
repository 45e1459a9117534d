/** A whole table as one file that spreadsheets open. Long ones are written in pieces: `csvOf`, `xlsxOf`. */
import { buffer } from 'node:stream/consumers';
import { byteOrderMark, csvText, type Row } from '#contract/csv.ts';
import type { TableForm } from '#contract/staff/book-figures.ts';
import type { TableFile } from '#contract/staff/books.ts';
import { xlsxOf, xlsxType } from './xlsx.ts';

export interface Table {
  /** Of the file, without its ending. */
  name: string;
  header: readonly string[];
  rows: readonly Row[];
}

/** `at`: epoch ms, which a workbook keeps. */
export async function tableFile(
  { name, header, rows }: Table,
  form: TableForm,
  at: number,
): Promise<TableFile> {
  if (form === 'csv') {
    const bytes = Buffer.from(byteOrderMark + csvText([header, ...rows]));
    return { name: `${name}.csv`, type: 'text/csv; charset=utf-8', base64: bytes.toString('base64') };
  }
  const pieces = (async function* () {
    yield rows;
  })();
  const bytes = await buffer(await xlsxOf(name, header, pieces, at));
  return { name: `${name}.xlsx`, type: xlsxType, base64: bytes.toString('base64') };
}
