import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { localeCodes } from '#contract/locales.ts';
import { splitMessages } from './plugin.ts';

const { transform } = splitMessages();
if (typeof transform !== 'object') throw new Error('The plugin transforms nothing');
const handler = transform.handler as unknown as (code: string, id: string) => { code: string };

/** The messages of a language that the browser gets, by the query of the import. */
function partOf(code: string, query: string): string[] {
  const id = join(import.meta.dirname, `../../contract/messages/${code}.json`);
  return Object.keys(JSON.parse(handler(readFileSync(id, 'utf8'), id + query).code));
}

test.each(localeCodes)('no browser gets the messages of emails in %s', (code) => {
  const parts = ['', '?own', '?content', '?lists', '?product', '?more'].map((query) => partOf(code, query));
  expect(parts.map((keys) => keys.length > 10)).toEqual([true, true, true, true, true, true]);
  expect(parts.flat().filter((key) => /^(mail|settings)\./.test(key))).toEqual([]);
  // No message is in two parts.
  expect(new Set(parts.flat()).size).toBe(parts.flat().length);
});
