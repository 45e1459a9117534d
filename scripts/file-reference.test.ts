/** The reference of merchants' files and the JSON Schemas of the examples have every field of the schemas that the import uses. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { localeCodes } from '#contract/locales.ts';
import { StoredArticlePart } from '#contract/schemas/blog.ts';
import { storedBlockSchemas } from '#server/modules/content/index.ts';
import { PostFile, ShopFile } from '#server/modules/imports/index.ts';
import { fieldsOfBrand, referenceFiles } from './file-reference.ts';

const read = (path: string) => readFileSync(join(import.meta.dirname, '..', path), 'utf8');

test.each(Object.entries(referenceFiles()))('%s is as npm run reference writes it', (path, text) => {
  expect(read(path), 'npm run reference writes it').toBe(text);
});

/** The names of all fields of a schema, without the languages of texts. */
function fieldNames(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  return Object.entries(schema).flatMap(([keyword, inner]) =>
    keyword === 'properties'
      ? Object.entries(inner).flatMap(([name, field]) =>
          fieldsOfBrand.has(name) ? [] : [name, ...fieldNames(field)],
        )
      : fieldNames(inner),
  );
}

test.each([
  ['docs/shop-file.md', [ShopFile, ...storedBlockSchemas]],
  ['docs/post-file.md', [PostFile, StoredArticlePart]],
])('%s explains every field that the import accepts', (path, schemas) => {
  const rows = read(path).match(/^\| `.*$/gm) ?? [];
  const named = new Set(rows.map((row) => /^\| `([^`]+)`/.exec(row)?.[1]));
  const names = [...new Set(schemas.flatMap(fieldNames))].filter(
    (name) => !(localeCodes as string[]).includes(name),
  );
  expect(names.length).toBeGreaterThan(10);
  expect(names.filter((name) => !named.has(name))).toEqual([]);
  expect(rows.filter((row) => / \| {2}\|$/.test(row))).toEqual([]);
});
