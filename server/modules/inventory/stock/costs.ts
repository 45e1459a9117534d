/**
 * What the units of a SKU cost: a moving average over all places. Pure. A SKU has units whose cost is known, which all cost the same, and
 * units whose cost is not: those leave first, for they were there before costs were kept. Units that leave take their share of what is
 * there, to the cent. Units that are sold before they come leave at the last cost that is known; when they come, the difference to what
 * they did cost is a cost of what was sold.
 */
import { mulDivHalfUp } from '#server/modules/pricing/index.ts';

/** Kinds of movements by which units go to buyers, or come back from them. */
export const soldKinds = ['sale', 'refund'] as const;

/** The units of a SKU everywhere, held ones included; below zero those that were sold before they came. */
export interface Pool {
  units: number;
  /** Units whose cost is known. */
  costed: number;
  /** What these cost. */
  cents: number;
}

/** What a movement adds to `costed` and `cents`. */
export interface MovedCost {
  costed: number;
  cents: number;
  /** What units that were sold before they came cost more than was booked when they left. */
  late: number;
}

/** Units that come, and what those of them cost whose cost is known. */
export interface Batch {
  quantity: number;
  costed: number;
  cents: number;
}

/** A share of cents that may be below zero. */
const share = (cents: number, part: number, whole: number) =>
  cents < 0 ? 0 - mulDivHalfUp(-cents, part, whole) : mulDivHalfUp(cents, part, whole);

const unknownOf = ({ units, costed }: Pool) => units - costed;

/** `cost`: of a unit where no average says it, in cents; null if it is unknown. */
export function leave(pool: Pool, quantity: number, cost: number | null): MovedCost {
  const unknown = Math.min(quantity, Math.max(0, unknownOf(pool)));
  const there = Math.max(0, pool.costed);
  const known = Math.min(quantity - unknown, there);
  const beyond = quantity - unknown - known;
  const ofKnown = known === 0 ? 0 : share(pool.cents, known, there);
  const ofBeyond = there > 0 ? share(pool.cents, beyond, there) : cost === null ? null : cost * beyond;
  const costed = known + (ofBeyond === null ? 0 : beyond);
  return { costed: 0 - costed, cents: 0 - ofKnown - (ofBeyond ?? 0), late: 0 };
}

/** Units that were sold before they came are the first that come. */
export function arrive(pool: Pool, { quantity, costed, cents }: Batch): MovedCost {
  const soldUnknown = Math.min(costed, Math.max(0, -unknownOf(pool)));
  const ofUnknown = soldUnknown === 0 ? 0 : share(cents, soldUnknown, costed);
  const left = { costed: costed - soldUnknown, cents: cents - ofUnknown };
  const short = Math.max(0, -pool.costed);
  const soldKnown = Math.min(left.costed, short);
  const booked = soldKnown === 0 ? 0 : share(-pool.cents, soldKnown, short);
  const actual = soldKnown === 0 ? 0 : share(left.cents, soldKnown, left.costed);
  // Units of unknown cost in place of sold ones: what was booked for those stands.
  const stillShort = short - soldKnown;
  const filled = Math.min(quantity - costed, stillShort);
  const standing = filled === 0 ? 0 : share(-pool.cents - booked, filled, stillShort);
  return {
    costed: left.costed + filled,
    cents: left.cents - actual + booked + standing,
    late: ofUnknown + actual - booked,
  };
}

/** Units at the average of those that are there, or at `cost` (cents a unit), or at a cost that nobody knows. */
export function atAverage({ costed, cents }: Pool, quantity: number, cost: number | null): Batch {
  if (costed > 0) return { quantity, costed: quantity, cents: share(cents, quantity, costed) };
  return cost === null ? { quantity, costed: 0, cents: 0 } : atCost(quantity, cost);
}

export const atCost = (quantity: number, cost: number): Batch => ({
  quantity,
  costed: quantity,
  cents: quantity * cost,
});

/** Of units that left, some come back: those whose cost is known first. `left` as above zero. */
export function returned(left: Batch, quantity: number): Batch {
  const costed = Math.min(quantity, left.costed);
  return { quantity, costed, cents: costed === 0 ? 0 : share(left.cents, costed, left.costed) };
}

/** A SKU's cost becomes known: it is that of all its units whose cost was not. */
export function valued(pool: Pool, cost: number): MovedCost {
  const unknown = unknownOf(pool);
  return { costed: unknown, cents: unknown * cost, late: unknown < 0 ? -unknown * cost : 0 };
}

export const moved = (pool: Pool, quantity: number, by: MovedCost): Pool => ({
  units: pool.units + quantity,
  costed: pool.costed + by.costed,
  cents: pool.cents + by.cents,
});
