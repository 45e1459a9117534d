import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { wallClock } from '#server/platform/time-zone.ts';
import { deliveryDates } from './shipping.ts';

const standard = { minBusinessDays: 3, maxBusinessDays: 7 };
const weekdayOf = (day: string) => new Date(`${day}T00:00:00Z`).getUTCDay();

describe('the dates of a delivery', () => {
  it('a parcel is packed on the next business day and takes business days to arrive', () => {
    // Wednesday; packed on Thursday 26, then 3 and 7 business days.
    expect(deliveryDates(standard, '2026-11-25', { packingDays: 1, holidays: [] })).toEqual({
      earliest: '2026-12-01',
      latest: '2026-12-07',
    });
  });

  it('weekends and holidays are left out', () => {
    const christmas = { packingDays: 1, holidays: ['2026-12-25', '2026-12-28'] };
    // Thursday; packed on Tuesday 29.
    expect(deliveryDates({ minBusinessDays: 1, maxBusinessDays: 2 }, '2026-12-24', christmas)).toEqual({
      earliest: '2026-12-30',
      latest: '2026-12-31',
    });
  });

  it('every date is a business day after today, in order, whatever the clocks do that night', () => {
    const zones = fc.constantFrom(
      'America/Toronto',
      'America/St_Johns',
      'Asia/Shanghai',
      'Europe/London',
      'Pacific/Auckland',
    );
    const at = fc.integer({ min: Date.UTC(2025, 0, 1), max: Date.UTC(2028, 0, 1) });
    const days = fc.integer({ min: 0, max: 12 });
    fc.assert(
      fc.property(at, zones, days, days, days, fc.boolean(), (now, zone, packingDays, min, more, closed) => {
        const today = wallClock(now, zone).date;
        const method = { minBusinessDays: min, maxBusinessDays: min + more };
        const plain = deliveryDates(method, today, { packingDays, holidays: [] });
        const holidays = closed ? [plain.earliest] : [];
        const { earliest, latest } = deliveryDates(method, today, { packingDays, holidays });
        expect(earliest >= today && latest >= earliest).toBe(true);
        for (const day of [earliest, latest]) {
          if (day === today) continue;
          expect([0, 6]).not.toContain(weekdayOf(day));
          expect(holidays).not.toContain(day);
        }
        // A day later never arrives earlier.
        const tomorrow = wallClock(now + 86_400_000, zone).date;
        expect(deliveryDates(method, tomorrow, { packingDays, holidays }).earliest >= earliest).toBe(true);
      }),
    );
  });
});
