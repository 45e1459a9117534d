import { expect, it } from 'vitest';
import { pickupSuggestions } from './pickup-fields.tsx';

const day = (date: string, ...times: [hour: number, minute: number, available: boolean][]) => ({
  date,
  slots: times.map(([hour, minute, available]) => ({
    at: Date.parse(`${date}T00:00:00Z`) + (hour * 60 + minute) * 60_000,
    hour,
    minute,
    available,
    reason: available ? null : ('full' as const),
  })),
});

const brief = (days: Parameters<typeof pickupSuggestions>[0], now = 0) =>
  pickupSuggestions(days, now).map(({ date, slot }) => `${date} ${slot.hour}:${slot.minute}`);

it('the suggested pickup times are the earliest, one an hour later and the first of the next day', () => {
  const today = day(
    '2026-11-22',
    [16, 25, false],
    [16, 30, true],
    [17, 0, true],
    [17, 30, true],
    [18, 0, true],
  );
  expect(brief([today, day('2026-11-23', [10, 0, true])])).toEqual([
    '2026-11-22 16:30',
    '2026-11-22 17:30',
    '2026-11-23 10:0',
  ]);
});

it('a time that has passed since the times were read is not suggested', () => {
  const read = day('2026-11-22', [16, 30, true], [16, 35, true]);
  expect(brief([read], Date.parse('2026-11-22T16:31:00Z'))).toEqual(['2026-11-22 16:35']);
});

it('a day without free times is passed over', () => {
  const full = day('2026-11-22', [17, 0, false]);
  expect(brief([full, day('2026-11-23', [10, 0, true])])).toEqual(['2026-11-23 10:0']);
  expect(brief([full])).toEqual([]);
});
