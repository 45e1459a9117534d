/** Files that are no tables, and what to say of them. */
import type { ProblemKey } from '#contract/problems.ts';

const starts: readonly (readonly [string, ProblemKey])[] = [
  ['\xd0\xcf\x11\xe0', 'problem.sheet.oldExcel'],
  ['%PDF', 'problem.sheet.noTable'],
  ['\xff\xd8\xff', 'problem.sheet.noTable'],
  ['\x89PNG', 'problem.sheet.noTable'],
  ['GIF8', 'problem.sheet.noTable'],
  ['RIFF', 'problem.sheet.noTable'],
  ['7z\xbc\xaf', 'problem.sheet.archive'],
  ['Rar!', 'problem.sheet.archive'],
  ['\x1f\x8b', 'problem.sheet.archive'],
];

export const isZip = (bytes: Buffer) => bytes.subarray(0, 4).toString('latin1') === 'PK\u0003\u0004';

/** Undefined for a table, or what may be one. */
export function problemOfBytes(bytes: Buffer): ProblemKey | undefined {
  const head = bytes.subarray(0, 8).toString('latin1');
  const known = starts.find(([mark]) => head.startsWith(mark));
  return known ? known[1] : isZip(bytes) ? problemOfArchive(bytes) : undefined;
}

/** By the names of its parts, which are not packed. */
function problemOfArchive(bytes: Buffer): ProblemKey | undefined {
  const has = (name: string) => bytes.includes(Buffer.from(name, 'latin1'));
  if (has('xl/workbook.xml')) return undefined;
  if (has('xl/workbook.bin') || has('opendocument.spreadsheet') || has('Index/Document.iwa'))
    return 'problem.sheet.oldExcel';
  return has('.csv') || has('.CSV') ? 'problem.sheet.archive' : undefined;
}

/** Of a text. XML is read if it is a feed. */
export function problemOfText(text: string): ProblemKey | undefined {
  const head = text.slice(0, 2000).trimStart();
  if (/^<(?:!doctype\s+html|html|head|body|script|table|div)\b/i.test(head)) return 'problem.sheet.html';
  if (/^<\?xml/i.test(head) && /<html\b/i.test(head)) return 'problem.sheet.html';
  if (head.includes('urn:schemas-microsoft-com:office:spreadsheet')) return 'problem.sheet.oldExcel';
  if (/^[[{]/.test(head) && isJson(text)) return 'problem.sheet.jsonFile';
  return head.includes('\0') ? 'problem.sheet.noTable' : undefined;
}

/** Also if its end is missing. */
function isJson(text: string): boolean {
  if (/^\s*(?:\{\s*"|\[\s*[[{])/.test(text)) return true;
  try {
    JSON.parse(text.slice(0, 1_000_000));
    return true;
  } catch {
    return false;
  }
}

export const isXml = (text: string) =>
  /^\s*<(?:\?xml|rss|feed|products|channel)\b/i.test(text.slice(0, 2000));
