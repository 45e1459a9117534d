/** Says what depends on a part of the shop, and removes it in one transaction. */
import type { FastifyInstance } from 'fastify';
import { postPath } from '#contract/limits.ts';
import { canonicalText } from '#contract/locales.ts';
import { documentCallNames, documentKinds, documentNames, isFixed } from '#contract/staff/document-names.ts';
import { type StaffMessageKey, type StaffPluralKey, staffTranslate } from '#contract/staff/messages.ts';
import type { Database, Reader, Trx } from '#db/database.ts';
import { serveStaff } from '#server/http/staff-endpoint.ts';
import type { CatalogueRemoval, OfficeTaxonomy, TaxonKind } from '#server/modules/catalogue/index.ts';
import {
  type Change,
  type ChangesService,
  type RunChange,
  revisionOf,
} from '#server/modules/changes/index.ts';
import type { ContentRemoval, MentionTarget } from '#server/modules/content/index.ts';
import {
  type CouponItem,
  type CouponsService,
  isOnlyFor,
  type OrderRemoval,
} from '#server/modules/orders/index.ts';
import {
  navigationLinks,
  type RedirectsService,
  type SettingsService,
  type ShopSettings,
} from '#server/modules/settings/index.ts';
import type { StoresService } from '#server/modules/stores/index.ts';
import { notFound, OperationError, validationError } from '#server/platform/errors.ts';
import { saidAhead } from '#server/platform/trials.ts';

export interface OfficeRemovalDeps {
  db: Database;
  changes: ChangesService;
  removal: RemovalService;
}

/** Where the products of a category, brand or tag go; merged, what is below it and its address as well. */
interface Heir {
  to: string | null;
  merge: boolean;
}
const noHeir: Heir = { to: null, merge: false };

const listedAt = { brand: '/brand', category: '/products', tag: '/tag' } as const;

/** The settings that name it, with another one in its place, or none. */
function without(all: ShopSettings, kind: TaxonKind, id: string, to: string | null): Partial<ShopSettings> {
  const replaced = (ids: readonly string[]) => [
    ...new Set(ids.flatMap((each) => (each === id ? (to ?? []) : [each]))),
  ];
  const { menus, listFilters, returnsLine } = all;
  if (kind === 'tag' && listFilters.tags.includes(id))
    return { listFilters: { ...listFilters, tags: replaced(listFilters.tags) } };
  if (kind !== 'category') return {};
  return {
    ...(menus.some(({ categories }) => categories.includes(id))
      ? { menus: menus.map((menu) => ({ ...menu, categories: replaced(menu.categories) })) }
      : {}),
    ...(returnsLine?.categories?.includes(id)
      ? { returnsLine: { ...returnsLine, categories: replaced(returnsLine.categories) } }
      : {}),
  };
}

/** What is wrong with the heir, at its field. */
function atField(error: unknown): unknown {
  const isHeir =
    error instanceof OperationError && /^removal\.(needsOther|notOther|mergeInto|below)/.test(error.key);
  return isHeir ? validationError({ to: { key: error.key, values: error.values } }) : error;
}

/** Serves what removing a document would change elsewhere, and removing it. */
export function registerOfficeRemoval(
  app: FastifyInstance,
  { db, changes, removal }: OfficeRemovalDeps,
): void {
  for (const kind of documentNames) {
    if (isFixed(kind)) continue;
    const { use, remove } = documentCallNames(kind);
    const { action, scope } = documentKinds[kind];
    serveStaff(app, use, async ({ permit, params: { id }, query, lang }) => {
      if (scope === 'store' && !permit.reaches(id)) throw notFound();
      const t = staffTranslate(lang);
      try {
        const affected = await removal.affected(db.read, kind, id, { ...noHeir, ...query });
        return { refused: null, affected: affected.map(({ key, values }) => t(key, values)) };
      } catch (error) {
        if (!(error instanceof OperationError) || error.key === unknownKey) throw error;
        return { refused: t(error.key, error.values), affected: [] };
      }
    });
    serveStaff(app, remove, async ({ permit, params: { id }, body }) => {
      // Others of the shop are concerned.
      if (!permit.reaches(null)) throw notFound();
      const heir: Heir = { ...noHeir, ...body };
      const words = `${action} ${heir.merge ? 'merge' : 'remove'}`;
      const by = { run: changes.by(permit.actor, words), action: words };
      await removal.removeInPieces(db, by, { kind, id, ...heir }).catch((error: unknown) => {
        throw atField(error);
      });
    });
  }
}

export const removalKinds = [
  'store',
  'brand',
  'category',
  'tag',
  'modifierGroup',
  'coupon',
  'product',
  'page',
  'post',
  'redirect',
  'webhook',
] as const;
export type RemovalKind = (typeof removalKinds)[number];

interface RemovalRequest extends Omit<Heir, 'merge'> {
  kind: RemovalKind;
  id: string;
  merge?: boolean;
}

interface RemovalReport {
  /** False if something depends on it and the request was not confirmed; then nothing has changed. */
  removed: boolean;
  affected: Said[];
}

/** What depends on a part, and what becomes of it. */
export interface Said {
  key: StaffMessageKey | StaffPluralKey;
  values: Record<string, string | number>;
}

const said = (key: Said['key'], values: Said['values'] = {}): Said => ({ key, values });

export interface RemovalDeps {
  now: () => number;
  settings: SettingsService;
  redirects: RedirectsService;
  stores: StoresService;
  officeTaxonomy: Pick<OfficeTaxonomy, 'empty'>;
  catalogueRemoval: CatalogueRemoval;
  contentRemoval: ContentRemoval;
  orderRemoval: OrderRemoval;
  webhooks: {
    contents(reader: Reader): Promise<readonly { id: string }[]>;
    drop(trx: Trx, id: string): Promise<void>;
  };
  coupons: Pick<CouponsService, 'find' | 'remove' | 'namedBy' | 'replaceItem'>;
}

interface Remover {
  /** That of the document, where another name is understood as well. @throws {OperationError} if there is no such part */
  documentId?(reader: Reader, name: string): Promise<string>;
  /** @throws {OperationError} if there is no such part, or it cannot be removed */
  affected(reader: Reader, id: string, heir: Heir): Promise<Said[]>;
  /** Does in transactions of its own what would take too long in one; ended halfway, it can be begun again. */
  empty?(reader: Reader, run: RunChange, id: string, heir: Heir): Promise<void>;
  remove(change: Change, id: string, heir: Heir): Promise<void>;
}

const placedPages: Readonly<Record<string, Said['key']>> = {
  home: 'removal.placed.home',
  contact: 'removal.placed.contact',
};

export type RemovalService = ReturnType<typeof createRemovalService>;

export function createRemovalService(deps: RemovalDeps) {
  const byKind: Readonly<Record<RemovalKind, Remover>> = {
    store: storeRemover(deps),
    brand: taxonRemover(deps, 'brand'),
    category: taxonRemover(deps, 'category'),
    tag: taxonRemover(deps, 'tag'),
    modifierGroup: modifierGroupRemover(deps),
    coupon: couponRemover(deps),
    product: productRemover(deps),
    page: pageRemover(deps),
    post: postRemover(deps),
    redirect: redirectRemover(deps),
    webhook: webhookRemover(deps),
  };
  /** @throws {OperationError} if there is no such part, or it cannot be removed; nothing has changed then */
  async function remove(
    change: Change,
    { kind, id: name, to, merge = false, confirmed }: RemovalRequest & { confirmed: boolean },
  ): Promise<RemovalReport> {
    const id = (await byKind[kind].documentId?.(change.trx, name)) ?? name;
    const affected = await byKind[kind].affected(change.trx, id, { to, merge });
    const removed = affected.length === 0 || confirmed;
    if (removed) await byKind[kind].remove(change, id, { to, merge });
    change.note(kind, id, removed ? undefined : []);
    return { removed, affected };
  }
  return {
    /** What removing it would change elsewhere. @throws {OperationError} as `remove` */
    affected: (reader: Reader, kind: RemovalKind, id: string, heir: Heir = noHeir): Promise<Said[]> =>
      byKind[kind].affected(reader, id, heir),
    remove,
    /** Each transaction is as short as those of the staff are. @throws {OperationError} as `remove` */
    async removeInPieces(
      db: Database,
      { run, action }: { run: RunChange; action: string },
      request: RemovalRequest,
    ): Promise<void> {
      const { kind, id, to, merge = false } = request;
      await byKind[kind].affected(db.read, id, { to, merge });
      const sayAll = async (trx: Trx) => [
        {
          action,
          kind,
          id,
          fields: null,
          was: await revisionOf(trx, { kind, ids: [id] }),
          beyond: await byKind[kind].affected(trx, id, { to, merge }),
        },
      ];
      await saidAhead(db, sayAll, async () => {
        await byKind[kind].empty?.(db.read, run, id, { to, merge });
        await run((change) => remove(change, { ...request, confirmed: true }));
      });
    },
  };
}

function storeRemover({ now, settings, stores, catalogueRemoval, orderRemoval }: RemovalDeps): Remover {
  return {
    async affected(reader, id) {
      const store = (await stores.read(reader)).find((each) => each.id === id);
      if (!store) throw unknown('store', id);
      if (store.mainStore) throw new OperationError('removal.mainStore', { id });
      const { carts, orders } = await orderRemoval.ordersAtStore(reader, id);
      const units = await catalogueRemoval.unitsAt(reader, id);
      return [
        ...orders.map((number) => said('removal.order.store', { number })),
        ...(carts > 0 ? [said('removal.carts.store', { count: carts })] : []),
        ...(units > 0 ? [said('removal.units', { count: units })] : []),
      ];
    },
    async remove(change, id) {
      const { trx } = change;
      // Stock before the catalogue, as sales lock them.
      await catalogueRemoval.clearLocation(change, id);
      await orderRemoval.removeStoreFromCarts(trx, id);
      const { newOrderEmails } = await settings.read(trx);
      const { [id]: removed, ...addresses } = newOrderEmails.addresses;
      if (removed) await settings.update(change, { newOrderEmails: { ...newOrderEmails, addresses } });
      await stores.remove(trx, id, now());
    },
  };
}

/** Every product has a brand and a category, so the products of a removed one move to another. */
function taxonRemover(deps: RemovalDeps, kind: TaxonKind): Remover {
  const { settings, redirects, officeTaxonomy, catalogueRemoval } = deps;
  const address = (id: string) => `${listedAt[kind]}/${id}`;

  async function usedBy(reader: Reader, id: string) {
    const use = await catalogueRemoval.taxonUse(reader, kind, id);
    if (!use) throw unknown(kind, id);
    return use;
  }

  /** @throws {OperationError} for what cannot take its place */
  async function checkHeir(reader: Reader, id: string, { to, merge }: Heir): Promise<void> {
    if (to === null && merge) throw new OperationError('removal.mergeInto');
    if (to === null) return;
    const heir = to === id ? null : await catalogueRemoval.taxonUse(reader, kind, to);
    if (!heir) throw new OperationError(`removal.notOther.${kind}`, { to });
    // What is below it would be below itself.
    for (let above = heir.parent; merge && above !== null; above = (await usedBy(reader, above)).parent)
      if (above === id) throw new OperationError('removal.below', { to });
  }

  return {
    async affected(reader, id, heir) {
      const { products, children, parent } = await usedBy(reader, id);
      await checkHeir(reader, id, heir);
      const to = heir.to ?? parent;
      if (kind !== 'tag' && products > 0 && to === null)
        throw new OperationError(`removal.needsOther.${kind}`, { id, count: products });
      const moved = kind === 'tag' && to !== null ? 'removal.retag' : (`removal.products.${kind}` as const);
      const above = heir.merge ? to : parent;
      const { menus } = await settings.read(reader);
      const serving = kind === 'category' ? menus.filter(({ categories }) => categories.includes(id)) : [];
      return [
        ...(products > 0 ? [said(moved, { count: products, to: to ?? '' })] : []),
        ...children.map((child) =>
          above === null
            ? said('removal.child.top', { child })
            : said('removal.child', { child, parent: above }),
        ),
        ...serving.map(({ name }) =>
          heir.merge
            ? said('removal.menu.to', { label: canonicalText(name), to: to ?? '' })
            : said('removal.menu', { label: canonicalText(name) }),
        ),
        ...(kind === 'category' ? await couponsSaid(deps, reader, { kind, id }, heir.merge ? to : null) : []),
        ...(await mentions(deps, reader, { paths: [address(id)], collection: { type: kind, name: id } })),
      ];
    },
    async empty(reader, run, id, { to, merge }) {
      const { parent } = await usedBy(reader, id);
      await officeTaxonomy.empty(run, kind, { id, to: to ?? parent, childrenTo: merge ? to : parent });
    },
    async remove(change, id, { to, merge }) {
      const { trx } = change;
      const { parent } = await usedBy(trx, id);
      await catalogueRemoval.removeTaxon(trx, kind, {
        id,
        to: to ?? parent,
        childrenTo: merge ? to : parent,
      });
      const changed = without(await settings.read(trx), kind, id, merge ? to : null);
      if (Object.keys(changed).length > 0) await settings.update(change, changed);
      if (kind === 'category') await deps.coupons.replaceItem(change, { kind, id }, merge ? to : null);
      if (merge && to !== null) await redirects.put(change, [{ from: address(id), to: address(to) }]);
    },
  };
}

function modifierGroupRemover({ catalogueRemoval }: RemovalDeps): Remover {
  return {
    async affected(reader, id) {
      const use = await catalogueRemoval.modifierGroupUse(reader, id);
      if (!use) throw unknown('modifierGroup', id);
      return [
        ...use.products.map((product) => said('removal.asks', { product })),
        ...use.opens.map((group) => said('removal.opens', { group })),
      ];
    },
    remove: ({ trx }, id) => catalogueRemoval.removeModifierGroup(trx, id),
  };
}

/** What becomes of the coupons that are for a product or category. */
async function couponsSaid(
  { coupons }: RemovalDeps,
  reader: Reader,
  item: CouponItem,
  to: string | null,
): Promise<Said[]> {
  return (await coupons.namedBy(reader, item)).map((coupon) => {
    const { code } = coupon;
    if (to !== null) return said('removal.coupon.to', { code, to });
    return said(isOnlyFor(coupon) ? 'removal.coupon.ends' : 'removal.coupon.less', { code });
  });
}

/** Orders keep the coupon that they have used. */
function couponRemover({ coupons }: RemovalDeps): Remover {
  return {
    async affected(reader, code) {
      const found = await coupons.find(reader, code);
      if (!found) throw unknown('coupon', code);
      if (found.used > 0) throw new OperationError('removal.couponUsed', { code });
      return [];
    },
    remove: ({ trx }, code) => coupons.remove(trx, code),
  };
}

function productRemover(deps: RemovalDeps): Remover {
  const { catalogueRemoval, orderRemoval } = deps;
  return {
    async affected(reader, id) {
      const use = await catalogueRemoval.productUse(reader, id);
      if (!use) throw unknown('product', id);
      const [taken] = use.takenBy;
      if (taken !== undefined) throw new OperationError('removal.taken', { group: taken, id });
      const { carts, orders } = await orderRemoval.ordersWithSkus(reader, use.skus);
      return [
        ...orders.map((number) => said('removal.order.product', { number })),
        ...(carts > 0 ? [said('removal.carts.product', { count: carts })] : []),
        ...use.relatedFrom.map((product) => said('removal.related', { product })),
        ...(await couponsSaid(deps, reader, { kind: 'product', id }, null)),
        ...(await mentions(deps, reader, { paths: [`/product/${id}`], collection: null })),
      ];
    },
    async remove(change, id) {
      const use = await catalogueRemoval.productUse(change.trx, id);
      await orderRemoval.removeSkusFromCarts(change.trx, use?.skus ?? []);
      await deps.coupons.replaceItem(change, { kind: 'product', id }, null);
      await catalogueRemoval.removeProduct(change, id);
    },
  };
}

function pageRemover(deps: RemovalDeps): Remover {
  const { contentRemoval } = deps;
  return {
    async affected(reader, name) {
      if (!(await contentRemoval.hasPage(reader, name))) throw unknown('page', name);
      const placed = placedPages[name];
      // The addresses of these pages go on to answer.
      if (placed !== undefined) return [said(placed)];
      return mentions(
        deps,
        reader,
        { paths: [`/${name}`, `/page/${name}`], collection: null },
        { page: name },
      );
    },
    remove: ({ trx }, name) => contentRemoval.removePage(trx, name),
  };
}

function postRemover(deps: RemovalDeps): Remover {
  const { contentRemoval } = deps;
  /** Commands name it by its link. @throws {OperationError} */
  async function found(reader: Reader, name: string) {
    const post = await contentRemoval.postNamed(reader, name);
    if (!post) throw unknown('post', name);
    return post;
  }
  return {
    documentId: async (reader, name) => (await found(reader, name)).id,
    async affected(reader, name) {
      const { id, link } = await found(reader, name);
      return mentions(deps, reader, { paths: [postPath(link)], collection: null }, { post: id });
    },
    remove: ({ trx }, id) => contentRemoval.removePost(trx, id),
  };
}

function redirectRemover({ redirects }: RemovalDeps): Remover {
  return {
    async affected(reader, path) {
      if (!(await redirects.find(reader, path))) throw unknown('redirect', path);
      return [];
    },
    remove: ({ trx }, path) => redirects.remove(trx, path),
  };
}

function webhookRemover({ webhooks }: RemovalDeps): Remover {
  return {
    async affected(reader, id) {
      if (!(await webhooks.contents(reader)).some((each) => each.id === id)) throw unknown('webhook', id);
      return [];
    },
    remove: ({ trx }, id) => webhooks.drop(trx, id),
  };
}

/** What pages, posts, the gallery, the header and the footer say about a part. */
async function mentions(
  { contentRemoval, settings }: Pick<RemovalDeps, 'contentRemoval' | 'settings'>,
  reader: Reader,
  target: MentionTarget,
  except: { page?: string; post?: string } = {},
): Promise<Said[]> {
  const links = navigationLinks(await settings.read(reader)).filter(({ link }) =>
    contentRemoval.linksTo(link, target),
  );
  return [
    ...links.map(({ label, place }) => said(`removal.${place}`, { label: canonicalText(label) })),
    ...(await contentRemoval.mentionsOf(reader, target, except)).map(
      ({ in: kind, name, block = '', lists }) =>
        kind === 'page'
          ? said(`removal.mention.page.${lists ? 'lists' : 'links'}`, { name, block })
          : said(`removal.mention.${kind}.links`, { name }),
    ),
  ];
}

const unknownKey = 'removal.unknown';

function unknown(kind: RemovalKind, id: string): OperationError {
  return new OperationError(unknownKey, { kind, id });
}
