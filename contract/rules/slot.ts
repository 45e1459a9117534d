import type { FieldErrors } from '../errors.ts';
import type { MessageKey } from '../locales.ts';
import type { SlotReason } from '../schemas/checkout.ts';

/** Days ahead. */
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

/** `slotTooFar` includes the number of days. */
function slotMessage(reason: SlotReason): {
  key: MessageKey;
  values: Record<string, string | number>;
} {
  return {
    key: messages[reason],
    values: reason === 'tooFar' ? { days: pickupHorizonDays } : {},
  };
}

/** `next`: the next free time of that day, '15:50'. */
export function slotErrors(reason: SlotReason | null, next?: string): FieldErrors {
  if (reason === 'full' && next !== undefined) return { pickupDate: { key: 'rule.slotFullNext', values: { time: next } } };
  return reason ? { pickupDate: slotMessage(reason) } : {};
}
