/** Removing and merging categories, brands and tags in the office: what depends on them, and where their products go. */
import type { FastifyInstance } from 'fastify';
import { canonicalText } from '#contract/locales.ts';
import type { StaffBody, StaffResponse } from '#contract/staff/endpoints.ts';
import type { Database } from '#db/database.ts';
import { serveStaff } from '#server/http/staff-endpoint.ts';
import { type CatalogueRemoval, kindOf, type OfficeTaxonomy } from '#server/modules/catalogue/index.ts';
import type { ChangesService, RunChange } from '#server/modules/changes/index.ts';
import type { ContentRemoval } from '#server/modules/content/index.ts';
import type { RedirectsService, SettingsService, ShopSettings } from '#server/modules/settings/index.ts';
import { notFound, validationError } from '#server/platform/errors.ts';

export interface OfficeRemovalDeps {
  db: Database;
  changes: ChangesService;
  settings: SettingsService;
  redirects: RedirectsService;
  officeTaxonomy: OfficeTaxonomy;
  catalogueRemoval: CatalogueRemoval;
  contentRemoval: ContentRemoval;
}

type Kind = ReturnType<typeof kindOf>;

export const listedAt = { brand: '/brand', category: '/products', tag: '/tag' } as const;

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
      const { footer, menus } = await settings.all();
      const links = footer.links.filter(({ link }) => contentRemoval.linksTo(link, target));
      const served = kind === 'category' ? menus.filter(({ categories }) => categories.includes(id)) : [];
      return {
        ...{ products, children },
        mentions: [
          ...(await contentRemoval.mentionsOf(db.read, target)),
          ...links.map(({ label }) => ({ in: 'footer' as const, name: canonicalText(label), lists: false })),
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

export function registerOfficeRemoval(app: FastifyInstance, deps: OfficeRemovalDeps): void {
  const office = createOfficeRemoval(deps);
  serveStaff(app, 'taxonUse', ({ params }) => office.use(kindOf(params.kind), params.id));
  serveStaff(app, 'removeTaxon', async ({ permit, params, body }) => {
    const run = deps.changes.by(permit.actor, body.merge ? 'taxonomy merge' : 'taxonomy remove');
    await office.remove(run, kindOf(params.kind), params.id, body);
    return deps.officeTaxonomy.list(kindOf(params.kind));
  });
}
