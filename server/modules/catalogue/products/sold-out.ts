/** Taken back at once, or when the store opens on its next day. */
import { inLocale, type Locale } from '#contract/locales.ts';
import { parseOptionPairs } from '#contract/option-pairs.ts';
import type { SoldOutItem } from '#contract/staff/opening.ts';
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
import { allGroups, type GroupRow, groupsById } from '../modifiers/modifier-groups.repository.ts';
import { fold } from '../search/tokens.ts';
import { type CatalogueWriteDeps, lockCatalogue } from './catalogue-transaction.ts';
import { namedSkus, skusOfItem } from './products.repository.ts';
import { stockChanged } from './stock-boundary.ts';

const modifiersFound = 8;
const itemsFound = 40;

/** Each after its product. */
function describeSkus(skus: Awaited<ReturnType<typeof namedSkus>>, locale: Locale): SoldOutItem[] {
  return [...Map.groupBy(skus, ({ productId }) => productId)].flatMap(([productId, each]) => [
    ...each.slice(0, 1).map(({ name }) => ({ item: `product:${productId}`, name: inLocale(name, locale), detail: '' })),
    ...each.map(({ sku, name, options }) => ({
      item: `sku:${sku}`,
      name: inLocale(name, locale),
      detail: [sku, ...(parseOptionPairs(options)?.values() ?? [])].join(' · '),
    })),
  ]);
}

function describeModifiers({ id: group, name, modifiers }: GroupRow, locale: Locale): SoldOutItem[] {
  return modifiers.map((modifier) => ({
    item: `modifier:${group}/${modifier.id}`,
    name: inLocale(modifier.name, locale),
    detail: inLocale(name, locale),
  }));
}

function createItemNames({ db }: CatalogueWriteDeps) {
  return {
    /** As staff choose them: those of `items` that exist. */
    async describeItems(items: readonly string[], locale: Locale): Promise<SoldOutItem[]> {
      const ids = (kind: string) => items.flatMap((item) => (item.startsWith(kind) ? item.slice(kind.length) : []));
      const groups = items.some((item) => item.startsWith('modifier:')) ? await allGroups(db.read) : [];
      const known = [
        ...describeSkus(await namedSkus(db.read, { skus: ids('sku:'), products: ids('product:') }), locale),
        ...groups.flatMap((group) => describeModifiers(group, locale)),
      ];
      return known.filter(({ item }) => items.includes(item));
    },
    /** A SKU, these products with their SKUs, and modifiers whose names in any language contain the text. */
    async findItems(text: string, products: readonly string[], locale: Locale): Promise<SoldOutItem[]> {
      const wanted = fold(text.trim());
      const skus = await namedSkus(db.read, { skus: [text.trim(), text.trim().toUpperCase()], products });
      const groups = (await allGroups(db.read)).map((group) => ({
        ...group,
        modifiers: group.modifiers.filter(({ name }) => Object.values(name).some((each) => fold(each).includes(wanted))),
      }));
      return [
        ...groups.flatMap((group) => describeModifiers(group, locale)).slice(0, modifiersFound),
        ...describeSkus(skus, locale),
      ].slice(0, itemsFound);
    },
  };
}

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
      for (const item of [`sku:${name}`, `product:${name}`]) if ((await skusOfItem(db.read, item)).length > 0) return item;
      const [group = '', modifier] = name.split('/');
      const [found] = modifier === undefined ? [] : await groupsById(db.read, [group]);
      return found?.modifiers.some(({ id }) => id === modifier) ? `modifier:${name}` : null;
    },
    ...createItemNames(deps),
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
