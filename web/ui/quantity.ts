/** Parses and steps the value of a quantity field (SPEC §5: 1 to 98). */
import { limits } from '#contract/limits.ts';

export interface QuantityRange {
  min: number;
  max: number;
}

export const quantityRange: QuantityRange = { min: limits.quantityMin, max: limits.quantityMax };

/** One step up or down, limited to the range. */
export function stepQuantity(value: number, step: number, { min, max }: QuantityRange = quantityRange): number {
  return Math.min(max, Math.max(min, value + step));
}

/**
 * Parses the typed text: a number over the maximum becomes the maximum; anything that is not an integer of at least one becomes
 * 0, which the owner of the field rejects with a message.
 */
export function typedQuantity(text: string, { max }: QuantityRange = quantityRange): number {
  // Chinese input methods type full-width digits.
  const digits = text.trim().normalize('NFKC');
  return /^\d+$/.test(digits) ? Math.min(max, Number(digits)) : 0;
}
