/** What stores have none of today: an item is back by itself when its store next opens. */
import type { Reader } from '#db/database.ts';
import { type SoldOutRow, soldOutRows } from './sold-out.repository.ts';

/** Items by store: `sku:…`, `product:…`, `modifier:<group>/<id>`. */
export type SoldOut = ReadonlyMap<string, ReadonlySet<string>>;

/** Whether a store has none of a SKU today, by itself or with its whole product. */
export function isSoldOutAt(soldOut: SoldOut, storeId: string, { sku, productId }: { sku: string; productId: string }): boolean {
  const items = soldOut.get(storeId);
  return items !== undefined && (items.has(`sku:${sku}`) || items.has(`product:${productId}`));
}

interface GroupOfModifiers {
  id: string;
  modifiers: readonly { id: string; sku: string | null; soldOutAt: readonly string[] }[];
}

/** Modifier groups with the stores that have none of a modifier today, by itself or of the SKU that it takes. */
export function withSoldOut<G extends GroupOfModifiers>(groups: readonly G[], soldOut: SoldOut): G[] {
  const storesWithout = (item: string, sku: string) =>
    [...soldOut].flatMap(([store, items]) => (items.has(item) || items.has(sku) ? [store] : []));
  return groups.map((group) => ({
    ...group,
    modifiers: group.modifiers.map((each) => ({
      ...each,
      soldOutAt: storesWithout(`modifier:${group.id}/${each.id}`, `sku:${each.sku}`),
    })),
  }));
}

/** As of `reader`, at `now` (epoch ms), for use inside a transaction. */
export async function soldOutIn(reader: Reader, now: number): Promise<SoldOut> {
  return soldOutNow(await soldOutRows(reader), now);
}

/** Rows stay until the sweep has deleted them. */
export function soldOutNow(rows: readonly SoldOutRow[], now: number): SoldOut {
  const current = Map.groupBy(
    rows.filter(({ until }) => until > now),
    ({ store_id: store }) => store,
  );
  return new Map([...current].map(([store, items]) => [store, new Set(items.map(({ item }) => item))]));
}
