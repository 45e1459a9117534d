import fc from 'fast-check';
import { expect, test } from 'vitest';
import { editDistance, nearest, trigrams } from './correction.ts';
import { chunks, fold, ideographQuery, indexEntry, skuToken, stem } from './tokens.ts';

const words = (text: string) => chunks(fold(text)).map((chunk) => chunk.text);

test('accents, case, width and apostrophes make no difference', () => {
  expect(words('Pu’er CAFÉ ＡＢＣ')).toEqual(['puer', 'cafe', 'abc']);
});

test('Chinese text is split from the text beside it', () => {
  expect(words('白色的杯子250ml')).toEqual(['白色', '杯子', '250ml']);
  expect(ideographQuery('青瓷壶')).toEqual(['青瓷', '瓷壶']);
  expect(ideographQuery('茶')).toEqual(['茶']);
});

test.each([
  ['mugs', 'mug'],
  ['dishes', 'dish'],
  ['glasses', 'glass'],
  ['glass', 'glass'],
  ['vases', 'vase'],
  ['berries', 'berry'],
  ['teas', 'tea'],
  ['lotus', 'lotus'],
  ['250', '250'],
])('the word %s is stemmed to %s', (word, expected) => {
  expect(stem(word)).toBe(expected);
});

test('a SKU is one token, with and without its hyphens', () => {
  expect(skuToken('KC-MG-01-OAT')).toBe('kcmg01oat');
  expect(skuToken('teapot')).toBeNull();
  expect(skuToken('side-handle')).toBeNull();
});

test('a word of the name is in every rank group, one of the description in the last', () => {
  const { tokens, words: vocabulary } = indexEntry({
    names: ['Speckled Mugs', '马克杯'],
    labels: ['Northbank'],
    details: ['Thrown of clay'],
    skus: ['KC-MG-01-OAT', 'KC-MG-01-SEA'],
  });
  expect(tokens).toEqual(
    expect.arrayContaining([
      '1mug',
      '2mug',
      '3mug',
      '2northbank',
      '3northbank',
      '3clay',
      '1马克',
      '1杯',
      '1kcmg01oat',
      '1kcmg01',
    ]),
  );
  expect(tokens).not.toContain('1northbank');
  expect(tokens).not.toContain('2clay');
  expect(tokens).not.toContain('3of');
  expect(vocabulary.get('mugs')).toBe('mug');
  expect(vocabulary.has('kcmg01')).toBe(false);
});

test('a swap of neighbouring letters is one change', () => {
  expect(editDistance('taepot', 'teapot', 2)).toBe(1);
  expect(editDistance('celedon', 'celadon', 2)).toBe(1);
  expect(editDistance('abcdef', 'uvwxyz', 2)).toBe(3);
});

test('the nearest word wins a correction, then the one that more products have', () => {
  const terms = (...list: [string, number][]) => list.map(([term, products]) => ({ term, products }));
  expect(nearest('teapit', terms(['teapot', 1], ['teapots', 50]), false)).toBe('teapot');
  expect(nearest('mig', terms(['mug', 2], ['mix', 9]), false)).toBe('mix');
  expect(nearest('celed', terms(['celadon', 3]), true)).toBe('celadon');
  expect(nearest('zz', terms(['az', 3]), false)).toBeNull();
});

test('the distance of words is symmetric and zero for the same word, and similar words share trigrams', () => {
  const word = fc.string({ maxLength: 12 });
  fc.assert(
    fc.property(word, word, (a, b) => {
      expect(editDistance(a, a, 2)).toBe(0);
      expect(editDistance(a, b, 20)).toBe(editDistance(b, a, 20));
    }),
  );
  expect(trigrams('mug')).toEqual(['^mu', 'mug', 'ug$', '^m']);
});

test('no text makes the tokenizer throw', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const { tokens } = indexEntry({ names: [text], labels: [], details: [], skus: [text] });
      for (const token of tokens) expect(token).not.toMatch(/[\s"'*()\0\\]/);
    }),
  );
});
