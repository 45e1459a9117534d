import { expect, it } from 'vitest';
import { isDark } from './darkness.ts';

it.each([
  ['#2a211c', true],
  ['#2c4a40', true],
  ['#8a8a75', false],
  ['#f8f4ed', false],
])('the darkness of the colour %s is %s', (color, dark) => {
  expect(isDark(color)).toBe(dark);
});
