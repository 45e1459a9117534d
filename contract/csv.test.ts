import fc from 'fast-check';
import { expect, test } from 'vitest';
import { guarded, guardedCode, unguarded } from './csv.ts';

const beginning = fc.constantFrom(
  '',
  "'",
  "''",
  '=',
  '+',
  '-',
  '@',
  '\t',
  '\r',
  '＝',
  "'=",
  '00',
  "'0",
  '3.65275E+11',
);
const texts = fc.tuple(beginning, fc.string({ unit: 'grapheme' })).map(([first, rest]) => first + rest);

test('a text that goes out to a spreadsheet begins no formula, and comes back equal', () => {
  fc.assert(
    fc.property(texts, (text) => {
      for (const out of [guarded(text), guardedCode(text)]) {
        expect(out).not.toMatch(/^[=+\-@\t\r＝＋－＠]/u);
        expect(unguarded(out)).toBe(text);
      }
    }),
    { numRuns: 2000 },
  );
});

test('the apostrophe that other shops write before codes is taken off, and one of a text is kept', () => {
  const out = ["'030955168517", "'+49 30 1234", "'90s jacket", "'s-Hertogenbosch", "'K1A 0B1"].map(unguarded);
  expect(out).toEqual(['030955168517', '+49 30 1234', "'90s jacket", "'s-Hertogenbosch", "'K1A 0B1"]);
});
