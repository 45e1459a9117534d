import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { defaultLocale, staffLocale } from '../locales.ts';
import en from './messages/en.json' with { type: 'json' };
import zh from './messages/zh.json' with { type: 'json' };
import { saidText, staffTranslate } from './messages.ts';

/** The program's own files. */
const sources = () =>
  globSync('{blocks,cli,contract,server}/**/*.ts', { exclude: (file) => file.endsWith('.test.ts') })
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');

const placeholders = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort();

test('messages to the staff have the same keys and values in each language, and are sorted', () => {
  expect(Object.keys(zh)).toEqual(Object.keys(en));
  expect(Object.keys(en)).toEqual(Object.keys(en).sort());
  expect(Object.values(zh).map(placeholders)).toEqual(Object.values(en).map(placeholders));
});

test.each([
  ['zh_CN.UTF-8', 'zh'],
  ['zh', 'zh'],
  ['en_CA.UTF-8', 'en'],
  ['C.UTF-8', defaultLocale],
  ['', defaultLocale],
])('LANG=%s speaks %s', (lang, locale) => {
  expect(staffLocale(lang)).toBe(locale);
});

test('a message to the staff fills in its values', () => {
  expect(staffTranslate('zh')('journal.more', { command: 'x' })).toBe('更早的记录：x');
});

test('each message about a problem is used, by its whole key or as the type of a schema', () => {
  const used = new Set(sources().match(/(?<=')(?:problem|error)\.[\w.]+(?=')/g));
  const byKeyword = /^problem\.(?:type|minimum|maximum|exclusiveMinimum|m(?:in|ax)(?:Length|Items)|unit)\b/;
  expect(
    Object.keys(en).filter(
      (key) => /^(?:problem|error)\./.test(key) && !byKeyword.test(key) && !used.has(key),
    ),
  ).toEqual([]);
});

test('the history of an order says what was done or not, not yes or no', () => {
  const said = (locale: 'en' | 'zh', to: unknown) =>
    saidText(staffTranslate(locale), { field: 'restocked', to });
  expect([said('en', true), said('en', false)]).toEqual(['put back into stock', 'not put back into stock']);
  expect([said('zh', true), said('zh', false)]).toEqual(['退回库存', '未退回库存']);
});
