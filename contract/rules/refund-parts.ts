/** How a refund is taken from the payments of an order, and what of it is handed over in cash. Pure; amounts are the smallest units. */
import { cashDueOf } from '../cash-rounding.ts';

/** What can be refunded of a payment. */
export interface Left {
  /** What is left of it, without its tip. */
  goods: number;
  tip: number;
  /** The part of both that a bank disputes, or has taken. */
  disputed: number;
}

/** What a refund takes of a payment, `tip` included in `amount`. */
export interface Taken<L> {
  each: L;
  amount: number;
  tip: number;
}

const restOf = ({ goods, tip, disputed }: Left) => Math.max(0, goods + tip - disputed);
/** What is left of payments and not disputed, tips included. */
export const restOfAll = (left: readonly Left[]): number => left.reduce((sum, each) => sum + restOf(each), 0);

/** Takes `wanted` from the payments in their order, of each as much as it can give. */
function spread<L extends Left>(
  left: readonly L[],
  wanted: number,
  canGive: (each: L) => number,
): { each: L; cents: number }[] {
  let open = wanted;
  return left.flatMap((each) => {
    const cents = Math.min(open, canGive(each));
    if (cents <= 0) return [];
    open -= cents;
    return { each, cents };
  });
}

const within = (each: Left, cents: number) => Math.min(cents, each.goods + each.tip - each.disputed);

/** Of everything except tips. It may come to less than `wanted`. */
export const goodsTaken = <L extends Left>(left: readonly L[], wanted: number): Taken<L>[] =>
  spread(left, wanted, (each) => within(each, each.goods)).map(({ each, cents }) => ({
    each,
    amount: cents,
    tip: 0,
  }));

/** Of tips alone. It may come to less than `wanted`. */
export const tipsTaken = <L extends Left>(left: readonly L[], wanted: number): Taken<L>[] =>
  spread(left, wanted, (each) => within(each, each.tip)).map(({ each, cents }) => ({
    each,
    amount: cents,
    tip: cents,
  }));

/** Of all that is left, the tip of each payment last. It may come to less than `wanted`. */
export const restTaken = <L extends Left>(left: readonly L[], wanted: number): Taken<L>[] =>
  spread(left, wanted, restOf).map(({ each, cents }) => ({
    each,
    amount: cents,
    tip: Math.max(0, cents - each.goods),
  }));

/** What is left once something was taken of it. */
const without = <L extends Left>(left: readonly L[], taken: readonly Taken<L>[]): L[] =>
  left.map((each) => {
    const own = taken.filter((part) => part.each === each);
    const tip = own.reduce((sum, part) => sum + part.tip, 0);
    const amount = own.reduce((sum, part) => sum + part.amount, 0);
    return { ...each, goods: each.goods - (amount - tip), tip: each.tip - tip };
  });

/** Of everything except tips, and then of tips. */
export function partsTaken<L extends Left>(
  left: readonly L[],
  wanted: { goods: number; tip: number },
): Taken<L>[] {
  const goods = goodsTaken(left, wanted.goods);
  return [...goods, ...tipsTaken(without(left, goods), wanted.tip)];
}

interface Way {
  provider: string;
  /** How staff took it; null for an online payment. */
  kind: string | null;
  /** The shop's own id of the payment. */
  reference: string;
}

/** Whether a payment is one that `from` names: by its provider, how staff took it, or what its reference begins with; '' names each. */
export function isFrom({ provider, kind, reference }: Way, from: string): boolean {
  const wanted = from.trim().toLowerCase();
  return wanted === provider.toLowerCase() || wanted === kind || reference.startsWith(wanted);
}

/** Payments that `from` names first. */
export const fromFirst = <L extends Way>(left: readonly L[], from: string): L[] => [
  ...left.filter((each) => isFrom(each, from)),
  ...left.filter((each) => !isFrom(each, from)),
];

/** What is handed over in cash for a refund of a payment; null if it goes back in another way. `step`: see `cashStep`. */
export const cashBackOf = (amount: number, kind: string | null, step: number): number | null =>
  kind === 'cash' ? cashDueOf(amount, step) : null;

/** What is handed over in cash in all: each part by itself is what its coins allow. Null if none of it is cash. */
export function cashBackOfAll(taken: readonly Taken<Pick<Way, 'kind'>>[], step: number): number | null {
  const parts = taken.flatMap(({ each, amount }) => cashBackOf(amount, each.kind, step) ?? []);
  return parts.length === 0 ? null : parts.reduce((sum, cents) => sum + cents, 0);
}
