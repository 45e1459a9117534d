import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalOptionPairs, formatOptionPairs, parseOptionPairs } from './option-pairs.ts';

test('pairs are the same whatever their order and the spaces around them', () => {
  expect(canonicalOptionPairs('#Size:Small#Colour:Oat')).toBe('#Colour:Oat#Size:Small');
  expect(canonicalOptionPairs(' #Colour: Oat #Size:Small')).toBe('#Colour:Oat#Size:Small');
  expect(canonicalOptionPairs('')).toBe('');
});

test('a value may hold a colon, a name may not', () => {
  expect(parseOptionPairs('#Ratio:1:2')).toEqual(new Map([['Ratio', '1:2']]));
});

test.each(['Colour:Oat', '#Colour', '#Colour:', '#:Oat', '##', '#Colour:Oat#Colour:Sea', 'x#Colour:Oat', '# :Oat', '#Colour:\0'])(
  '%j is not pairs',
  (text) => {
    expect(canonicalOptionPairs(text)).toBeNull();
  },
);

test('canonical text stays as it is', () => {
  const word = fc.stringMatching(/^[^\s#:][^#:]{0,10}[^\s#:]$/);
  fc.assert(
    fc.property(fc.uniqueArray(fc.tuple(word, word), { selector: ([name]) => name.trim(), maxLength: 4 }), (pairs) => {
      const text = formatOptionPairs(pairs);
      expect(canonicalOptionPairs(text)).toBe(text);
    }),
  );
});

test('no text is an error', () => {
  fc.assert(fc.property(fc.string(), (text) => void canonicalOptionPairs(text)));
});
