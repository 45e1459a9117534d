import { expect, it } from 'vitest';
import { sealLetters } from './seal-letters.ts';

it.each([
  ['Maple & Clay', ['M', 'C']],
  ['枫土', ['枫', '土']],
  ['枫土茶具商店', ['枫', '土', '茶', '具']],
  ['River', ['R']],
  ['the 3rd cup', ['T', '3']],
  ['', []],
])('the seal of %j has the letters %j', (name, letters) => {
  expect(sealLetters(name)).toEqual(letters);
});
