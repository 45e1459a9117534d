/** Counts what a transaction did once it is committed: transactions can be rolled back, and PostgreSQL runs some of them again. */
import type { Trx } from '#db/database.ts';

const waiting = new WeakMap<Trx, (() => void)[]>();

/** Runs `count` after the commit of `trx`. Only for counting: it never runs while metrics are off. */
export function countAfterCommit(trx: Trx, count: () => void): void {
  const counts = waiting.get(trx);
  if (counts) counts.push(count);
  else waiting.set(trx, [count]);
}

/** Runs the counts of a transaction that was committed. */
export function runCounts(trx: Trx): void {
  for (const count of waiting.get(trx) ?? []) count();
}
