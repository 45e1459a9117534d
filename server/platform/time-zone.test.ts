import { describe, expect, it } from 'vitest';
import { instantOf, isInstant } from './time-zone.ts';

const toronto = 'America/Toronto';

describe('a time that a merchant writes', () => {
  it.each([
    ['2026-12-01T09:00-05:00', '2026-12-01T14:00:00.000Z'],
    ['2026-12-01T09:00Z', '2026-12-01T09:00:00.000Z'],
    ['2026-12-01T09:00:30.5+08:00', '2026-12-01T01:00:30.500Z'],
    ['2026-12-01T09:00', '2026-12-01T14:00:00.000Z'],
    ['2026-07-01T09:00', '2026-07-01T13:00:00.000Z'],
    ['2026-07-01', '2026-07-01T04:00:00.000Z'],
    // Clocks skip this time, and repeat the next one.
    ['2026-03-08T02:30', '2026-03-08T07:30:00.000Z'],
    ['2026-11-01T01:30', '2026-11-01T05:30:00.000Z'],
  ])('the time %s in Toronto is the instant %s', (text, instant) => {
    expect(new Date(instantOf(text, toronto)).toISOString()).toBe(instant);
    expect(isInstant(text)).toBe(true);
  });

  it.each([
    '01/12/2026',
    '2026-02-30',
    '2026-02-30T09:00Z',
    '2026-12-01T24:30',
    '2026-12-01T09:00 EST',
    '1764583200000',
    '',
  ])('the text %j is rejected as a time', (text) => {
    expect(() => instantOf(text, toronto)).toThrow(RangeError);
    expect(isInstant(text)).toBe(false);
  });
});
