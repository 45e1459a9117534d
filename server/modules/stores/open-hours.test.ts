import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { weekdays } from '#contract/limits.ts';
import { addDays, type hoursOn, minutesOf, spanAt, spansOf } from '#contract/rules/opening-hours.ts';
import { dayMs, instantAt, wallClock } from '#server/platform/time-zone.ts';
import { closingAfter, nextDaysOpening, type OpenStore } from './open-hours.ts';

const hourMs = 60 * 60_000;
const stepMs = 15 * 60_000;
const day = { open: '10:00', close: '18:00' };
const never: OpenStore['openingHours'] = {
  monday: null,
  tuesday: null,
  wednesday: null,
  thursday: null,
  friday: null,
  saturday: null,
  sunday: null,
};
const workdays = { ...never, tuesday: day, wednesday: day, thursday: day, friday: day, saturday: day };
const toronto: OpenStore = { timeZone: 'America/Toronto', openingHours: workdays, specialHours: [] };

/** A moment by the store's clock, such as '2026-11-21 20:00'. */
function at(when: string, { timeZone }: OpenStore = toronto): number {
  const [date = '', time = ''] = when.split(' ');
  const moment = instantAt(date, minutesOf(time), timeZone);
  if (moment === null) throw new Error(`Clocks skip ${when}`);
  return moment;
}

/** The closing time after `hours` from `when`, by the store's clock. */
function closing(store: OpenStore, when: string, hours: number): string {
  const { date, minutes } = wallClock(closingAfter(store, at(when, store), hours), store.timeZone);
  return `${date} ${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
}

describe('the closing time after a number of opening hours', () => {
  it('a reservation of Saturday night at a store that is closed on Sunday and Monday lasts until Tuesday closes', () => {
    expect(closing(toronto, '2026-11-21 20:00', 8)).toBe('2026-11-24 18:00');
    expect(closing(toronto, '2026-11-21 20:00', 24)).toBe('2026-11-26 18:00');
  });

  it('opening hours that have begun count from the reservation on, and the last day counts to its end', () => {
    expect(closing(toronto, '2026-11-20 16:00', 2)).toBe('2026-11-20 18:00');
    expect(closing(toronto, '2026-11-20 16:00', 3)).toBe('2026-11-21 18:00');
    expect(closing(toronto, '2026-11-20 16:00', 11)).toBe('2026-11-24 18:00');
  });

  it('closed dates and special hours count instead of those of the week', () => {
    const specialHours = [
      { date: '2026-12-24', hours: { open: '10:00', close: '14:00' } },
      { date: '2026-12-25', hours: null },
      { date: '2026-12-26', hours: null },
      { date: '2026-12-27', hours: { open: '12:00', close: '20:00' } },
    ];
    expect(closing({ ...toronto, specialHours }, '2026-12-23 17:00', 6)).toBe('2026-12-27 20:00');
    expect(closing(toronto, '2026-12-23 17:00', 6)).toBe('2026-12-24 18:00');
  });

  it('hours that close after midnight belong to one evening', () => {
    const bar = { ...toronto, openingHours: { ...never, friday: { open: '18:00', close: '02:00' } } };
    expect(closing(bar, '2026-11-21 01:00', 1)).toBe('2026-11-21 02:00');
    expect(closing(bar, '2026-11-20 23:00', 4)).toBe('2026-11-28 02:00');
  });

  it('a store that never closes has no closing time, so the promise ends to the minute', () => {
    const always = Object.fromEntries(weekdays.map((name) => [name, { open: '00:00', close: '24:00' }]));
    const store = { ...toronto, openingHours: always as OpenStore['openingHours'] };
    expect(closing(store, '2026-11-20 23:10', 24)).toBe('2026-11-21 23:10');
    // Clocks go back during these 24 hours.
    expect(closing(store, '2026-10-31 23:10', 24)).toBe('2026-11-01 22:10');
  });

  it('a store that never opens falls back to hours of any clock, as does one whose hours are no times', () => {
    const from = at('2026-11-21 20:00');
    expect(closingAfter({ ...toronto, openingHours: never }, from, 24)).toBe(from + 24 * hourMs);
    expect(
      closingAfter({ ...toronto, openingHours: { ...never, monday: { open: 'ten', close: '' } } }, from, 24),
    ).toBe(from + 24 * hourMs);
  });

  it('a store that opens for the last time before the promise is kept falls back to the later of its closing and the hours', () => {
    const last = (date: string) => ({
      ...toronto,
      openingHours: never,
      specialHours: [{ date, hours: day }],
    });
    const from = at('2026-11-21 20:00');
    expect(closing(last('2026-11-28'), '2026-11-21 20:00', 24)).toBe('2026-11-28 18:00');
    expect(closingAfter(last('2026-11-22'), from, 24)).toBe(from + 24 * hourMs);
  });
});

const zones = [
  'America/Toronto',
  'America/St_Johns',
  'Europe/London',
  'Asia/Shanghai',
  'Australia/Lord_Howe',
  'America/Santiago',
];
/** Near the changes of clocks of 2026 in these zones, and in between. */
const days = [
  '2026-03-08',
  '2026-03-29',
  '2026-04-05',
  '2026-09-06',
  '2026-10-04',
  '2026-10-25',
  '2026-11-01',
  '2026-12-24',
];
const clockText = (quarters: number) =>
  `${String(Math.floor(quarters / 4)).padStart(2, '0')}:${String((quarters % 4) * 15).padStart(2, '0')}`;
// Not between 23:00 and 4:00, where a time can occur twice or not at all; hours may span it.
const time = fc.integer({ min: 16, max: 91 }).map(clockText);
const plainHours = fc.record({ open: time, close: fc.oneof(time, fc.constant('24:00')) });
/** With up to two breaks. */
const hours = fc.option(
  fc
    .tuple(
      plainHours,
      fc.uniqueArray(fc.integer({ min: 1, max: 95 }), { minLength: 4, maxLength: 4 }),
      fc.nat(2),
    )
    .map(([day, quarters, count]): NonNullable<ReturnType<typeof hoursOn>> => {
      const start = minutesOf(day.open);
      const length = (minutesOf(day.close) - start + 24 * 60) % (24 * 60) || 24 * 60;
      const isDay = (quarter: number) => quarter >= 16 && quarter <= 91;
      const inside = quarters
        .map((each) => each * 15)
        .filter((after) => after < length && isDay(((start + after) / 15) % 96));
      const [from1, until1, from2, until2] = inside
        .toSorted((a, b) => a - b)
        .map((after) => clockText(((start + after) / 15) % 96));
      const breaks = [
        ...(from1 && until1 && count > 0 ? [{ from: from1, until: until1 }] : []),
        ...(from2 && until2 && count > 1 ? [{ from: from2, until: until2 }] : []),
      ];
      return { ...day, breaks };
    }),
  { freq: 2 },
);
const week = fc.record(Object.fromEntries(weekdays.map((name) => [name, hours]))) as fc.Arbitrary<
  OpenStore['openingHours']
>;

function weeklyMinutes(openingHours: OpenStore['openingHours']): number {
  const spans = Object.values(openingHours).flatMap(spansOf);
  return spans.reduce((sum, { start, end }) => sum + end - start, 0);
}

describe('hours with breaks', () => {
  const split = {
    open: '11:00',
    close: '02:00',
    breaks: [
      { from: '14:00', until: '17:00' },
      { from: '23:30', until: '00:30' },
    ],
  };
  const store: OpenStore = { ...toronto, openingHours: { ...never, friday: split } };
  it.each([
    ['2026-11-20', '13:59', true],
    ['2026-11-20', '14:00', false],
    ['2026-11-20', '16:59', false],
    ['2026-11-20', '17:00', true],
    ['2026-11-20', '23:45', false],
    ['2026-11-21', '00:15', false],
    ['2026-11-21', '00:30', true],
    ['2026-11-21', '02:00', false],
  ])('a store with breaks on %s at %s is open: %s', (date, clock, isOpen) => {
    expect(spanAt(store, date, minutesOf(clock)) !== null).toBe(isOpen);
  });

  it('a closing before a break is a closing, and the hours of a break do not count', () => {
    expect(closing(store, '2026-11-20 10:00', 2)).toBe('2026-11-20 14:00');
    expect(closing(store, '2026-11-20 10:00', 4)).toBe('2026-11-20 23:30');
    expect(closing(store, '2026-11-20 10:00', 10)).toBe('2026-11-21 02:00');
  });

  it('any minute is open if and only if it is within the hours and in none of the breaks', () => {
    fc.assert(
      fc.property(hours, fc.integer({ min: 0, max: 2 * 96 - 1 }), (day, quarter) => {
        const minutes = quarter * 15;
        const date = minutes < 24 * 60 ? '2026-11-20' : '2026-11-21';
        const isOpen =
          spanAt({ ...toronto, openingHours: { ...never, friday: day } }, date, minutes % (24 * 60)) !== null;
        const [from = 0, ...rest] = day
          ? [day.open, ...(day.breaks ?? []).flatMap(({ from, until }) => [from, until]), day.close].map(
              minutesOf,
            )
          : [];
        // The boundaries in order: each lies after the one before, if need be on the next day.
        const boundaries = [from];
        for (const at of rest) boundaries.push(at > (boundaries.at(-1) ?? 0) ? at : at + 24 * 60);
        const passed = day === null ? 0 : boundaries.filter((at) => minutes >= at).length;
        expect(isOpen).toBe(passed % 2 === 1);
      }),
      { numRuns: 2000 },
    );
  });

  it('a store opens on its next day at its first hour, and a night belongs to the day on which it began', () => {
    const daily = { ...toronto, openingHours: { ...never, friday: split, saturday: split } };
    const next = (time: string) => {
      const { date, minutes } = wallClock(nextDaysOpening(daily, at(time)), 'America/Toronto');
      return `${date} ${clockText(minutes / 15)}`;
    };
    expect(next('2026-11-20 15:00')).toBe('2026-11-21 11:00');
    expect(next('2026-11-21 01:00')).toBe('2026-11-21 11:00');
    expect(next('2026-11-21 03:00')).toBe('2026-11-27 11:00');
    expect(nextDaysOpening({ ...toronto, openingHours: never }, 0)).toBe(dayMs);
  });
});

describe('any store', () => {
  const isOpen = (store: OpenStore, moment: number) => {
    const { date, minutes } = wallClock(moment, store.timeZone);
    return spanAt(store, date, minutes) !== null;
  };

  it.each(zones)(
    'a store in %s is open for the promised hours before the closing time, which is one of its own',
    (timeZone) => {
      const run = fc.record({
        openingHours: week,
        special: fc.array(fc.record({ after: fc.integer({ min: 0, max: 6 }), hours }), { maxLength: 3 }),
        around: fc.constantFrom(...days),
        quarters: fc.integer({ min: -2 * 96, max: 2 * 96 }),
        promised: fc.integer({ min: 1, max: 40 }),
      });
      fc.assert(
        fc.property(run, ({ openingHours, special, around, quarters, promised }) => {
          // A store that is hardly ever open does not keep the promise within two years.
          fc.pre(weeklyMinutes(openingHours) >= 4 * 60);
          const specialHours = special.map(({ after, hours }) => ({ date: addDays(around, after), hours }));
          const store = { timeZone, openingHours, specialHours };
          const from = Date.parse(around) + quarters * stepMs;
          const until = closingAfter(store, from, promised);
          let open = 0;
          for (let moment = from; moment < until; moment += stepMs) if (isOpen(store, moment)) open += stepMs;
          expect(open).toBeGreaterThanOrEqual(promised * hourMs);
          expect(isOpen(store, until - stepMs)).toBe(true);
          if (isOpen(store, until)) expect(isOpen(store, until + dayMs - stepMs)).toBe(true);
          else {
            // No closing time before this one would have kept the promise.
            let last = until - stepMs;
            while (last >= from && isOpen(store, last)) {
              last -= stepMs;
              open -= stepMs;
            }
            expect(open).toBeLessThan(promised * hourMs);
          }
        }),
        { numRuns: 60 },
      );
    },
  );
});
