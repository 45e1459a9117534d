import fc from 'fast-check';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { type Locale, localeCodes } from '#contract/locales.ts';
import { I18nProvider } from '#ui/i18n.tsx';
import { loadI18n } from '#web/i18n/messages.ts';
import { outlines } from '../shared/schemas.ts';
import { outlinePaths, SizeDrawing, toScale } from './size-drawing.tsx';

/** The width of a text of 13 px, a little more than it takes in the shop's fonts. */
const widthOf = (text: string) => [...text].reduce((sum, letter) => sum + letterWidth(letter), 0);
const letterWidth = (letter: string) =>
  /\p{Script=Han}/u.test(letter) ? 13 : /[. ]/.test(letter) ? 5 : /\d/.test(letter) ? 6.5 : 9;

test.each(localeCodes)(
  'the drawing of a size has room for the measure of the height (%s)',
  async (locale: Locale) => {
    const i18n = await loadI18n(locale);
    const size = { outline: 'lamp', widthCm: 40, heightCm: 23.5, reference: null } as const;
    const html = renderToStaticMarkup(
      <I18nProvider i18n={i18n}>
        <SizeDrawing name="Lamp" size={size} />
      </I18nProvider>,
    );
    const [, end = '', text = ''] = /<text x="([\d.]+)"[^>]*text-anchor="end">([^<]+)</.exec(html) ?? [];
    expect(text).toContain('23.5');
    expect(Number(end) - widthOf(text)).toBeGreaterThanOrEqual(0);
  },
);

const room = { width: 254, height: 152, gap: 28 };
const centimetres = fc.double({ min: 0.1, max: 500, noNaN: true });
const things = fc.array(fc.record({ widthCm: centimetres, heightCm: centimetres }), {
  minLength: 1,
  maxLength: 4,
});

test('things of any measures fit the room of a scale drawing, in order and without overlap', () => {
  fc.assert(
    fc.property(things, (row) => {
      let end = -1e-6;
      for (const { x, width, height } of toScale(row, room)) {
        expect(x).toBeGreaterThanOrEqual(end);
        expect(height).toBeLessThanOrEqual(room.height + 1e-6);
        end = x + width + room.gap - 1e-6;
      }
      expect(end - room.gap).toBeLessThanOrEqual(room.width);
    }),
  );
});

test('all things of a scale drawing have the same scale in both directions', () => {
  fc.assert(
    fc.property(things, (row) => {
      const scales = toScale(row, room).flatMap(({ width, height }, index) => [
        width / (row[index]?.widthCm ?? 0),
        height / (row[index]?.heightCm ?? 0),
      ]);
      for (const scale of scales) expect(scale / (scales[0] ?? 0)).toBeCloseTo(1, 6);
    }),
  );
});

test.each(outlines)('the outline %s fills its box from edge to edge', (outline) => {
  const { x, y } = extentOf(outlinePaths[outline]);
  for (const [least, most] of [x, y]) {
    expect(Math.abs(least ?? NaN)).toBeLessThan(2);
    expect(Math.abs((most ?? NaN) - 100)).toBeLessThan(2);
  }
});

type Point = [number, number];

/** The least and greatest coordinates of a path of M, H, V, L, C, S, Q and Z, sampled along its curves. */
function extentOf(path: string): { x: number[]; y: number[] } {
  const points: Point[] = [];
  let at: Point = [0, 0];
  let lastControl: Point = at;
  for (const [, command = '', rest = ''] of path.matchAll(/([MHVLCSQZ])([^MHVLCSQZ]*)/g)) {
    const numbers = (rest.match(/-?\d+(\.\d+)?/g) ?? []).map(Number);
    const pairs = Array.from(
      { length: Math.floor(numbers.length / 2) },
      (_, index): Point => [numbers[2 * index] ?? 0, numbers[2 * index + 1] ?? 0],
    );
    const [, fromY] = at;
    const [fromX] = at;
    const straight = {
      H: numbers.map((x): Point => [x, fromY]),
      V: numbers.map((y): Point => [fromX, y]),
      M: pairs,
      L: pairs,
    }[command];
    if (straight) {
      points.push(...straight);
      at = straight.at(-1) ?? at;
    } else {
      const taken = { C: 3, S: 2, Q: 2 }[command] ?? 1;
      for (let start = 0; start + taken <= pairs.length; start += taken) {
        const given = pairs.slice(start, start + taken);
        const mirrored: Point = [2 * at[0] - lastControl[0], 2 * at[1] - lastControl[1]];
        const curve = [at, ...(command === 'S' ? [mirrored] : []), ...given];
        for (let step = 1; step <= 50; step += 1) points.push(pointOf(curve, step / 50));
        lastControl = given.at(-2) ?? at;
        at = given.at(-1) ?? at;
      }
    }
  }
  const range = (index: 0 | 1) => [
    Math.min(...points.map((p) => p[index])),
    Math.max(...points.map((p) => p[index])),
  ];
  return { x: range(0), y: range(1) };
}

/** A point of a Bézier curve, by de Casteljau. */
function pointOf(curve: readonly Point[], t: number): Point {
  if (curve.length === 1) return [curve[0]?.[0] ?? 0, curve[0]?.[1] ?? 0];
  const next = curve.slice(1).map(([x, y], index): Point => {
    const [px = 0, py = 0] = curve[index] ?? [];
    return [px + (x - px) * t, py + (y - py) * t];
  });
  return pointOf(next, t);
}
