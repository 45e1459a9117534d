import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { isDark, pageSizes, pageWidths } from './picture.tsx';

it('an image that fills the page is as wide as the page of the brand, in wide windows and in huge ones', () => {
  const tokens = readFileSync(new URL('../styles/tokens.css', import.meta.url), 'utf8');
  const widths = [...tokens.matchAll(/--container-page: (\d+)rem/g)].map(([, rem]) => Number(rem) * 16);
  expect(widths).toEqual(pageWidths.map(({ px }) => px).toReversed());
  expect(tokens).toContain(`--breakpoint-huge: ${pageWidths[0].from}rem`);
  expect(pageSizes(1, '92vw')).toBe('(min-width: 110rem) 1568px, (min-width: 88rem) 1312px, 92vw');
});

it('the images of a product are as wide as their column, in words that need no script', () => {
  const gallery = readFileSync(new URL('../features/product/gallery.tsx', import.meta.url), 'utf8');
  expect(gallery).toContain(`'${pageSizes(0.56, '(min-width: 48rem) 52vw, 100vw')}'`);
});

it.each([
  ['#2a211c', true],
  ['#2c4a40', true],
  ['#8a8a75', false],
  ['#f8f4ed', false],
])('the darkness of the colour %s is %s', (color, dark) => {
  expect(isDark(color)).toBe(dark);
});
