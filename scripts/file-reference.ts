/** `npm run reference`: writes the reference of the fields of merchants' files, and the JSON Schemas beside the examples. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type FileKind, fileKinds, type JsonSchema, jsonSchemaOf } from '#cli/json-file.ts';
import { brand } from '#server/platform/brand.ts';
import { fieldReference } from './field-reference.ts';

const intros: Readonly<Record<FileKind, string>> = {
  shop: `# Fields of a shop file

This page is for merchants. It lists every field of the file that \`npm run shop -- fill\` imports; [Import a
catalogue](how-to/fill-a-shop.md) shows one in use. \`npm run reference\` writes this page from the schema of the import.`,
  post: `# Fields of a file of posts

This page is for merchants and authors. It lists every field of the file that \`npm run shop -- blog\` imports; [Write a
post](how-to/write-a-post.md) shows one in use. \`npm run reference\` writes this page from the schema of the import.`,
};

const notes = `Texts are objects by language: \`{ "en": "Mug", "zh": "马克杯" }\`. The default language is required. Fields that are not
listed are rejected, except for those of the shop's brand ([the demo's](../demo/README.md)).`;

/** The fields of the shop's brand, which are explained where the brand is. */
export const fieldsOfBrand = new Set(Object.keys({ ...brand.settings, ...brand.productDetails }));

function ownSchema(kind: FileKind): JsonSchema {
  const own = JSON.stringify(jsonSchemaOf(kind), (key, value) => (fieldsOfBrand.has(key) ? undefined : value));
  return JSON.parse(own) as JsonSchema;
}

/** What the command writes, by path in the project. */
export function referenceFiles(): Readonly<Record<string, string>> {
  return Object.fromEntries(
    (['shop', 'post'] as const).flatMap((kind) => [
      [`docs/${kind}-file.md`, `${intros[kind]}\n\n${notes}\n\n${fieldReference(ownSchema(kind))}\n`],
      [`examples/river-cups/${fileKinds[kind].file}`, `${JSON.stringify(ownSchema(kind), null, 2)}\n`],
    ]),
  );
}

if (import.meta.main) {
  for (const [path, text] of Object.entries(referenceFiles())) {
    writeFileSync(join(import.meta.dirname, '..', path), text);
    console.log(`Wrote ${path}.`);
  }
}
