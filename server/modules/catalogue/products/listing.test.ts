import { expect, it } from 'vitest';
import { colourFamily } from './listing.ts';

it.each([
  ['#ddd0b8', 'beige'],
  ['#7b9a9b', 'blue'],
  ['#4b4a4a', 'grey'],
  ['#cf9f94', 'pink'],
  ['#e9e4d9', 'white'],
  ['#33503f', 'green'],
  ['#a5b9a0', 'green'],
  ['#3d4c6b', 'blue'],
  ['#171a22', 'black'],
  ['#ffffff', 'white'],
  ['#000000', 'black'],
  ['#b3261e', 'red'],
  ['#6b4a2f', 'brown'],
  ['#d07b35', 'orange'],
  ['#e0b93f', 'yellow'],
  ['#7d4f96', 'purple'],
])('a swatch of %s is %s', (hex, family) => {
  expect(colourFamily(hex)).toBe(family);
});
