import { expect, test } from 'vitest';
import { placed } from './store-pins.tsx';

const toronto = { id: 'toronto', name: 'Toronto', lat: 43.65, lng: -79.4 };
const ottawa = { id: 'ottawa', name: 'Ottawa', lat: 45.43, lng: -75.69 };
const waterloo = { id: 'waterloo', name: 'Waterloo', lat: 43.47, lng: -80.52 };

test('stores are drawn to scale with north up and fill the drawing', () => {
  const [inToronto, inOttawa, inWaterloo] = placed([toronto, ottawa, waterloo]);
  expect([inOttawa?.y, inWaterloo?.y]).toEqual([30, 190]);
  expect(inWaterloo?.x).toBeLessThan(inOttawa?.x ?? 0);
  expect(inOttawa?.y).toBeLessThan(inToronto?.y ?? 0);
  expect(inToronto?.y).toBeLessThan(inWaterloo?.y ?? 0);
  // A degree of latitude at 44° is as long as 1.39 degrees of longitude.
  const ratio = ((inWaterloo?.y ?? 0) - (inOttawa?.y ?? 0)) / ((inOttawa?.x ?? 0) - (inWaterloo?.x ?? 0));
  expect(ratio).toBeCloseTo((1.96 * 1.4) / 4.83, 1);
});

test.each([[[toronto]], [[toronto, { ...toronto, id: 'next' }]]])(
  'stores in one place are in the middle of the drawing',
  (stores) => {
    for (const { x, y } of placed(stores)) expect([x, y]).toEqual([200, 110]);
  },
);

test('the name of a store stands under its pin if the pin of another is where it would be', () => {
  const markham = { id: 'markham', name: 'Markham', lat: 43.87, lng: -79.31 };
  const labels = placed([toronto, markham, ottawa, waterloo]).map(({ x, y, label }) => [
    label.x - x,
    label.y - y,
    label.textAnchor,
  ]);
  expect(labels).toEqual([
    [12, 5, 'start'],
    [12, 5, 'start'],
    [-12, 5, 'end'],
    [-6, 22, 'start'],
  ]);
});
