/** Modifier groups that tests make for themselves. */
import type { ModifierGroupInput, ModifierInput } from '#server/modules/catalogue/modifiers/modifier-group-input.ts';

/** A modifier that is free, not chosen by default and without stock. */
export function plainModifier(id: string, changes: Partial<ModifierInput> = {}): ModifierInput {
  return {
    id,
    name: { en: id, zh: id },
    priceCents: 0,
    prices: [],
    default: 0,
    sku: null,
    dietaryMarks: [],
    allergens: [],
    opens: [],
    taxClass: null,
    singleServings: 1,
    hidden: false,
    ...changes,
  };
}

/** A group of which one modifier may be chosen. */
export function plainGroup(
  id: string,
  modifiers: ModifierInput[],
  changes: Partial<ModifierGroupInput> = {},
): ModifierGroupInput {
  return {
    id,
    name: { en: id, zh: id },
    text: null,
    min: 0,
    max: 1,
    quantities: false,
    free: 0,
    setParts: false,
    modifiers,
    ...changes,
  };
}
