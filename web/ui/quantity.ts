/** The arithmetic of a quantity field (SPEC §5: 1 to 98). */
import { limits } from '#contract/limits.ts';

export interface QuantityRange {
  min: number;
  max: number;
}

export const quantityRange: QuantityRange = { min: limits.quantityMin, max: limits.quantityMax };

/** One step up or down, which stops at the ends. */
export function stepQuantity(value: number, step: number, { min, max }: QuantityRange = quantityRange): number {
  return Math.min(max, Math.max(min, value + step));
}

/**
 * What was typed, as a number: over the most becomes the most; what is no whole number, or less than
 * one, becomes 0, for the owner of the field to refuse in words.
 */
export function typedQuantity(text: string, { max }: QuantityRange = quantityRange): number {
  // Chinese input methods type full-width digits.
  const digits = text.trim().normalize('NFKC');
  return /^\d+$/.test(digits) ? Math.min(max, Number(digits)) : 0;
}
