import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Locale, localeCodes, locales } from '#contract/locales.ts';
import { nameKey } from './listing.ts';

const sorted = (locale: Locale, names: readonly string[]) =>
  names.toSorted((a, b) => (nameKey(locale, a) < nameKey(locale, b) ? -1 : 1));

test('names sort as readers of the language expect', () => {
  expect(sorted('en', ['zebra', 'Éclair', 'apple', 'Mug 10', 'Mug 9', 'eclat', '茶'])).toEqual([
    'apple',
    'Éclair',
    'eclat',
    'Mug 9',
    'Mug 10',
    'zebra',
    '茶',
  ]);
  expect(sorted('zh', ['紫砂壶', '茶杯', '青瓷', '阿里山乌龙'])).toEqual([
    '阿里山乌龙',
    '茶杯',
    '青瓷',
    '紫砂壶',
  ]);
});

test('keys sort as the collation of the language, whatever the names are made of', () => {
  const letters = fc.constantFrom(...'aAbzéÖ-&(\u2019 茶杯青瓷碗阿紫2');
  const name = fc
    .array(fc.oneof(letters, fc.nat(300).map(String)), { minLength: 1, maxLength: 8 })
    .map((parts) => parts.join(''));
  fc.assert(
    fc.property(fc.constantFrom(...localeCodes), name, name, (locale, a, b) => {
      const { compare } = new Intl.Collator(locales[locale].tag, { numeric: true, sensitivity: 'base' });
      const [one, other] = [nameKey(locale, a), nameKey(locale, b)];
      if (compare(a, b) !== 0) expect(one < other, `${a} | ${b}`).toBe(compare(a, b) < 0);
    }),
    { numRuns: 2000 },
  );
});

test('any text has a key', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (name) => {
      expect(nameKey('zh', name)).toContain('\u0001');
    }),
  );
});
