/** Reads the JSON files that a command is given, and says what a file is that it cannot read. */
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { Argument } from 'commander';
import type { TSchema } from 'typebox';
import { defaultLocale } from '#contract/locales.ts';
import { StoredArticlePart } from '#contract/schemas/blog.ts';
import { staffTranslate } from '#contract/staff/messages.ts';
import { PageInput, PostInput, storedBlockSchemas } from '#server/modules/content/index.ts';
import { PostFile, ShopFile } from '#server/modules/imports/index.ts';
import { mapSchema, type SchemaNode } from '#server/platform/schema-problems.ts';
import { CommandError, type CommandSetup } from './command.ts';

/** UTF-8, without the byte-order mark of Windows. @throws {CommandError} if it cannot be read, or has lost or would lose letters */
export async function readTextFile(path: string): Promise<string> {
  const bytes = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') throw new CommandError(`File not found: ${path}.`);
    throw unreadable(path, error.message);
  });
  const problem = encodingProblem(bytes);
  if (problem !== null) throw unreadable(path, problem);
  return bytes.toString('utf8').replace(/^\uFEFF/, '');
}

/** Reads and parses a JSON file. @throws {CommandError} if the file is missing or is not valid JSON */
export async function readJsonFile(path: string): Promise<unknown> {
  const kind = Object.entries(otherKinds).find(([ending]) => path.toLowerCase().endsWith(ending))?.[1];
  if (kind !== undefined)
    throw new CommandError(
      `${basename(path)} is ${kind}, and this command reads JSON files. Write its rows into a file such as examples/river-cups/shop.json; docs/how-to/fill-a-shop.md shows each field.`,
    );
  const text = await readTextFile(path);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw unreadable(path, error instanceof Error ? error.message : String(error));
  }
}

/** Files that merchants have their products in, by the end of their names. */
const otherKinds: Readonly<Record<string, string>> = {
  '.xlsx': 'an Excel workbook',
  '.xls': 'an Excel workbook',
  '.ods': 'a LibreOffice spreadsheet',
  '.numbers': 'a Numbers spreadsheet',
  '.csv': 'a table in CSV',
  '.tsv': 'a table in TSV',
};

/** Why bytes are not text in UTF-8 with all of its letters, and what to do; null if they are. */
function encodingProblem(bytes: Buffer): string | null {
  const how =
    'Open it in an editor, check its letters, choose "Save as" and the encoding UTF-8, and try again';
  if ([0xfffe, 0xfeff].includes(bytes.length > 1 ? bytes.readUInt16BE(0) : 0))
    return `it is in UTF-16, which Windows calls "Unicode". ${how}`;
  const text = bytes.toString('utf8');
  const at = text.indexOf('\uFFFD');
  if (at < 0) {
    const escaped = /\\ufffd/i.exec(text);
    return escaped && `${placeIn(text, escaped.index)} has the escape ${escaped[0]}: ${lostLetter}`;
  }
  // Up to here every character is valid, so its bytes are those of the file.
  const offset = Buffer.byteLength(text.slice(0, at));
  const isInFile = bytes.subarray(offset, offset + 3).toString('hex') === 'efbfbd';
  if (isInFile) return `${placeIn(text, at)} has the replacement character \uFFFD: ${lostLetter}`;
  const letter = new TextDecoder('windows-1252').decode(bytes.subarray(offset, offset + 1));
  const line = new TextDecoder('windows-1252')
    .decode(bytes.subarray(Math.max(0, offset - 15), offset + 15))
    .replace(/[^\S ]+/g, ' ');
  return `${placeIn(text, at)} is not UTF-8. The file is probably in Windows-1252, which editors call "ANSI": there this is "${letter}", in "…${line.trim()}…". ${how}`;
}

const lostLetter =
  'a letter was lost when the file was converted. Take the text from the original, and save it in UTF-8';

function placeIn(text: string, at: number): string {
  const lines = text.slice(0, at).split('\n');
  return `line ${lines.length}, column ${(lines.at(-1) ?? '').length + 1}`;
}

function unreadable(path: string, why: string): CommandError {
  return new CommandError(`Could not read ${path}: ${why}.`);
}

/** A JSON Schema that rejects unknown fields, as the import does. */
export type JsonSchema = SchemaNode & { $schema?: string; title?: string; errorMessage?: string };

export const fileKinds = {
  shop: {
    title: 'Shopwright: a shop, for `npm run shop -- fill`',
    schema: ShopFile,
    file: 'shop.schema.json',
  },
  post: {
    title: 'Shopwright: posts, for `npm run shop -- blog`',
    schema: PostFile,
    file: 'posts.schema.json',
  },
} as const;
export type FileKind = keyof typeof fileKinds;

/** The JSON Schema of a kind of file. Draft 7, which editors know best. */
export function jsonSchemaOf(kind: FileKind): JsonSchema {
  const { title, schema } = fileKinds[kind];
  return { $schema: 'http://json-schema.org/draft-07/schema#', title, ...mapSchema(nodeOf(schema), plain) };
}

const nodeOf = (schema: TSchema): SchemaNode => schema as SchemaNode;

/** What the import checks entry by entry, after the rest of the file. */
const checkedLater = new Map<SchemaNode | undefined, SchemaNode>([
  [nodeOf(PageInput.properties.blocks).items, { anyOf: storedBlockSchemas.map(nodeOf) }],
  [nodeOf(PostInput.properties.parts).items, nodeOf(StoredArticlePart)],
]);

/** A field with a default is required after defaults are filled in, which is when the import checks a file. */
function plain(given: SchemaNode): JsonSchema {
  const {
    required = [],
    inLanguages: _,
    named: ___,
    unit: __,
    form: ____,
    problem,
    ...keywords
  } = checkedLater.get(given) ?? given;
  const missing = required.filter((name) => keywords.properties?.[name]?.default === undefined);
  return {
    ...keywords,
    ...(problem ? { errorMessage: staffTranslate(defaultLocale)(problem) } : {}),
    ...(missing.length > 0 ? { required: missing } : {}),
    ...(keywords.properties || keywords.patternProperties ? { additionalProperties: false } : {}),
  };
}

export const schema: CommandSetup = (program, terminal) => {
  const command = program.command('schema');
  command.description('Prints the JSON Schema of the files of `fill` and `blog`, for editors.');
  command.addArgument(new Argument('<kind>', 'The kind of file.').choices(Object.keys(fileKinds)));
  command.reads((kind: FileKind) => terminal.print(JSON.stringify(jsonSchemaOf(kind), null, 2)));
};
