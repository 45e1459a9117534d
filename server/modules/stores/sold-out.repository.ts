/** What stores have none of today: an item is back by itself when its store next opens. */
import type { Selectable } from 'kysely';
import type { Reader, Trx } from '#db/database.ts';
import type { SoldOutTable } from '#db/store-tables.ts';

export type SoldOutRow = Selectable<SoldOutTable>;

export function soldOutRows(db: Reader): Promise<SoldOutRow[]> {
  return db.selectFrom('sold_out').selectAll().orderBy('store_id').orderBy('item').execute();
}

/** Returns whether that was not so already. */
export async function putSoldOut(trx: Trx, row: SoldOutRow): Promise<boolean> {
  const known = await trx
    .selectFrom('sold_out')
    .select('until')
    .where('store_id', '=', row.store_id)
    .where('item', '=', row.item)
    .executeTakeFirst();
  if (known?.until === row.until) return false;
  await trx
    .insertInto('sold_out')
    .values(row)
    .onConflict((conflict) => conflict.columns(['store_id', 'item']).doUpdateSet({ until: row.until }))
    .execute();
  return true;
}

export async function moveSoldOut(trx: Trx, from: string, to: string): Promise<void> {
  await trx.updateTable('sold_out').set({ item: to }).where('item', '=', from).execute();
}

/** Returns whether it was there. */
export async function deleteSoldOut(trx: Trx, storeId: string, item: string): Promise<boolean> {
  const row = await trx
    .deleteFrom('sold_out')
    .where('store_id', '=', storeId)
    .where('item', '=', item)
    .returning('item')
    .executeTakeFirst();
  return row !== undefined;
}

/** Deletes what is over by `now` (epoch ms), and returns it. */
export function deleteEndedSoldOut(trx: Trx, now: number): Promise<SoldOutRow[]> {
  return trx.deleteFrom('sold_out').where('until', '<=', now).returningAll().execute();
}

/** Items by store: `sku:…`, `product:…`, `modifier:<group>/<id>`. */
export type SoldOut = ReadonlyMap<string, ReadonlySet<string>>;

/** Whether a store has none of a SKU today, by itself or with its whole product. */
export function isSoldOutAt(
  soldOut: SoldOut,
  storeId: string,
  { sku, productId }: { sku: string; productId: string },
): boolean {
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
