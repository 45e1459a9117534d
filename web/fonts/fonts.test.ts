import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { axesOf, readTables, variationCoordinates } from '#tests/woff2.ts';

const files = readdirSync(import.meta.dirname).filter((name) => name.endsWith('.woff2'));
const sheet = readFileSync(join(import.meta.dirname, '../styles/fonts.css'), 'utf8');
const faces = [...sheet.matchAll(/url\("(\S+\.woff2)"\)[\s\S]*?font-weight: (\d+) (\d+);/g)];

describe.each(files)('the font %s', (name) => {
  const tables = readTables(join(import.meta.dirname, name));

  test('every coordinate of its variations lies within −1 and 1, without which Firefox drops its weights', () => {
    const coordinates = variationCoordinates(tables);
    expect(coordinates.some((value) => value !== 0)).toBe(true);
    expect(coordinates.filter((value) => Math.abs(value) > 1)).toEqual([]);
  });

  test('it has every weight that the style sheet promises', () => {
    const weight = axesOf(tables).find(({ tag }) => tag === 'wght');
    const promised = faces.filter(([, url = '']) => basename(url) === name);
    expect(promised.length).toBeGreaterThan(0);
    for (const [, , lightest, boldest] of promised) {
      expect(weight?.min).toBeLessThanOrEqual(Number(lightest));
      expect(weight?.max).toBeGreaterThanOrEqual(Number(boldest));
    }
  });
});
