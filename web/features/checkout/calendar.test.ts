import { describe, expect, it } from 'vitest';
import { comingDays, daysInMonth, leadingBlanks, today, weekFrom } from './calendar.ts';

describe('the calendar of pickup days', () => {
  it('the calendar counts the days of each month by itself, leap years included', () => {
    expect([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12].map((month) => daysInMonth(2026, month))).toEqual([
      31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31,
    ]);
    expect(daysInMonth(2028, 2)).toBe(29);
    expect(daysInMonth(2100, 2)).toBe(28);
  });

  it('the calendar starts at the store’s day, not at the shopper’s', () => {
    const lateInToronto = Date.UTC(2026, 10, 22, 3, 30);
    expect(today(lateInToronto, 'America/Toronto').date).toBe('2026-11-21');
    expect(today(lateInToronto, 'Asia/Shanghai').date).toBe('2026-11-22');
  });

  it('the calendar runs over the ends of months and years without a gap', () => {
    const days = comingDays(Date.UTC(2026, 11, 20, 18), 'America/Toronto');
    expect(days).toHaveLength(30);
    expect(days[0]).toMatchObject({ date: '2026-12-20', weekday: 'sunday' });
    expect(days[11]?.date).toBe('2026-12-31');
    expect(days[12]).toMatchObject({ date: '2027-01-01', weekday: 'friday' });
    expect(new Set(days.map((day) => day.date)).size).toBe(30);
  });

  it('the calendar is laid out in weeks', () => {
    const [first] = comingDays(Date.UTC(2026, 10, 21, 18), 'America/Toronto');
    expect(first?.weekday).toBe('saturday');
    expect(first && leadingBlanks(first, 'sunday')).toBe(6);
    expect(first && leadingBlanks(first, 'monday')).toBe(5);
    expect(weekFrom('sunday')).toEqual(['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']);
  });
});
