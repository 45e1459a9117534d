/** `schema shop|post`: the JSON Schemas of the files that merchants write, with which editors complete and check them. */

import { Argument } from 'commander';
import type { TSchema } from 'typebox';
import { defaultLocale } from '#contract/locales.ts';
import { StoredArticlePart } from '#contract/schemas/blog.ts';
import { staffTranslate } from '#contract/staff/messages.ts';
import { PageInput, PostInput, storedBlockSchemas } from '#server/modules/content/index.ts';
import { PostFile, ShopFile } from '#server/modules/imports/index.ts';
import { mapSchema, type SchemaNode } from '#server/platform/schema-problems.ts';
import type { CommandSetup } from './command.ts';

/** A JSON Schema that rejects unknown fields, as the import does. */
export type JsonSchema = SchemaNode & { $schema?: string; title?: string; errorMessage?: string };

export const fileKinds = {
  shop: { title: 'Shopwright: a shop, for `npm run shop -- fill`', schema: ShopFile, file: 'shop.schema.json' },
  post: { title: 'Shopwright: posts, for `npm run shop -- blog`', schema: PostFile, file: 'posts.schema.json' },
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
  const { required = [], inLanguages: _, problem, ...keywords } = checkedLater.get(given) ?? given;
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
  command.action((kind: FileKind) => terminal.print(JSON.stringify(jsonSchemaOf(kind), null, 2)));
};
