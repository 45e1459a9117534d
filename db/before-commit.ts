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

interface Touched {
  orders: Set<string>;
  actor: string | null;
}

const touched = new WeakMap<Trx, Touched>();

function of(trx: Trx): Touched {
  const known = touched.get(trx);
  if (known) return known;
  const fresh = { orders: new Set<string>(), actor: null };
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

/** Who makes a transaction's changes, as `actorText` says: entries of the books carry it. */
export function actIn(trx: Trx, actor: string): void {
  of(trx).actor = actor;
}

/** The orders whose money a transaction has changed since the last call, and who changed it. */
export function takeTouched(trx: Trx): { orders: string[]; actor: string | null } {
  const known = touched.get(trx);
  if (!known) return { orders: [], actor: null };
  const orders = [...known.orders].sort();
  known.orders.clear();
  return { orders, actor: known.actor };
}
