import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { staffTranslate } from '#contract/staff/messages.ts';
import { instantAt, wallClock } from '#server/platform/time-zone.ts';
import { checkoutMinutes, type SlotStore, slotsOn, unavailableReason } from './pickup.service.ts';

const day = { open: '10:00', close: '19:00' };
const store: SlotStore = {
  timeZone: 'America/Toronto',
  openingHours: {
    monday: null,
    tuesday: day,
    wednesday: day,
    thursday: day,
    friday: day,
    saturday: day,
    sunday: { open: '00:00', close: '24:00' },
  },
  specialHours: [
    { date: '2026-11-24', hours: null },
    { date: '2026-11-25', hours: { open: '12:00', close: '02:00' } },
  ],
  pickupLeadMinutes: 90,
  pickupSlotCapacity: 2,
};
/** Friday 2026-11-20, 12:02 in Toronto. */
const now = Date.UTC(2026, 10, 20, 17, 2);
const at = (date: string, hour: number, minute = 0) => {
  const moment = instantAt(date, hour * 60 + minute, store.timeZone);
  if (moment === null) throw new Error('No such time');
  return moment;
};
const why = (date: string, hour: number, minute = 0, taken = 0) =>
  unavailableReason(store, at(date, hour, minute), taken, now);

describe('pickup slots', () => {
  it('a pickup slot is available while the store is open, from the lead time on', () => {
    expect(why('2026-11-20', 13, 35)).toBeNull();
    expect(why('2026-11-20', 18, 55)).toBeNull();
    expect(why('2026-11-21', 10)).toBeNull();
  });
  it('an unavailable pickup slot has a reason', () => {
    expect(why('2026-11-20', 19)).toBe('closed');
    expect(why('2026-11-21', 9, 55)).toBe('closed');
    expect(why('2026-11-23', 12)).toBe('closed');
    expect(why('2026-11-20', 12)).toBe('past');
    expect(why('2026-11-20', 13, 30)).toBe('tooSoon');
    expect(why('2026-11-21', 10, 0, 2)).toBe('full');
    expect(why('2026-11-21', 10, 0, 1)).toBeNull();
    expect(why('2027-02-20', 12)).toBe('tooFar');
    expect(unavailableReason(store, at('2026-11-21', 10) + 60_000, 0, now)).toBe('closed');
  });
  it('a pickup slot is available in the hours of its date, which may close on the next day, and none on a closed date', () => {
    expect(why('2026-11-24', 12)).toBe('closed');
    expect(why('2026-11-25', 11, 55)).toBe('closed');
    expect(why('2026-11-25', 23, 55)).toBeNull();
    expect(why('2026-11-26', 1, 55)).toBeNull();
    expect(why('2026-11-26', 2)).toBe('closed');
  });
});

it('the office says how much later than an order needs times are offered', () => {
  for (const locale of ['en', 'zh'] as const)
    expect(staffTranslate(locale)('office.store.leadHint')).toMatch(new RegExp(`\\b${checkoutMinutes}\\b`));
});

describe('pickup slots of a day', () => {
  const hours = (date: string) =>
    slotsOn(store, date, () => null).map(({ hour, minute }) => `${hour}:${minute}`);
  it('a day has a pickup slot every five minutes from 0:00 to 23:55', () => {
    expect(hours('2026-11-21')).toHaveLength(288);
    expect(hours('2026-11-21').slice(0, 2)).toEqual(['0:0', '0:5']);
    expect(hours('2026-11-21').at(-1)).toBe('23:55');
  });
  it('a day leaves out the hour that summer time skips, and names the doubled one once', () => {
    expect(hours('2026-03-08')).toHaveLength(276);
    expect(hours('2026-03-08').slice(23, 26)).toEqual(['1:55', '3:0', '3:5']);
    expect(hours('2026-11-01')).toHaveLength(288);
    const moments = slotsOn(store, '2026-11-01', () => null).map((slot) => slot.at);
    expect(moments.toSorted((a, b) => a - b)).toEqual(moments);
  });
  it('a pickup slot with all its places taken is full', () => {
    const full = at('2026-11-21', 11);
    const reasons = slotsOn(store, '2026-11-21', (moment) =>
      unavailableReason(store, moment, moment === full ? 2 : 0, now),
    );
    expect(reasons.filter(({ reason }) => reason === 'full').map((slot) => slot.at)).toEqual([full]);
  });
});

describe('store clocks', () => {
  it.each(['America/Toronto', 'America/St_Johns', 'Asia/Shanghai', 'Australia/Lord_Howe', 'UTC'])(
    'the clock of %s converts there and back',
    (zone) => {
      fc.assert(
        fc.property(fc.integer({ min: Date.UTC(2020, 0, 1), max: Date.UTC(2035, 0, 1) }), (moment) => {
          const minute = Math.floor(moment / 60_000) * 60_000;
          const { date, minutes } = wallClock(minute, zone);
          const back = instantAt(date, minutes, zone);
          expect(back).not.toBeNull();
          expect(wallClock(back ?? 0, zone)).toEqual(wallClock(minute, zone));
          expect(back).toBeLessThanOrEqual(minute);
        }),
      );
    },
  );
});
