/**
 * What a spreadsheet's file says: CSV in any encoding, Excel workbooks, XML feeds and WordPress's exports, as rows of text.
 * Row numbers are those that spreadsheets show: the header is row 1, whatever line breaks its cells have.
 */
import { readFile } from 'node:fs/promises';
import { unguarded } from '#contract/csv.ts';
import type { ProblemKey } from '#contract/problems.ts';
import type { SheetEncoding } from '#contract/staff/imports.ts';
import { NestingError } from '#server/platform/markup.ts';
import { encodingOf } from './encodings.ts';
import { isXml, isZip, problemOfBytes, problemOfText } from './other-files.ts';
import { isWxr, tableOfWxr, WxrError } from './wxr.ts';
import { ArchiveError, honestArchive } from './xlsx-archive.ts';
import { tableOfFeed } from './xml-feed.ts';

export interface SheetJob {
  path: string;
  /** Null: as it is found. */
  encoding: SheetEncoding | null;
}

export interface SheetAbout {
  format: 'csv' | 'xlsx' | 'xml';
  /** As TextDecoder names it. */
  encoding: SheetEncoding;
  delimiter: string;
}

export interface SheetRow {
  line: number;
  cells: string[];
}

export type SheetMessage =
  | { about: SheetAbout; columns: string[] }
  | { rows: SheetRow[] }
  | { problem: ProblemKey; values?: Record<string, string | number> }
  | { done: true };

export const mostRows = 250_000;
const mostColumns = 500;
const mostUnpacked = 400 * 1024 * 1024;
/** Rows of a message: their copy holds the receiving thread for a millisecond or two. */
const sentAtOnce = 250;

/** Why a file is no spreadsheet that can be read. */
export class SheetError extends Error {
  readonly problem: ProblemKey;
  readonly values: Record<string, string | number>;
  constructor(problem: ProblemKey, values: Record<string, string | number> = {}) {
    super(problem);
    this.problem = problem;
    this.values = values;
  }
}

/**
 * Sends what the file is and its columns, then its rows in parts, then that it is done.
 * @throws {SheetError}
 */
export async function readSheetFile(
  { path, encoding }: SheetJob,
  send: (message: SheetMessage) => void,
): Promise<void> {
  const bytes = await readFile(path);
  const no = problemOfBytes(bytes);
  if (no) throw new SheetError(no);
  const { about, records } = isZip(bytes) ? await readXlsx(bytes) : await readText(bytes, encoding);
  const header = records.findIndex((cells) => cells.some((cell) => cell !== '') && !isComment(cells));
  if (header < 0) throw new SheetError('problem.sheet.empty');
  const columns = records[header] ?? [];
  if (records.length > mostRows) throw new SheetError('problem.sheet.rows', { limit: mostRows });
  send({ about, columns });
  let rows: SheetRow[] = [];
  for (let at = header + 1; at < records.length; at++) {
    const cells = records[at] ?? [];
    if (cells.some((cell) => cell !== '')) rows.push({ line: at + 1, cells });
    if (rows.length < sentAtOnce) continue;
    send({ rows });
    rows = [];
  }
  send({ rows });
  send({ done: true });
}

/** Facebook's template explains its columns above their names. */
const isComment = (cells: readonly string[]) =>
  cells.every((cell) => cell === '' || /^# ?(?:required|optional)\b/i.test(cell));

/** A row, also below the header, whose copy would hold the receiving thread is refused. */
function bounded<T>(cells: T[]): T[] {
  if (cells.length > mostColumns) throw new SheetError('problem.sheet.columns', { limit: mostColumns });
  return cells;
}

interface Read {
  about: SheetAbout;
  records: string[][];
}

async function readText(bytes: Buffer, chosen: SheetEncoding | null): Promise<Read> {
  const encoding = chosen ?? encodingOf(bytes);
  const text = new TextDecoder(encoding).decode(bytes);
  if (isWxr(text)) return { about: { format: 'xml', encoding, delimiter: '' }, records: readWxr(text) };
  const no = problemOfText(text);
  if (no) throw new SheetError(no);
  if (!isXml(text)) return readCsv(text, encoding);
  const records = readFeed(text);
  if (records.length === 0) throw new SheetError('problem.sheet.xml');
  return {
    about: { format: 'xml', encoding, delimiter: '' },
    records: records.map((cells) => cells.map(cleaned)),
  };
}

function readFeed(text: string): string[][] {
  try {
    return tableOfFeed(text, bounded);
  } catch (error) {
    throw error instanceof NestingError ? new SheetError('problem.sheet.xml') : error;
  }
}

function readWxr(text: string): string[][] {
  try {
    return tableOfWxr(text);
  } catch (error) {
    if (error instanceof NestingError) throw new SheetError('problem.sheet.wxrForm');
    throw error instanceof WxrError ? new SheetError(error.problem, error.values) : error;
  }
}

async function readCsv(text: string, encoding: SheetEncoding): Promise<Read> {
  // A first line by which Excel is told the delimiter.
  const [told = '', named] = /^sep=(.)\r?\n/.exec(text) ?? [];
  const delimiter = named ?? delimiterOf(text);
  const { parse } = await import('csv-parse/sync');
  let records: string[][];
  try {
    records = parse(text.slice(told.length), {
      delimiter,
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      relax_quotes: true,
      max_record_size: 2 * 1024 * 1024,
      skip_empty_lines: false,
      // Before the next row is read.
      on_record: (cells: string[]) => bounded(cells),
    });
  } catch (error) {
    if (error instanceof SheetError) throw error;
    const { lines = 0 } = error as { lines?: number };
    throw new SheetError('problem.sheet.csv', { line: lines });
  }
  return {
    about: { format: 'csv', encoding, delimiter },
    records: records.map((cells) => cells.map(cleaned)),
  };
}

/** The sign that divides the first line most often, outside of quotes. */
function delimiterOf(text: string): string {
  const counts = new Map([',', ';', '\t'].map((sign) => [sign, 0]));
  let isQuoted = false;
  for (const sign of text.slice(0, 20_000)) {
    if (sign === '"') isQuoted = !isQuoted;
    else if (!isQuoted && sign === '\n' && [...counts.values()].some((count) => count > 0)) break;
    else if (!isQuoted && counts.has(sign)) counts.set(sign, (counts.get(sign) ?? 0) + 1);
  }
  const [[best = ','] = []] = [...counts].sort(([, one], [, other]) => other - one);
  return best;
}

async function readXlsx(bytes: Buffer): Promise<Read> {
  const { readSheet } = await import('read-excel-file/node');
  const rows = await readSheet(honest(bytes)).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message.slice(0, 200) : '';
    throw reason === ''
      ? new SheetError('problem.sheet.brokenBook')
      : new SheetError('problem.sheet.xlsx', { reason });
  });
  const about: SheetAbout = { format: 'xlsx', encoding: 'utf-8', delimiter: '' };
  return { about, records: rows.map((cells) => bounded(cells).map((cell) => cleaned(textOf(cell)))) };
}

function honest(bytes: Buffer): Buffer {
  try {
    return honestArchive(bytes, mostUnpacked);
  } catch (error) {
    if (!(error instanceof ArchiveError)) throw error;
    throw error.isTooLarge
      ? new SheetError('problem.sheet.large')
      : new SheetError('problem.sheet.brokenBook');
  }
}

function textOf(cell: unknown): string {
  if (cell === null || cell === undefined) return '';
  if (cell instanceof Date) return cell.toISOString();
  // Spreadsheets add parts of floating point: 19.990000000000002.
  if (typeof cell === 'number')
    return Number.isInteger(cell) ? BigInt(cell).toString() : String(Number(cell.toPrecision(15)));
  return String(cell);
}

/** Some programs pad cells behind their quotes, which stay then. */
function cleaned(cell: string): string {
  const text = cell.trim();
  const [, quoted] = text.length < cell.length ? (/^"((?:[^"]|"")*)"$/.exec(text) ?? []) : [];
  return unguarded(quoted === undefined ? text : quoted.replaceAll('""', '"').trim());
}
