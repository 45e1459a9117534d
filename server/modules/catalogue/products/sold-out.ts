/** Taken back at once, or when the store opens on its next day. */
import { recordCatalogueChange } from '#db/catalogue-version.ts';
import type { Trx } from '#db/database.ts';
import type { Change } from '#server/modules/changes/index.ts';
import {
  deleteEndedSoldOut,
  deleteSoldOut,
  nextDaysOpening,
  putSoldOut,
  type Store,
  soldOutRows,
} from '#server/modules/stores/index.ts';
import { topics } from '#server/platform/topics.ts';
import { groupsById } from '../modifiers/modifier-groups.repository.ts';
import { type CatalogueWriteDeps, lockCatalogue } from './catalogue-transaction.ts';
import { skusOfItem } from './products.repository.ts';
import { stockChanged } from './stock-boundary.ts';

export function createSoldOutEditor(deps: CatalogueWriteDeps) {
  const { db, now } = deps;

  /** Lists, cards and product pages leave out the units of a store that is sold out. */
  async function itemsChanged(trx: Trx, items: readonly string[]): Promise<void> {
    const skus: string[] = [];
    for (const item of items) skus.push(...(await skusOfItem(trx, item)));
    await lockCatalogue(db, trx);
    await stockChanged(deps, trx, { skus, crossed: new Set(skus) });
    await recordCatalogueChange(trx, [topics.soldOut]);
  }

  return {
    /** By SKU, product id, or `<group>/<modifier>`; null if there is none. A SKU comes before a product of the same name. */
    async soldOutItem(name: string): Promise<string | null> {
      const [group = '', modifier] = name.split('/');
      if (modifier !== undefined) {
        const [found] = await groupsById(db.read, [group]);
        return found?.modifiers.some(({ id }) => id === modifier) ? `modifier:${name}` : null;
      }
      for (const item of [`sku:${name}`, `product:${name}`]) if ((await skusOfItem(db.read, item)).length > 0) return item;
      return null;
    },
    /** What stores have none of now. */
    soldOut: async () => (await soldOutRows(db.read)).filter(({ until }) => until > now()),
    /** Returns until when, epoch ms. */
    async markSoldOut({ trx, note }: Change, store: Store, item: string): Promise<number> {
      const until = nextDaysOpening(store, now());
      await putSoldOut(trx, { store_id: store.id, item, until });
      await itemsChanged(trx, [item]);
      note('soldOut', `${store.id} ${item}`);
      return until;
    },
    /** False if it is not sold out. */
    async unmarkSoldOut({ trx, note }: Change, storeId: string, item: string): Promise<boolean> {
      const isGone = await deleteSoldOut(trx, storeId, item);
      note('soldOut', `${storeId} ${item}`, isGone ? undefined : []);
      if (isGone) await itemsChanged(trx, [item]);
      return isGone;
    },
    /** Takes back what is over. */
    endSoldOut: (): Promise<void> =>
      db.transaction(async (trx) => {
        const ended = await deleteEndedSoldOut(trx, now());
        if (ended.length > 0) await itemsChanged(trx, [...new Set(ended.map(({ item }) => item))]);
      }),
  };
}
