/**
 * Writes tables as XLSX in pieces, from the same rows as CSV: amounts stay numbers, and texts never become formulas.
 * ECMA-376, part 1: https://ecma-international.org/publications-and-standards/standards/ecma-376/
 */
import type { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import type { Cell, Row } from '#contract/csv.ts';
import { escapeHtml, withoutInvalidXml } from './html.ts';
import { type Entry, zipOf } from './zip.ts';

export const xlsxType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

/** Ends with an error if the pieces fail: a workbook is whole or has no end. `at`: epoch ms. */
export function xlsxOf(
  sheet: string,
  header: readonly string[],
  pieces: AsyncIterable<readonly Row[]>,
  at: number,
): Promise<Readable> {
  return zipOf(partsOf(sheet, header, pieces), at);
}

const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const relations = 'http://schemas.openxmlformats.org/package/2006/relationships';
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const content = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

/** Of cells: plain, the header, and numbers with none, two, three and four decimals. */
const styles = { plain: 0, header: 1, decimals: { 0: 2, 2: 3, 3: 4, 4: 5 } } as const;

async function* partsOf(
  sheet: string,
  header: readonly string[],
  pieces: AsyncIterable<readonly Row[]>,
): AsyncGenerator<Entry> {
  const relation = (id: number, type: string, target: string) =>
    `<Relationship Id="rId${id}" Type="${office}/${type}" Target="${target}"/>`;
  const part = (name: string, text: string): Entry => ({ name, pieces: [head + text] });
  yield part(
    '[Content_Types].xml',
    '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">' +
      '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
      `<Override PartName="/xl/workbook.xml" ContentType="${content}.sheet.main+xml"/>` +
      `<Override PartName="/xl/worksheets/sheet1.xml" ContentType="${content}.worksheet+xml"/>` +
      `<Override PartName="/xl/styles.xml" ContentType="${content}.styles+xml"/></Types>`,
  );
  yield part(
    '_rels/.rels',
    `<Relationships xmlns="${relations}">${relation(1, 'officeDocument', 'xl/workbook.xml')}</Relationships>`,
  );
  yield part(
    'xl/workbook.xml',
    `<workbook xmlns="${main}" xmlns:r="${office}"><sheets><sheet name="${sheetName(sheet)}" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  );
  yield part(
    'xl/_rels/workbook.xml.rels',
    `<Relationships xmlns="${relations}">${relation(1, 'worksheet', 'worksheets/sheet1.xml')}${relation(2, 'styles', 'styles.xml')}</Relationships>`,
  );
  yield part('xl/styles.xml', stylesText);
  yield { name: 'xl/worksheets/sheet1.xml', pieces: sheetText(header, pieces) };
}

const stylesText = `<styleSheet xmlns="${main}"><numFmts count="2"><numFmt numFmtId="164" formatCode="0.000"/><numFmt numFmtId="165" formatCode="0.0000"/></numFmts><fonts count="2"><font/><font><b/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="6"><xf/><xf fontId="1" applyFont="1"/>${[1, 2, 164, 165].map((id) => `<xf numFmtId="${id}" applyNumberFormat="1"/>`).join('')}</cellXfs></styleSheet>`;

async function* sheetText(
  header: readonly string[],
  pieces: AsyncIterable<readonly Row[]>,
): AsyncGenerator<string> {
  const pane =
    '<sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" state="frozen"/></sheetView></sheetViews>';
  yield `${head}<worksheet xmlns="${main}">${pane}<sheetData>${rowText(
    1,
    header.map((text) => textCell(text, styles.header)),
  )}`;
  let line = 1;
  for await (const rows of pieces) {
    const first = line + 1;
    line += rows.length;
    yield rows.map((row, index) => rowText(first + index, row.map(cellOf))).join('');
    // Shoppers are answered between the pieces.
    await setImmediate();
  }
  yield '</sheetData></worksheet>';
}

/** Each cell with its address, without which some readers find nothing. */
function rowText(line: number, cells: readonly string[]): string {
  const addressed = cells.map((cell, index) =>
    cell.replace('<c', () => `<c r="${columnName(index)}${line}"`),
  );
  return `<row r="${line}">${addressed.join('')}</row>`;
}

/** A to Z, then AA. */
function columnName(index: number): string {
  const last = String.fromCharCode(65 + (index % 26));
  return index < 26 ? last : columnName(Math.floor(index / 26) - 1) + last;
}

function cellOf(cell: Cell): string {
  if (cell === null) return '<c/>';
  if (typeof cell === 'boolean') return `<c t="b"><v>${cell ? 1 : 0}</v></c>`;
  if (typeof cell === 'number') return `<c><v>${cell}</v></c>`;
  if (typeof cell === 'string') return textCell(cell);
  if ('code' in cell) return textCell(cell.code);
  const digits = (cell.decimal.split('.')[1] ?? '').length;
  const style = styles.decimals[digits as keyof typeof styles.decimals] ?? styles.plain;
  return `<c s="${style}"><v>${escaped(cell.decimal)}</v></c>`;
}

function textCell(text: string, style: number = styles.plain): string {
  return `<c t="inlineStr"${style === 0 ? '' : ` s="${style}"`}><is><t xml:space="preserve">${escaped(text)}</t></is></c>`;
}

const escaped = (text: string): string => escapeHtml(withoutInvalidXml(text));

/** Of at most 31 characters, without those that sheets cannot be called. */
const sheetName = (name: string) => escaped(name.replaceAll(/[[\]:*?/\\]/g, ' ').slice(0, 31));
