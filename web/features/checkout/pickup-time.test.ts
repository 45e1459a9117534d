import { describe, expect, it } from 'vitest';
import type { PickupSlots, SlotReason } from '#contract/schemas/checkout.ts';
import {
  chosenText,
  comingDays,
  daysInMonth,
  earliestSlot,
  hasPassed,
  hourOptions,
  leadingBlanks,
  minuteOptions,
  today,
  weekFrom,
} from './pickup-time.tsx';

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
    expect(weekFrom('sunday')).toEqual([
      'sunday',
      'monday',
      'tuesday',
      'wednesday',
      'thursday',
      'friday',
      'saturday',
    ]);
  });
});

/** A day open from 10 to 12, in steps of five minutes; before 10:30 it is too soon, 11:00 is full. */
const slots: PickupSlots['slots'] = Array.from({ length: 24 }, (_, step) => {
  const [hour, minute] = [10 + Math.floor(step / 12), (step % 12) * 5];
  const reason: SlotReason | null =
    hour === 10 && minute < 30 ? 'tooSoon' : hour === 11 && minute === 0 ? 'full' : null;
  return { at: step, hour, minute, available: reason === null, reason };
});

describe('a pickup time that was chosen before', () => {
  const at = Date.parse('2026-11-22T19:31:00Z');
  const chosen = (pickupDay: string, pickupHour: string, pickupMinute: string) => ({
    pickupDay,
    pickupHour,
    pickupMinute,
  });

  it.each([
    ['2026-11-22', '14', '30', true],
    ['2026-11-21', '23', '55', true],
    ['2026-11-22', '9', '0', true],
    ['2026-11-22', '14', '35', false],
    ['2026-11-23', '0', '5', false],
    ['2026-11-22', '', '', false],
  ])(
    'the time chosen for %s at %s:%s has passed at 14:31 on 22 November: %s',
    (day, hour, minute, expected) => {
      expect(hasPassed(chosen(day, hour, minute), at, 'America/Toronto')).toBe(expected);
    },
  );

  it('a chosen time is named as it was shown', () => {
    expect(chosenText(chosen('2026-11-22', '9', '5'), 'en')).toBe('Sunday, November 22 at 09:05');
  });
});

describe('pickup times', () => {
  it('the hour list has hours 0 to 23, each with the reason why it cannot be chosen', () => {
    const hours = hourOptions(slots);
    expect(hours.map(({ value }) => value)).toEqual(Array.from({ length: 24 }, (_, hour) => hour));
    expect(hours[9]).toEqual({ value: 9, reason: 'closed' });
    expect(hours[10]).toEqual({ value: 10, reason: null });
    expect(hourOptions(slots.slice(0, 6))[10]?.reason).toBe('tooSoon');
  });

  it('the minute list has steps of five', () => {
    const minutes = minuteOptions(slots, 11);
    expect(minutes.map(({ value }) => value)).toEqual([0, 5, 10, 15, 20, 25, 30, 35, 40, 45, 50, 55]);
    expect(minutes[0]?.reason).toBe('full');
    expect(minutes[1]?.reason).toBeNull();
    expect(minuteOptions(slots, 15).every(({ reason }) => reason === 'closed')).toBe(true);
  });

  it('the pickup time starts at the earliest available slot', () => {
    expect(earliestSlot(slots)).toMatchObject({ hour: 10, minute: 30 });
    expect(earliestSlot(slots.slice(0, 3))).toBeUndefined();
  });
});
