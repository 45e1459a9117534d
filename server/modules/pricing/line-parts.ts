/** The parts of a unit's price can be taxed differently: the product, its modifiers, the products of a set. */
import { allocate } from './money.ts';

/** In a unit of the line. */
export interface LinePart {
  price: number;
  quantity: number;
  taxClass: string;
  /** Of food, in each. */
  singleServings: number;
}

export interface ModifierToPrice {
  quantity: number;
  /** Of all of its quantity, cents, without what it opened. */
  amount: number;
  /** Null: it belongs to what it modifies. */
  taxClass: string | null;
  singleServings: number;
  /** Of one alone, cents, if it is a product of a set; null for any other modifier. */
  ownPrice: number | null;
  modifiers: readonly ModifierToPrice[];
}

/** They sum to the unit's price. A set's price is divided by what its products cost alone, surcharges apart. */
export function linePartsOf(
  sku: Pick<LinePart, 'price' | 'taxClass' | 'singleServings'>,
  modifiers: readonly ModifierToPrice[],
): LinePart[] {
  const main: LinePart = { ...sku, quantity: 1 };
  const parts: LinePart[] = [];
  const ofSet: { part: LinePart; weight: number }[] = [];
  const add = (chosen: readonly ModifierToPrice[], owner: LinePart, times: number) => {
    for (const { quantity, amount, taxClass, singleServings, ownPrice, modifiers: opened } of chosen) {
      let part = owner;
      if (taxClass !== null || ownPrice !== null) {
        part = { price: 0, quantity: quantity * times, taxClass: taxClass ?? owner.taxClass, singleServings };
        parts.push(part);
      }
      part.price += amount * times;
      if (ownPrice !== null) ofSet.push({ part, weight: ownPrice * quantity * times });
      add(opened, part, quantity * times);
    }
  };
  add(modifiers, main, 1);
  const weights = ofSet.map(({ weight }) => weight);
  if (weights.some((weight) => weight > 0)) {
    allocate(sku.price, weights).forEach((share, index) => {
      const { part } = ofSet[index] ?? {};
      if (part) part.price += share;
    });
    main.price -= sku.price;
    if (main.price === 0) return parts;
  }
  return [main, ...parts];
}
