/** Work that belongs to transactions of any kind, and runs once at the end of each: such as the entries of the orders whose money it changed. */
import type { Trx } from './database.ts';

export type BeforeCommit = (trx: Trx) => Promise<void>;

export class CommitWork {
  readonly #all: BeforeCommit[] = [];

  add(work: BeforeCommit): void {
    this.#all.push(work);
  }

  /** Runs what a transaction does, then the rest, in the same transaction: an error of either rolls it back. */
  async finish<T>(trx: Trx, work: (trx: Trx) => Promise<T>): Promise<T> {
    const result = await work(trx);
    for (const each of this.#all) await each(trx);
    return result;
  }
}

/** What units cost that a transaction takes out of stock, or brings back. */
export interface StockCost {
  /** Epoch ms. */
  at: number;
  order: string | null;
  /** A store's id, or `warehouse`. */
  place: string;
  actor: string | null;
  sku: string;
  /** `sold`: to buyers, or back from them; `lost`: a count, damage, or whatever else changes stock. */
  part: 'sold' | 'lost';
  /** That left; negative: that came back. Only those whose cost is known. */
  units: number;
  /** Cents, in the sign of `units`; it may stand alone where the cost of units is known only after they were sold. */
  cents: number;
}

/** What a transaction has said since the last call of `takeTouched`. */
export interface Touched {
  /** Those whose money or stock it changed. */
  orders: readonly string[];
  costs: readonly StockCost[];
  actor: string | null;
}

interface Collected {
  orders: Set<string>;
  costs: StockCost[];
  actor: string | null;
  mostRefund: number | null;
}

const touched = new WeakMap<Trx, Collected>();

function of(trx: Trx): Collected {
  const known = touched.get(trx);
  if (known) return known;
  const fresh: Collected = { orders: new Set(), costs: [], actor: null, mostRefund: null };
  touched.set(trx, fresh);
  return fresh;
}

/**
 * Says that a transaction changes the money of orders: their bill or state, a payment or a refund. Whatever writes these calls it, so
 * that nobody else has to think of the books.
 */
export function touchBooks(trx: Trx, ...orderIds: readonly string[]): void {
  const { orders } = of(trx);
  for (const id of orderIds) orders.add(id);
}

/** Who makes a transaction's changes, as `actorText` says: entries of the books carry it. `mostRefund`: see `mostRefundIn`. */
export function actIn(trx: Trx, actor: string, mostRefund: number | null = null): void {
  const collected = of(trx);
  collected.actor = actor;
  collected.mostRefund = mostRefund;
}

/** How much may be refunded of an order by whoever makes the changes, cents; null: as much as was paid. */
export const mostRefundIn = (trx: Trx): number | null => of(trx).mostRefund;

/** Says what the units cost that a transaction moves: the books hold it as goods, against the inventory. */
export function bookCosts(trx: Trx, costs: readonly StockCost[]): void {
  of(trx).costs.push(...costs);
  touchBooks(trx, ...costs.flatMap(({ order }) => order ?? []));
}

/** What a transaction has said; what it says from now on is said anew. */
export function takeTouched(trx: Trx): Touched {
  const known = touched.get(trx);
  if (!known) return { orders: [], costs: [], actor: null };
  const orders = [...known.orders].sort();
  known.orders.clear();
  return { orders, costs: known.costs.splice(0), actor: known.actor };
}
