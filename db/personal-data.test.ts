import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { createTestApp } from '#tests/test-app.ts';
import { personalData } from './personal-data.ts';

const root = join(import.meta.dirname, '..');
/** Columns that hold a person, or are about one. */
const personal =
  /e?mail|first_?name|last_?name|full_?name|person|customer(?!_limit)|phone|recipient|reply_to|liker|birth|^contact|_contact|address/;

let tables: { name: string; columns: string[] }[] = [];
beforeAll(async () => {
  const { db } = await createTestApp({ engine: 'sqlite' });
  const found = await db.read.introspection.getTables();
  tables = found.map(({ name, columns }) => ({ name, columns: columns.map((column) => column.name) }));
});

it('every table with a column about a person says who exports and deletes it', () => {
  const unsaid = tables.filter(
    ({ name, columns }) => !personalData[name] && columns.some((column) => personal.test(column)),
  );
  expect(
    unsaid.map(({ name, columns }) => `${name}: ${columns.filter((column) => personal.test(column))}`),
  ).toEqual([]);
});

it.each(Object.entries(personalData))(
  'the entry for personal data in %s names files that handle it',
  (table, said) => {
    expect(tables.map(({ name }) => name)).toContain(table);
    if ('kept' in said) return;
    for (const path of Object.values(said)) {
      expect(existsSync(join(root, path)), path).toBe(true);
      expect(readFileSync(join(root, path), 'utf8')).toMatch(new RegExp(`'${table}[' ]`));
    }
    expect(readFileSync(join(root, said.deletedBy), 'utf8')).toMatch(
      new RegExp(`(deleteFrom|updateTable)\\('${table}'`),
    );
  },
);
