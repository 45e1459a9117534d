/** What is stored of orders and customers is found by it. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { orderWords, personWords, queryWords } from './order-words.ts';

/** Whether a search finds it: each word of the query begins one that is stored. */
const finds = (words: readonly string[], text: string) => {
  const wanted = queryWords(text);
  return wanted.length > 0 && wanted.every((word) => words.some((each) => each.startsWith(word)));
};
/** Whether it is found even where other orders have words that the query names as a whole. */
const findsWhole = (words: readonly string[], text: string) => {
  const wanted = queryWords(text);
  return wanted.length > 0 && wanted.every((word) => words.includes(word));
};

const letters = [
  'a',
  'n',
  'E',
  'é',
  'ß',
  'Ø',
  'İ',
  'ø',
  'Σ',
  'σ',
  'я',
  'Ж',
  'ي',
  '김',
  '민',
  '李',
  '明',
  '々',
  'か',
  '3',
  '０',
  'ﬁ',
];
const between = ['-', '–', '·', "'", '’', '´', '`', '.', ',', ' ', '\u3000', '/', '+', '(', '&', '@', '#'];
const word = fc.array(fc.constantFrom(...letters), { minLength: 1, maxLength: 9 }).map((all) => all.join(''));
/** Words, and what stands between and around them. */
const text = fc
  .array(fc.tuple(word, fc.array(fc.constantFrom(...between), { minLength: 1, maxLength: 2 })), {
    minLength: 1,
    maxLength: 5,
  })
  .map((all) => all.flatMap(([each, signs]) => [each, signs.join('')]).join(''));
const digits = (least: number, most: number) =>
  fc.array(fc.integer({ min: 0, max: 9 }), { minLength: least, maxLength: most }).map((all) => all.join(''));
const number = fc
  .tuple(fc.oneof(digits(0, 8), fc.constantFrom('SW', 'A1', 'MC')), fc.constantFrom('', '2026'), digits(6, 8))
  .map((all) => all.filter((each) => each !== '').join('-'));
const phone = fc
  .array(digits(1, 5), { minLength: 1, maxLength: 5 })
  .chain((groups) => fc.constantFrom(' ', '-', '.', ') ', '').map((sign) => `+${groups.join(sign)}`));

const withoutSigns = (written: string) => written.replaceAll(/[^\p{L}\p{N}\s]/gu, '');
const beginnings = (written: string) =>
  written
    .split(/[^\p{L}\p{N}]+/u)
    .filter((each) => each !== '')
    .flatMap((each) => [...each].map((_, end) => [...each].slice(0, end + 1).join('')));

function expectFound(words: readonly string[], written: string): void {
  expect(findsWhole(words, written)).toBe(true);
  expect(findsWhole(words, withoutSigns(written))).toBe(true);
  for (const beginning of beginnings(written))
    expect([beginning, finds(words, beginning)]).toEqual([beginning, true]);
}

describe('the words of orders and customers', () => {
  it.each([
    ['Jean-Luc', 'jean-luc', 'jean luc', 'jeanluc', 'luc', 'jean', 'jean-l'],
    ['Anne-Marie', 'anne-marie', 'Anne‑Marie', 'marie'],
    ['O’Brien', 'O’Brien', "o'brien", 'obrien', 'O´Brien', 'brien', 'o’br'],
    ['Ø. Ångström', 'angstrom', 'ø.'],
    ['王小明', '王小明', '小明', '王'],
  ])('the name %s is found by all ways to write it', (firstName, ...queries) => {
    for (const query of queries)
      expect([query, finds(personWords({ firstName }), query)]).toEqual([query, true]);
  });

  it.each([
    ['2026-000234', '2026-000234', '2026000234', '000234', '234', '2026-0002'],
    ['123-2026-000234', '123-2026-000234', '1232026000234', '123-2026-0002', '2026-000234', '234'],
    ['SW-2026-000234', 'sw-2026-000234', 'SW2026000234', '2026-000234', '000234', '234'],
    ['#1001', '#1001', '1001'],
  ])('the order %s is found by all ways to write its number', (orderNumber, ...queries) => {
    const words = orderWords({ number: orderNumber, people: [] });
    for (const query of queries) expect([query, finds(words, query)]).toEqual([query, true]);
  });

  it('a phone number is found with and without its country, and by its last digits', () => {
    for (const stored of ['+1 (519) 555-0104', '519.555.0104', '５１９５５５０１０４'])
      for (const query of [
        '+1 519-555-0104',
        '+15195550104',
        '15195550104',
        '(519) 555-0104',
        '5550104',
        '0104',
      ]) {
        if (query.startsWith('+1 ') && !stored.startsWith('+')) continue;
        expect([stored, query, finds(personWords({ phoneNumber: stored }), query)]).toEqual([
          stored,
          query,
          true,
        ]);
      }
  });

  it('an email address is found as it is written, by its beginning, and by the words of its name', () => {
    const words = personWords({ email: 'Anne.Smith@example.com' });
    for (const query of ['anne.smith@example.com', 'anne.smith@', 'anne.sm', 'smith'])
      expect(finds(words, query)).toBe(true);
    for (const query of ['annesmith@example.com', 'example', 'com']) expect(finds(words, query)).toBe(false);
  });

  it('a table is found by its sign alone', () => {
    const words = orderWords({ number: null, people: [], table: '12' });
    expect(finds(words, '#12')).toBe(true);
    expect(finds(words, '12')).toBe(false);
  });

  it('a stored name is found as it is written, without its punctuation, and by the beginnings of its words', () => {
    fc.assert(
      fc.property(text, text, (firstName, lastName) => {
        const words = personWords({ firstName, lastName });
        for (const name of [firstName, lastName]) expectFound(words, name);
      }),
      { numRuns: 300 },
    );
  });

  it('the number of an order is found as it is written, without its punctuation, and by its beginnings', () => {
    fc.assert(
      fc.property(number, (each) => {
        const words = orderWords({ number: each, people: [] });
        expectFound(words, each);
        for (const beginning of beginnings(withoutSigns(each))) expect(finds(words, beginning)).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  it('a stored phone number is found as it is written, and without its punctuation', () => {
    fc.assert(
      fc.property(phone, (each) => {
        expectFound(personWords({ phoneNumber: each }), each);
      }),
      { numRuns: 300 },
    );
  });

  it('SKUs and notes are found as they are written', () => {
    fc.assert(
      fc.property(text, text, (sku, note) => {
        const words = orderWords({
          number: null,
          people: [],
          lines: [{ sku: sku.replaceAll(/\s/g, ''), note: '' }],
          comment: '',
        });
        expect(findsWhole(words, sku.replaceAll(/\s/g, ''))).toBe(true);
        const [first = ''] = note.split(/\s/);
        const noted = orderWords({ number: null, people: [], comment: note });
        if (queryWords(first).length > 0) expect(findsWhole(noted, first)).toBe(true);
      }),
      { numRuns: 200 },
    );
  });
});
