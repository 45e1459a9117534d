/** Tables as Excel keeps them. */
import { buffer } from 'node:stream/consumers';
import { ZipFile } from 'yazl';

/** Cells of plain numbers are numbers in it. */
export async function xlsxOf(table: readonly (readonly string[])[]): Promise<Buffer> {
  const office = 'http://schemas.openxmlformats.org';
  const head = '<?xml version="1.0" encoding="UTF-8"?>';
  const sheet = `${office}/spreadsheetml/2006/main`;
  const related = (id: string, kind: string, target: string) =>
    `<Relationship Id="${id}" Type="${office}/officeDocument/2006/relationships/${kind}" Target="${target}"/>`;
  const relations = (all: string) =>
    `${head}<Relationships xmlns="${office}/package/2006/relationships">${all}</Relationships>`;
  const part = (name: string, type: string) =>
    `<Override PartName="/xl/${name}.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.${type}+xml"/>`;
  const rows = table.map((row, at) => {
    const cells = row.map((cell, column) =>
      cell === '' ? '' : cellXml(`${columnName(column)}${at + 1}`, cell),
    );
    return `<row r="${at + 1}">${cells.join('')}</row>`;
  });
  const zip = new ZipFile();
  const files = {
    '[Content_Types].xml': `${head}<Types xmlns="${office}/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>${part('workbook', 'sheet.main')}${part('worksheets/sheet1', 'worksheet')}</Types>`,
    '_rels/.rels': relations(related('rId1', 'officeDocument', 'xl/workbook.xml')),
    'xl/_rels/workbook.xml.rels': relations(related('rId1', 'worksheet', 'worksheets/sheet1.xml')),
    'xl/workbook.xml': `${head}<workbook xmlns="${sheet}" xmlns:r="${office}/officeDocument/2006/relationships"><sheets><sheet name="Goods" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/worksheets/sheet1.xml': `${head}<worksheet xmlns="${sheet}"><sheetData>${rows.join('')}</sheetData></worksheet>`,
  };
  for (const [name, text] of Object.entries(files)) zip.addBuffer(Buffer.from(text), name);
  zip.end();
  return buffer(zip.outputStream);
}

function cellXml(at: string, text: string): string {
  if (/^-?(?:0|[1-9]\d{0,14})(?:\.\d+)?$/.test(text)) return `<c r="${at}"><v>${text}</v></c>`;
  const safe = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return `<c r="${at}" t="inlineStr"><is><t xml:space="preserve">${safe}</t></is></c>`;
}

/** A, B, … Z, AA. */
const columnName = (at: number): string =>
  (at < 26 ? '' : columnName(Math.floor(at / 26) - 1)) + String.fromCharCode(65 + (at % 26));
