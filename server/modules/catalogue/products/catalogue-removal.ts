import { everything } from '#db/catalogue-version.ts';
import type { Reader, Trx } from '#db/database.ts';
import type { Change } from '#server/modules/changes/index.ts';
import { removeLevels } from '#server/modules/inventory/index.ts';
import type { Actor } from '#server/platform/actors.ts';
import {
  allGroups,
  deleteGroup,
  type GroupRow,
  productsUsing,
  putGroup,
  setModifierGroups,
} from '../modifiers/modifier-groups.repository.ts';
import { openersOf, opensOf } from '../modifiers/modifier-groups.ts';
import { loadNames, loadTaxonomy } from '../taxonomy/taxonomy.repository.ts';
import { childrenOf, type TaxonKind, taxonTables, withDescendants } from '../taxonomy/taxonomy.ts';
import {
  deleteProduct,
  deleteTaxon,
  moveChildren,
  moveProducts,
  productsRelatedTo,
  skusOf,
  unitsAt,
} from './catalogue-removal.repository.ts';
import {
  type CatalogueWriteDeps,
  changeCatalogueIn,
  lockCatalogue,
  stockChanged,
} from './catalogue-transaction.ts';
import { loadProductById } from './product-loader.repository.ts';
import { indexAround, indexProducts, type WriteContext } from './product-writer.ts';
import { productNosOf } from './products.repository.ts';

export interface TaxonUse {
  products: number;
  children: string[];
  /** Null for brands, tags and top-level categories. */
  parent: string | null;
}

export type CatalogueRemoval = ReturnType<typeof createCatalogueRemoval>;

export function createCatalogueRemoval(deps: CatalogueWriteDeps) {
  const change = (trx: Trx, work: (context: WriteContext) => Promise<void>) =>
    changeCatalogueIn(deps, trx, (context) => {
      // What is removed is rare, and shown in many places.
      context.touched.add(everything);
      return work(context);
    });
  return {
    /**
     * With the products that name it as related, and the modifier groups that take its SKUs; null if there is no such product.
     */
    async productUse(
      reader: Reader,
      id: string,
    ): Promise<{ skus: string[]; relatedFrom: string[]; takenBy: string[] } | null> {
      if (!(await loadProductById(reader, id))) return null;
      const skus = await skusOf(reader, id);
      const taking = (await allGroups(reader)).filter(({ modifiers }) =>
        modifiers.some(({ sku }) => skus.includes(sku ?? '')),
      );
      return {
        skus,
        relatedFrom: await productsRelatedTo(reader, id),
        takenBy: taking.map((group) => group.id),
      };
    },
    /** And the groups that open it; null if there is no such group. */
    async modifierGroupUse(
      reader: Reader,
      id: string,
    ): Promise<{ products: string[]; opens: string[] } | null> {
      const groups = await allGroups(reader);
      if (!groups.some((group) => group.id === id)) return null;
      const products = await productsUsing(reader, [id]);
      return {
        products: products.map((product) => product.id),
        opens: groups.filter(opening(id)).map((group) => group.id),
      };
    },
    async taxonUse(reader: Reader, kind: TaxonKind, id: string): Promise<TaxonUse | null> {
      const known = await loadNames(reader);
      if (!known[taxonTables[kind]].has(id)) return null;
      const products = (await productNosOf(reader, kind, [id])).length;
      if (kind !== 'category') return { products, children: [], parent: null };
      const children = childrenOf(known, id).map((child) => child.id);
      return { products, children, parent: known.categories.get(id)?.parentId ?? null };
    },
    unitsAt,

    removeModifierGroup: (trx: Trx, id: string) => change(trx, (context) => removeModifierGroup(context, id)),
    removeProduct: ({ trx, actor }: Pick<Change, 'actor' | 'trx'>, id: string) =>
      change(trx, (context) => removeProduct(context, id, actor)),
    /** Its products move to `to`, null if there are none or it is a tag; categories below to `childrenTo`. */
    removeTaxon: (
      trx: Trx,
      kind: TaxonKind,
      taxon: { id: string; to: string | null; childrenTo: string | null },
    ) => change(trx, (context) => removeTaxon(context, kind, taxon)),
    /** Products without units elsewhere become sold out. */
    async clearLocation({ trx, actor }: Change, location: string): Promise<void> {
      const skus = await removeLevels(deps.db, trx, { location }, { at: deps.now(), actor });
      // After the rows of `stock`, as sales do.
      await lockCatalogue(deps.db, trx);
      // Which of them have units elsewhere is not known.
      await stockChanged(deps, trx, { skus, crossed: new Set(skus) });
    },
  };
}

export async function removeProduct(context: WriteContext, id: string, actor: Actor): Promise<void> {
  const { db, trx, now } = context;
  const stored = await loadProductById(trx, id);
  if (!stored) return;
  await removeLevels(db, trx, { skus: await skusOf(trx, id) }, { at: now(), actor });
  await deleteProduct(trx, { no: stored.row.no, id });
  await indexProducts(context, [stored.row.no], { products: [stored], taxonomy: context.taxonomy });
}

function opening(id: string) {
  return (group: GroupRow) => opensOf(group).includes(id);
}

/** And from the groups that open it. */
async function removeModifierGroup(context: WriteContext, id: string): Promise<void> {
  const { trx, now } = context;
  const groups = await allGroups(trx);
  const products = await productsUsing(trx, [id]);
  const affected = await productsUsing(trx, openersOf(new Set([id]), groups));
  const change = async () => {
    for (const group of groups.filter(opening(id))) await putGroup(trx, withoutOpening(group, id));
    for (const { no, modifierGroups } of products)
      await setModifierGroups(trx, {
        no,
        modifierGroups: modifierGroups.filter(({ group }) => group !== id),
        at: now(),
      });
    await deleteGroup(trx, id);
    return context.taxonomy;
  };
  await indexAround(
    context,
    affected.map(({ no }) => no),
    change,
  );
}

function withoutOpening(group: GroupRow, id: string): GroupRow {
  return {
    ...group,
    modifiers: group.modifiers.map((each) => ({
      ...each,
      opens: each.opens.filter((other) => other !== id),
    })),
  };
}

async function removeTaxon(
  context: WriteContext,
  kind: TaxonKind,
  { id, to, childrenTo }: { id: string; to: string | null; childrenTo: string | null },
): Promise<void> {
  const { trx, media, taxonomy, now } = context;
  // Products are found by the names of the categories above their own.
  const affected = await productNosOf(trx, kind, kind === 'category' ? withDescendants(taxonomy, id) : [id]);
  await indexAround(context, affected, async () => {
    if (to !== null && affected.length > 0)
      await moveProducts(trx, kind, { from: id, to, at: now(), ...(kind === 'tag' && { nos: affected }) });
    if (kind === 'category') await moveChildren(trx, id, childrenTo);
    await deleteTaxon(trx, kind, id);
    return loadTaxonomy(trx, media);
  });
}
