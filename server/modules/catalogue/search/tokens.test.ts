import fc from 'fast-check';
import { expect, test } from 'vitest';
import { editDistance, nearest, trigrams } from './correction.ts';
import { chunks, fold, hasMarks, ideographQuery, indexEntry, skuToken, stem } from './tokens.ts';

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
  expect(nearest('teapit', terms(['teapot', 1], ['teapots', 50]), { unfinished: false })).toBe('teapot');
  expect(nearest('muggs', terms(['mugs', 2], ['muggy', 9]), { unfinished: false })).toBe('muggy');
  expect(nearest('celed', terms(['celadon', 3]), { unfinished: true })).toBe('celadon');
  expect(nearest('zz', terms(['az', 3]), { unfinished: false })).toBeNull();
});

test('letters of a short word, and of one with an accent or an apostrophe, are not replaced', () => {
  const nearestOf = (word: string, marked: boolean, ...terms: string[]) =>
    nearest(
      word,
      terms.map((term) => ({ term, products: 1 })),
      { unfinished: false, marked },
    );
  expect(nearestOf('cafe', true, 'safe', 'cake')).toBeNull();
  expect(nearestOf('dont', false, 'done')).toBeNull();
  expect(nearestOf('mgu', false, 'mug')).toBe('mug');
  expect(nearestOf('porcelane', true, 'porcelain')).toBeNull();
  expect(nearestOf('porcelin', true, 'porcelain')).toBe('porcelain');
  expect(nearestOf('porcelane', false, 'porcelain')).toBe('porcelain');
  expect([hasMarks('café'), hasMarks('don’t'), hasMarks('cafe')]).toEqual([true, true, false]);
});

test('both Chinese scripts are the same word, with the variants of Taiwan and Hong Kong', () => {
  expect(words('茶壺 龍井 鐵觀音 祁門紅茶')).toEqual(['茶壶', '龙井', '铁观音', '祁门红茶']);
  expect(words('裏 裡 啓 啟 麪 麵 峯')).toEqual(words('里 里 启 启 面 面 峰'));
});

test('a SKU is found by each run of two of its parts or more', () => {
  const { tokens } = indexEntry({ names: [], labels: [], details: [], skus: ['MC-CM-01-OAT'] });
  const forms = tokens.flatMap((token) => (token.startsWith('1') ? [token.slice(1)] : []));
  expect(forms.toSorted()).toEqual(['01oat', 'cm01', 'cm01oat', 'mccm01', 'mccm01oat']);
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
