/** Derives the JSON Schemas of the files that merchants write from the schemas that the import checks them with. */
import type { TSchema } from 'typebox';
import { StoredArticlePart } from '#contract/schemas/blog.ts';
import { PageInput, PostInput, storedBlockSchemas } from '#server/modules/content/index.ts';
import type { SchemaNode } from '#server/platform/schema-problems.ts';
import { PostFile } from './post-file.ts';
import { ShopFile } from './shop-file.ts';

/** A JSON Schema that rejects unknown fields, as the import does. */
export type JsonSchema = SchemaNode & { $schema?: string; title?: string; additionalProperties?: false };

/** The kinds of files, by the argument of the command `schema`. */
export const fileKinds = {
  shop: { title: 'Shopwright: a shop, for `npm run shop -- fill`', schema: ShopFile, file: 'shop.schema.json' },
  post: { title: 'Shopwright: posts, for `npm run shop -- blog`', schema: PostFile, file: 'posts.schema.json' },
} as const;
export type FileKind = keyof typeof fileKinds;

/** The JSON Schema of a kind of file. Draft 7, which editors know best. */
export function jsonSchemaOf(kind: FileKind): JsonSchema {
  const { title, schema } = fileKinds[kind];
  return { $schema: 'http://json-schema.org/draft-07/schema#', title, ...plainSchema(nodeOf(schema)) };
}

const nodeOf = (schema: TSchema): SchemaNode => schema as SchemaNode;

/** What the import checks entry by entry, after the rest of the file. */
const checkedLater = new Map<SchemaNode | undefined, SchemaNode>([
  [nodeOf(PageInput.properties.blocks).items, { anyOf: storedBlockSchemas.map(nodeOf) }],
  [nodeOf(PostInput.properties.parts).items, nodeOf(StoredArticlePart)],
]);

function plainSchema(given: SchemaNode): JsonSchema {
  const node = checkedLater.get(given) ?? given;
  const { anyOf, items, properties, patternProperties, required, inLanguages: _, ...keywords } = node;
  return {
    ...keywords,
    ...(anyOf ? { anyOf: anyOf.map(plainSchema) } : {}),
    ...(items ? { items: plainSchema(items) } : {}),
    ...(properties ? fieldsOf(properties, required ?? []) : {}),
    ...(patternProperties ? { patternProperties: eachSchema(patternProperties), additionalProperties: false } : {}),
  };
}

/** A field with a default is required after defaults are filled in, which is when the import checks a file. */
function fieldsOf(properties: Readonly<Record<string, SchemaNode>>, required: readonly string[]): JsonSchema {
  const missing = required.filter((name) => properties[name]?.default === undefined);
  return {
    properties: eachSchema(properties),
    ...(missing.length > 0 ? { required: missing } : {}),
    additionalProperties: false,
  };
}

function eachSchema(schemas: Readonly<Record<string, SchemaNode>>): Record<string, JsonSchema> {
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, plainSchema(schema)]));
}
