/** Collects how the counts of scopes, and of what two scopes share, change while products are listed and unlisted. */
import type { Database, Trx } from '#db/database.ts';
import { addToScopePairs } from './scope-pairs.repository.ts';
import { addToScopeCount } from './taxonomy.repository.ts';
import { isFilterScope, scopeNames, type Taxonomy } from './taxonomy.ts';

/** More than any shop has scopes; two ids below it are one exact number. */
const idSpace = 2 ** 26;

export type ScopeCounts = ReturnType<typeof scopeCounts>;

export function scopeCounts({ scopes, scopesById }: Taxonomy) {
  const counts = new Map<number, number>();
  const pairs = new Map<number, number>();
  const all = scopes.get(scopeNames.all)?.id;
  const filters = new Set([...scopesById.values()].filter(({ name }) => isFilterScope(name)).map(({ id }) => id));

  function add<K>(to: Map<K, number>, key: K, change: number): void {
    to.set(key, (to.get(key) ?? 0) + change);
  }

  return {
    /** Adds a product (`change` 1) to these scopes, or removes it from them (-1). */
    count(ids: readonly number[], change: 1 | -1): void {
      for (const id of ids) add(counts, id, change);
    },
    /** The same for what each of `ids` shares with each of `others`, of which only filters count. What 'all' has, each scope counts itself. */
    countPairs(ids: readonly number[], others: readonly number[], change: 1 | -1): void {
      const filtering = others.filter((id) => filters.has(id));
      for (const id of ids) {
        if (id !== all) for (const other of filtering) if (other !== id) add(pairs, id * idSpace + other, change);
      }
    },
    async write(db: Database, trx: Trx): Promise<void> {
      for (const [scope, change] of inOrder(counts)) await addToScopeCount(trx, scope, change);
      const rows = inOrder(pairs).map(([key, change]) => [Math.floor(key / idSpace), key % idSpace, change]);
      await addToScopePairs(db, trx, rows);
    },
  };
}

/** In the order of the keys, so that rows are written one after the other. */
function inOrder(changes: ReadonlyMap<number, number>): [key: number, change: number][] {
  return [...changes].filter(([, change]) => change !== 0).sort(([a], [b]) => a - b);
}
