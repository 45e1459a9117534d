import { expect, test } from 'vitest';
import { instantAt } from '#server/platform/time-zone.ts';
import { solarTermAt, solarTerms } from './solar-terms.ts';

const beijing = 'Asia/Shanghai';
const at = (date: string, minutes: number, timeZone: string) => instantAt(date, minutes, timeZone) ?? 0;
const lastMinute = 24 * 60 - 1;

// As published calendars of China have them.
test.each([
  ['2024-02-04', 'startOfSpring'],
  ['2024-04-04', 'clearAndBright'],
  ['2024-12-21', 'winterSolstice'],
  ['2025-02-03', 'startOfSpring'],
  ['2025-06-21', 'summerSolstice'],
  ['2025-12-21', 'winterSolstice'],
  ['2026-01-05', 'minorCold'],
  ['2026-04-05', 'clearAndBright'],
  ['2026-11-22', 'minorSnow'],
  ['2026-12-07', 'majorSnow'],
  ['2027-02-04', 'startOfSpring'],
] as const)('the day %s is in China the first of %s', (date, term) => {
  const before = solarTerms[(solarTerms.indexOf(term) + solarTerms.length - 1) % solarTerms.length];
  const midnight = at(date, 0, beijing);
  expect(solarTermAt(midnight - 1, beijing)).toEqual({ term: before, until: midnight });
  expect(solarTermAt(midnight, beijing)?.term).toBe(term);
  expect(solarTermAt(at(date, lastMinute, beijing), beijing)?.term).toBe(term);
});

test('a term begins at midnight of the day on which it falls in the shop’s time zone', () => {
  // 2026-12-07 02:52 UTC
  const toronto = 'America/Toronto';
  const midnight = at('2026-12-06', 0, toronto);
  expect(solarTermAt(midnight - 1, toronto)).toEqual({ term: 'minorSnow', until: midnight });
  expect(solarTermAt(midnight, toronto)?.term).toBe('majorSnow');
});

test('every term has its turn each year, for 13 to 17 days', () => {
  const seen: string[] = [];
  for (let now = Date.UTC(2024, 0, 10); now < Date.UTC(2050, 11, 1); ) {
    const { term, until } = solarTermAt(now, beijing) ?? { term: null, until: now };
    const days = (until - now) / 86_400_000;
    expect(days).toBeGreaterThan(seen.length === 0 ? 1 : 13);
    expect(days).toBeLessThan(17);
    seen.push(String(term));
    now = until;
  }
  expect(seen.length).toBeGreaterThan(26 * 24);
  expect(seen).toEqual(seen.map((_, index) => solarTerms[index % solarTerms.length]));
});

test('years outside the table have no solar terms', () => {
  expect(solarTermAt(Date.UTC(2023, 5, 1), beijing)).toBeNull();
  expect(solarTermAt(Date.UTC(2051, 5, 1), beijing)).toBeNull();
});
