/** Says what depends on a part of the shop, and removes it in one transaction. */
import type { FastifyInstance } from 'fastify';
import { canonicalText } from '#contract/locales.ts';
import { documentCallNames, documentKinds, documentNames, isFixed } from '#contract/staff/document-names.ts';
import type { StaffBody, StaffResponse } from '#contract/staff/endpoints.ts';
import { type StaffMessageKey, type StaffPluralKey, staffTranslate } from '#contract/staff/messages.ts';
import type { Database, Reader } from '#db/database.ts';
import { serveStaff } from '#server/http/staff-endpoint.ts';
import { type CatalogueRemoval, kindOf, type OfficeTaxonomy } from '#server/modules/catalogue/index.ts';
import type { Change, ChangesService, RunChange } from '#server/modules/changes/index.ts';
import type { ContentRemoval, MentionTarget } from '#server/modules/content/index.ts';
import type { CouponsService, OrderRemoval } from '#server/modules/orders/index.ts';
import {
  navigationLinks,
  type RedirectsService,
  type SettingsService,
  type ShopSettings,
} from '#server/modules/settings/index.ts';
import type { StoresService } from '#server/modules/stores/index.ts';
import { notFound, OperationError, validationError } from '#server/platform/errors.ts';

/** Removing and merging categories, brands and tags in the office: what depends on them, and where their products go. */
export interface OfficeRemovalDeps {
  db: Database;
  changes: ChangesService;
  settings: SettingsService;
  redirects: RedirectsService;
  officeTaxonomy: OfficeTaxonomy;
  catalogueRemoval: CatalogueRemoval;
  contentRemoval: ContentRemoval;
  removal: RemovalService;
}

type Kind = ReturnType<typeof kindOf>;

const listedAt = { brand: '/brand', category: '/products', tag: '/tag' } as const;

function createOfficeRemoval({ db, settings, redirects, officeTaxonomy, catalogueRemoval, contentRemoval }: OfficeRemovalDeps) {
  /** @throws {AppError} 404 */
  async function use(kind: Kind, id: string) {
    const found = await catalogueRemoval.taxonUse(db.read, kind, id);
    if (!found) throw notFound();
    return found;
  }

  return {
    async use(kind: Kind, id: string): Promise<StaffResponse<'taxonUse'>> {
      const { products, children } = await use(kind, id);
      const target = { paths: [`${listedAt[kind]}/${id}`], collection: { type: kind, name: id } };
      const shop = await settings.all();
      const links = navigationLinks(shop).filter(({ link }) => contentRemoval.linksTo(link, target));
      const served = kind === 'category' ? shop.menus.filter(({ categories }) => categories.includes(id)) : [];
      return {
        ...{ products, children },
        mentions: [
          ...(await contentRemoval.mentionsOf(db.read, target)),
          ...links.map(({ label, place }) => ({ in: place, name: canonicalText(label), lists: false })),
          ...served.map(({ name }) => ({ in: 'menu' as const, name: canonicalText(name), lists: true })),
        ],
      };
    },

    /** @throws {AppError} naming the field, with nothing changed */
    async remove(run: RunChange, kind: Kind, id: string, { to, merge }: StaffBody<'removeTaxon'>): Promise<void> {
      const { products, parent } = await use(kind, id);
      const { taxons } = await officeTaxonomy.list(kind);
      const parents = new Map(taxons.map((each) => [each.id, each.parent]));
      if (to === null ? merge || (kind !== 'tag' && products > 0) : to === id || !parents.has(to))
        throw validationError({ to: 'office.taxon.chooseOther' });
      for (let above = to; above !== null; above = parents.get(above) ?? null)
        if (above === id) throw validationError({ to: 'office.taxon.below' });
      await officeTaxonomy.empty(run, kind, { id, to, childrenTo: merge ? to : parent });
      await run(async (change) => {
        await officeTaxonomy.remove(change, kind, id);
        const changed = without(await settings.read(change.trx), kind, id, merge ? to : null);
        if (Object.keys(changed).length > 0) await settings.update(change, changed);
        const address = (each: string) => `${listedAt[kind]}/${each}`;
        if (merge && to !== null) await redirects.put(change, [{ from: address(id), to: address(to) }]);
        change.note(kind, id);
      });
    },
  };
}

/** The settings that name it, with another one in its place, or none. */
function without(all: ShopSettings, kind: Kind, id: string, to: string | null): Partial<ShopSettings> {
  const replaced = (ids: readonly string[]) => [...new Set(ids.flatMap((each) => (each === id ? (to ?? []) : [each])))];
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

/** Serves what removing a document would change elsewhere, and removing it. */
function registerDocumentRemoval(app: FastifyInstance, { db, changes, removal }: OfficeRemovalDeps): void {
  for (const kind of documentNames) {
    if (isFixed(kind)) continue;
    const { use, remove } = documentCallNames(kind);
    const { action, scope } = documentKinds[kind];
    serveStaff(app, use, async ({ permit, params: { id }, lang }) => {
      if (scope === 'store' && !permit.reaches(id)) throw notFound();
      const t = staffTranslate(lang);
      try {
        const affected = await removal.affected(db.read, kind, id);
        return { refused: null, affected: affected.map(({ key, values }) => t(key, values)) };
      } catch (error) {
        if (!(error instanceof OperationError) || error.key === unknownKey) throw error;
        return { refused: t(error.key, error.values), affected: [] };
      }
    });
    serveStaff(app, remove, async ({ permit, params: { id } }) => {
      // Others of the shop are concerned.
      if (!permit.reaches(null)) throw notFound();
      await changes.run(permit.actor, `${action} remove`, (change) =>
        removal.remove(change, { kind, id, to: null, confirmed: true }),
      );
    });
  }
}

export function registerOfficeRemoval(app: FastifyInstance, deps: OfficeRemovalDeps): void {
  const office = createOfficeRemoval(deps);
  registerDocumentRemoval(app, deps);
  serveStaff(app, 'taxonUse', ({ params }) => office.use(kindOf(params.kind), params.id));
  serveStaff(app, 'removeTaxon', async ({ permit, params, body }) => {
    const run = deps.changes.by(permit.actor, body.merge ? 'taxonomy merge' : 'taxonomy remove');
    await office.remove(run, kindOf(params.kind), params.id, body);
    return deps.officeTaxonomy.list(kindOf(params.kind));
  });
}

export const removalKinds = ['store', 'brand', 'category', 'tag', 'modifierGroup', 'coupon', 'product', 'page', 'post'] as const;
export type RemovalKind = (typeof removalKinds)[number];

interface RemovalRequest {
  kind: RemovalKind;
  id: string;
  to: string | null;
  /** Although something depends on it. */
  confirmed: boolean;
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
  stores: StoresService;
  catalogueRemoval: CatalogueRemoval;
  contentRemoval: ContentRemoval;
  orderRemoval: OrderRemoval;
  coupons: Pick<CouponsService, 'find' | 'remove'>;
}

interface Remover {
  /** @throws {OperationError} if there is no such part, or it cannot be removed */
  affected(reader: Reader, id: string, to: string | null): Promise<Said[]>;
  remove(change: Change, id: string, to: string | null): Promise<void>;
}

const placedPages: Readonly<Record<string, Said['key']>> = { home: 'removal.placed.home', contact: 'removal.placed.contact' };

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
  };
  return {
    /** What removing it would change elsewhere. @throws {OperationError} as `remove` */
    affected: (reader: Reader, kind: RemovalKind, id: string): Promise<Said[]> => byKind[kind].affected(reader, id, null),
    /** @throws {OperationError} if there is no such part, or it cannot be removed; nothing has changed then */
    async remove(change: Change, { kind, id, to, confirmed }: RemovalRequest): Promise<RemovalReport> {
      const affected = await byKind[kind].affected(change.trx, id, to);
      const removed = affected.length === 0 || confirmed;
      if (removed) await byKind[kind].remove(change, id, to);
      change.note(kind, id, removed ? undefined : []);
      return { removed, affected };
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
function taxonRemover(deps: RemovalDeps, kind: 'brand' | 'category' | 'tag'): Remover {
  const { catalogueRemoval } = deps;
  return {
    async affected(reader, id, to) {
      const use = await catalogueRemoval.taxonUse(reader, kind, id);
      if (!use) throw unknown(kind, id);
      if (to !== null && (to === id || !(await catalogueRemoval.taxonUse(reader, kind, to))))
        throw new OperationError(`removal.notOther.${kind}`, { to });
      const { products, children, parent } = use;
      const heir = to ?? parent;
      if (kind !== 'tag' && products > 0 && heir === null)
        throw new OperationError(`removal.needsOther.${kind}`, { id, count: products });
      return [
        ...(products > 0 ? [said(`removal.products.${kind}`, { count: products, to: heir ?? '' })] : []),
        ...children.map((child) =>
          parent === null ? said('removal.child.top', { child }) : said('removal.child', { child, parent }),
        ),
        ...(await mentions(deps, reader, { paths: [`${listedAt[kind]}/${id}`], collection: { type: kind, name: id } })),
      ];
    },
    async remove({ trx }, id, to) {
      const use = await catalogueRemoval.taxonUse(trx, kind, id);
      await catalogueRemoval.removeTaxon(trx, kind, { id, to: to ?? use?.parent ?? null });
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
        ...(await mentions(deps, reader, { paths: [`/product/${id}`], collection: null })),
      ];
    },
    async remove(change, id) {
      const use = await catalogueRemoval.productUse(change.trx, id);
      await orderRemoval.removeSkusFromCarts(change.trx, use?.skus ?? []);
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
      return mentions(deps, reader, { paths: [`/${name}`, `/page/${name}`], collection: null }, { page: name });
    },
    remove: ({ trx }, name) => contentRemoval.removePage(trx, name),
  };
}

function postRemover(deps: RemovalDeps): Remover {
  const { contentRemoval } = deps;
  return {
    async affected(reader, link) {
      if (!(await contentRemoval.hasPost(reader, link))) throw unknown('post', link);
      return mentions(deps, reader, { paths: [`/blog/post/${link}`], collection: null }, { post: link });
    },
    remove: ({ trx }, link) => contentRemoval.removePost(trx, link),
  };
}

/** What pages, posts, the gallery, the header and the footer say about a part. */
async function mentions(
  { contentRemoval, settings }: Pick<RemovalDeps, 'contentRemoval' | 'settings'>,
  reader: Reader,
  target: MentionTarget,
  except: { page?: string; post?: string } = {},
): Promise<Said[]> {
  const links = navigationLinks(await settings.read(reader)).filter(({ link }) => contentRemoval.linksTo(link, target));
  return [
    ...links.map(({ label, place }) => said(`removal.${place}`, { label: canonicalText(label) })),
    ...(await contentRemoval.mentionsOf(reader, target, except)).map(({ in: kind, name, block = '', lists }) =>
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
