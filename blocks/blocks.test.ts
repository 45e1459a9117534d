/** Checks that a page block is one folder and two lines in the registries. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import * as definitions from './definitions.ts';

const root = join(import.meta.dirname, '..');
const types = Object.keys(definitions);

/** Product code outside the blocks' folders, except the two registries. */
const sources = ['blocks', 'cli', 'contract', 'db', 'payment-providers', 'server', 'ui', 'web'].flatMap(
  (folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .map((file) => join(folder, file).replaceAll('\\', '/'))
      .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file))
      .filter((file) => !/^blocks\/(?:[^/]+\/|definitions\.ts|components\.tsx)/.test(file))
      .map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') })),
);

describe('page blocks', () => {
  test.each(Object.entries(definitions))(
    'the block %s has its name as its type in both schemas',
    (name, { stored, shown }) => {
      for (const schema of [stored, shown]) expect(schema.properties.type.const).toBe(name);
    },
  );

  test.each(types)('only the folder of the block %s and the two registries name it', (name) => {
    expect(sources.length).toBeGreaterThan(300);
    const naming = new RegExp(`(?:\\bblock\\.type\\s*[!=]==\\s*|Block\\w*<|\\bofType\\()'${name}'`);
    expect(sources.filter(({ text }) => naming.test(text)).map(({ file }) => file)).toEqual([]);
  });
});
