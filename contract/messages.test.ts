import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { defaultLocale, type Locale, localeCodes, locales } from './locales.ts';

const tables = new Map<Locale, Record<string, string>>();
for (const locale of localeCodes) tables.set(locale, (await locales[locale].load()).default);
const tableOf = (locale: Locale) => tables.get(locale) ?? {};
const original = tableOf(defaultLocale);
const others = localeCodes.filter((locale) => locale !== defaultLocale);

const placeholders = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort();

describe.each(others)('messages in %s', (locale) => {
  const table = tableOf(locale);

  test('the messages have the same keys as in English', () => {
    expect(Object.keys(table).sort()).toEqual(Object.keys(original).sort());
  });

  test('the messages fill in the same values', () => {
    // A language without plural forms may omit the number in "one".
    const differing = Object.keys(original).filter(
      (key) =>
        !key.endsWith('.one') &&
        String(placeholders(table[key] ?? '')) !== String(placeholders(original[key] ?? '')),
    );
    expect(differing).toEqual([]);
  });
});

describe.each(localeCodes)('messages in %s', (locale) => {
  test('the messages are never empty or loosely spaced', () => {
    const loose = (text: string, key: string) =>
      (text !== text.trim() && !key.endsWith('Separator')) || / {2}/.test(text);
    const careless = Object.entries(tableOf(locale)).filter(([key, text]) => text === '' || loose(text, key));
    expect(careless).toEqual([]);
  });

  test('the messages have both forms of every plural', () => {
    const keys = new Set(Object.keys(tableOf(locale)));
    const lonely = [...keys].filter((key) => {
      const [, base, form] = /^(.+)\.(one|other)$/.exec(key) ?? [];
      return base !== undefined && !keys.has(`${base}.${form === 'one' ? 'other' : 'one'}`);
    });
    expect(lonely).toEqual([]);
  });

  test('the messages are sorted, so that two additions rarely collide', () => {
    const source = readFileSync(new URL(`./messages/${locale}.json`, import.meta.url), 'utf8');
    const keys = Object.keys(JSON.parse(source) as object);
    expect(keys).toEqual([...keys].sort());
  });
});
