/** Zones of delivery: what is a polygon, what lies in it, and what is refused. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DeliveryZone, Point } from '#contract/schemas/store.ts';
import { isInside, isSimple, zoneOf, zoneProblems } from './store.ts';

const points = (...pairs: [lng: number, lat: number][]): Point[] => pairs.map(([lng, lat]) => ({ lat, lng }));
const square = points([0, 0], [4, 0], [4, 4], [0, 4]);
const zone = (change: Partial<DeliveryZone> = {}): DeliveryZone => ({
  id: 'core',
  name: { en: 'Core' },
  polygon: square,
  postalCodes: ['M6J', 'M5V 2'],
  feeCents: 500,
  minimumCents: 0,
  freeFromCents: null,
  minutes: 40,
  ...change,
});

describe('a polygon', () => {
  it.each([
    ['a square', square, true],
    ['a notched shape', points([0, 0], [4, 0], [4, 4], [2, 1], [0, 4]), true],
    ['a side of three corners in line', points([0, 0], [2, 0], [4, 0], [4, 4]), true],
    ['a bow tie', points([0, 0], [4, 4], [4, 0], [0, 4]), false],
    ['a corner twice', points([0, 0], [4, 0], [4, 0], [4, 4]), false],
    ['the first corner again at the end', [...square, { lat: 0, lng: 0 }], false],
    ['an edge that runs back', points([0, 0], [4, 0], [2, 0]), false],
    ['a corner that touches another side', points([0, 0], [4, 0], [4, 4], [2, 0], [0, 4]), false],
  ] as const)('%s is told from a shape that crosses itself', (_, polygon, simple) => {
    expect(isSimple(polygon)).toBe(simple);
  });

  it('a polygon around a centre is simple and holds its centre and nothing beyond its corners', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.integer({ min: 0, max: 359 }), { minLength: 8, maxLength: 60 }),
        fc.nat(89),
        (angles, turn) => {
          // Corners in every quarter, so that the centre is inside.
          const all = [...new Set([...angles, turn, turn + 90, turn + 180, turn + 270])].sort(
            (a, b) => a - b,
          );
          const polygon = all.map((angle) => ({
            lat: Math.sin((angle * Math.PI) / 180),
            lng: Math.cos((angle * Math.PI) / 180),
          }));
          expect(isSimple(polygon)).toBe(true);
          expect(isInside({ lat: 0.001, lng: 0.002 }, polygon)).toBe(true);
          expect(isInside({ lat: 0.5, lng: 1.01 }, polygon)).toBe(false);
          expect(isInside({ lat: 0.5, lng: -1.01 }, polygon)).toBe(false);
        },
      ),
    );
  });
});

describe('an address', () => {
  const second = zone({ id: 'second', postalCodes: ['M'] });
  it('an address lies in the first zone whose polygon holds its point, whatever its postal code', () => {
    expect(zoneOf([zone(), second], 'X0X 0X0', { lat: 1, lng: 1 })?.id).toBe('core');
    expect(zoneOf([zone(), second], 'M6J 1K2', { lat: 9, lng: 1 })).toBeNull();
  });
  it('an address whose point is unknown lies in the first zone with the beginning of its postal code', () => {
    expect(zoneOf([zone(), second], 'm6j1k2', null)?.id).toBe('core');
    expect(zoneOf([zone(), second], 'M5V-2B4', null)?.id).toBe('core');
    expect(zoneOf([zone(), second], 'M5V 3B4', null)?.id).toBe('second');
    expect(zoneOf([zone()], 'K1A 0B1', null)).toBeNull();
    expect(zoneOf([zone({ postalCodes: [] })], 'M6J 1K2', null)).toBeNull();
  });
});

it('ids that repeat or are too long, and polygons that cross themselves, are named with their place', () => {
  expect(zoneProblems('west', [zone(), zone({ id: 'b' })])).toEqual([]);
  const crossed = zone({ polygon: points([0, 0], [4, 4], [4, 0], [0, 4]) });
  const problems = zoneProblems('west', [zone(), crossed, zone({ id: 'x'.repeat(97) })]);
  expect(problems.map(({ path, key }) => [path.join('/'), key])).toEqual([
    ['deliveryZones', 'problem.repeatedEntry'],
    ['deliveryZones/1/polygon', 'problem.zone.polygon'],
    ['deliveryZones/2/id', 'problem.zone.id'],
  ]);
});
