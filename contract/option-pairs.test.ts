import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalOptionPairs, formatOptionPairs, parseOptionPairs } from './option-pairs.ts';

test('option pairs are equal whatever their order and the spaces around them', () => {
  expect(canonicalOptionPairs('#Size:Small#Colour:Oat')).toBe('#Colour:Oat#Size:Small');
  expect(canonicalOptionPairs(' #Colour: Oat #Size:Small')).toBe('#Colour:Oat#Size:Small');
  expect(canonicalOptionPairs('')).toBe('');
});

test('the value of an option pair may hold a colon, its name may not', () => {
  expect(parseOptionPairs('#Ratio:1:2')).toEqual(new Map([['Ratio', '1:2']]));
});

test.each([
  'Colour:Oat',
  '#Colour',
  '#Colour:',
  '#:Oat',
  '##',
  '#Colour:Oat#Colour:Sea',
  'x#Colour:Oat',
  '# :Oat',
  '#Colour:\0',
])('the text %j is not a list of option pairs', (text) => {
  expect(canonicalOptionPairs(text)).toBeNull();
});

test('canonical option pairs stay as they are', () => {
  const word = fc.stringMatching(/^[^\s#:][^#:]{0,10}[^\s#:]$/);
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.tuple(word, word), { selector: ([name]) => name.trim(), maxLength: 4 }),
      (pairs) => {
        const text = formatOptionPairs(pairs);
        expect(canonicalOptionPairs(text)).toBe(text);
      },
    ),
  );
});

test('no text makes the parser of option pairs throw', () => {
  fc.assert(fc.property(fc.string(), (text) => void canonicalOptionPairs(text)));
});
