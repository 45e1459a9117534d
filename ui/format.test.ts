import { expect, test } from 'vitest';
import { formatCalendarDay, formatDate, formatMoney, formatNumber } from '#ui/format.ts';

test('cents are written as money of the shop', () => {
  expect(formatMoney(2850, 'en', 'CAD')).toBe('$28.50');
  expect(formatMoney(0, 'en', 'CAD')).toBe('$0.00');
  expect(formatMoney(123_456_789, 'en', 'CAD')).toBe('$1,234,567.89');
  expect(formatMoney(2850, 'zh', 'CAD')).toBe('$28.50');
});

test('every style and language writes times on the 24-hour clock', () => {
  const [evening, midnight, morning] = [
    Date.UTC(2026, 10, 21, 3, 30),
    Date.UTC(2026, 10, 21, 5),
    Date.UTC(2026, 10, 21, 14),
  ];
  for (const locale of ['en', 'zh'] as const) {
    for (const style of ['time', 'dateTime', 'shortDayTime', 'dayTime'] as const) {
      expect(formatDate(evening, locale, 'America/Toronto', style)).toContain('22:30');
      expect(formatDate(midnight, locale, 'America/Toronto', style)).toContain('00:00');
      expect(formatDate(morning, locale, 'America/Toronto', style)).toContain('09:00');
    }
  }
});

test('a time is shown by the clock of its place', () => {
  const at = Date.UTC(2026, 10, 21, 3, 30);
  expect(formatDate(at, 'en', 'America/Toronto')).toBe('Friday, November 20');
  expect(formatDate(at, 'zh', 'America/Vancouver')).toBe('11月20日周五');
  expect(formatDate(at, 'en', 'America/Toronto', 'time')).toBe('22:30');
});

test('large numbers are grouped', () => {
  expect(formatNumber(12345, 'en')).toBe('12,345');
});

test('a day of the calendar is shown as that day in every time zone of the computer', () => {
  expect(formatCalendarDay('2026-11-26', 'en')).toBe('Nov 26');
  expect(formatCalendarDay('2026-11-26', 'zh')).toBe('11月26日');
  expect(formatCalendarDay('2026-11-26', 'en', 'day')).toBe('Thursday, November 26');
});

test('text that is no day, such as one in an address that somebody wrote, stays as it is and breaks no page', () => {
  expect(formatCalendarDay('2026-13-45', 'en')).toBe('2026-13-45');
  expect(formatCalendarDay('', 'zh', 'date')).toBe('');
});
