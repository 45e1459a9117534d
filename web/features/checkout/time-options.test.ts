import { describe, expect, it } from 'vitest';
import type { PickupSlots, SlotReason } from '#contract/schemas/order.ts';
import { earliestSlot, hourOptions, minuteOptions } from './time-options.ts';

/** A day open from 10 to 12, in steps of five minutes; before 10:30 it is too soon, 11:00 is full. */
const slots: PickupSlots['slots'] = Array.from({ length: 24 }, (_, step) => {
  const [hour, minute] = [10 + Math.floor(step / 12), (step % 12) * 5];
  const reason: SlotReason | null = hour === 10 && minute < 30 ? 'tooSoon' : hour === 11 && minute === 0 ? 'full' : null;
  return { at: step, hour, minute, available: reason === null, reason };
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
