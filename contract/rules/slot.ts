/** Explains why a pickup time is not available. */
import type { FieldErrors } from '../errors.ts';
import type { MessageKey } from '../locales.ts';
import type { SlotReason } from '../schemas/checkout.ts';

/** Pickup times can be chosen this many days ahead. */
export const pickupHorizonDays = 60;

const messages: Record<SlotReason, MessageKey> = {
  closed: 'rule.slotClosed',
  past: 'rule.slotPast',
  tooSoon: 'rule.slotTooSoon',
  full: 'rule.slotFull',
  tooFar: 'rule.slotTooFar',
  notServed: 'rule.slotNotServed',
  tooMany: 'rule.slotTooMany',
};

/** The message for a slot's reason; `slotTooFar` includes the number of days. */
function slotMessage(reason: SlotReason): {
  key: MessageKey;
  values: Record<string, string | number>;
} {
  return {
    key: messages[reason],
    values: reason === 'tooFar' ? { days: pickupHorizonDays } : {},
  };
}

/** `next`: the next free time of that day for one that is full, '15:50'. */
export function slotErrors(reason: SlotReason | null, next?: string): FieldErrors {
  if (reason === 'full' && next !== undefined) return { pickupDate: { key: 'rule.slotFullNext', values: { time: next } } };
  return reason ? { pickupDate: slotMessage(reason) } : {};
}
