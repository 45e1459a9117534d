/** The room Menus and modifiers: modifier groups and menus as the office edits and tries them. */
import type { FastifyInstance } from 'fastify';
import { canonicalText, type Locale, type LocalText } from '#contract/locales.ts';
import { isServedAt, type Menu, menusText } from '#contract/rules/menus.ts';
import { edited } from '#contract/rules/patch.ts';
import type { Patch } from '#contract/staff/endpoint.ts';
import type { StaffBody, StaffResponse } from '#contract/staff/endpoints.ts';
import type { GroupContent } from '#contract/staff/modifiers.ts';
import type { Reader } from '#db/database.ts';
import { serveStaff } from '#server/http/staff-endpoint.ts';
import { type Change, patched, type RunChange, revisionOf } from '#server/modules/changes/index.ts';
import { createSettingsEditor, type SettingsService, settingsOfRooms } from '#server/modules/settings/index.ts';
import type { StoresService } from '#server/modules/stores/index.ts';
import { InputError, notFound, validationError } from '#server/platform/errors.ts';
import { translate } from '#server/platform/i18n.ts';
import { schemaProblems } from '#server/platform/schema-problems.ts';
import { wallClock } from '#server/platform/time-zone.ts';
import { ModifierGroupInput } from '../modifiers/modifier-group-input.ts';
import { allGroups, type GroupRow, productsUsing, productsWithGroups } from '../modifiers/modifier-groups.repository.ts';
import { groupAlone, openersOf, shownGroups } from '../modifiers/modifier-groups.ts';
import { productCounts } from '../products/catalogue-removal.repository.ts';
import type { CatalogueRemoval } from '../products/catalogue-removal.ts';
import { markOutdated } from '../products/listings.repository.ts';
import type { CatalogueProduct } from '../products/product.ts';
import { loadProducts, loadProductsById } from '../products/product-loader.repository.ts';
import { loadNames } from '../taxonomy/taxonomy.repository.ts';
import { withDescendants } from '../taxonomy/taxonomy.ts';
import { labelledCategories } from './office-goods.ts';
import { indexInPieces, type OfficeTaxonomyDeps } from './office-taxonomy.ts';

interface OfficeModifiersDeps extends OfficeTaxonomyDeps {
  settings: SettingsService;
  stores: StoresService;
  catalogueRemoval: CatalogueRemoval;
}

const shownProducts = 50;

const contentOf = ({ position: _, ...content }: GroupRow): ModifierGroupInput => content;
const named = ({ id, name }: { id: string; name: LocalText }) => ({ name: id, nameContent: name });

async function listGroups(db: Reader): Promise<StaffResponse<'modifierGroups'>> {
  const groups = await allGroups(db);
  const products = await productsWithGroups(db);
  return {
    groups: groups.map((group) => {
      const asking = new Set(openersOf(new Set([group.id]), groups));
      return {
        ...{ id: group.id, name: group.name, setParts: group.setParts },
        modifiers: group.modifiers.map(({ name }) => name),
        products: products.filter(({ modifierGroups }) => modifierGroups.some((each) => asking.has(each.group))).length,
      };
    }),
  };
}

async function productsAsking(db: Reader, group: string): Promise<CatalogueProduct[]> {
  const nos = (await productsUsing(db, [group])).slice(0, shownProducts).map(({ no }) => no);
  return (await loadProducts(db, nos)).map(({ facts }) => facts);
}

/** By their canonical names: products share sizes. */
function optionsOf(products: readonly CatalogueProduct[]): StaffResponse<'modifierGroup'>['options'] {
  const options = new Map(products.flatMap((each) => each.options.map((option) => [canonicalText(option.name), option])));
  return [...options.values()].map(({ name, values }) => ({ name, values: values.map((value) => value.name) }));
}

const newGroup = { text: null, min: 0, max: 1, quantities: false, free: 0, setParts: false };

function createOfficeModifiers(deps: OfficeModifiersDeps) {
  const { db, settings, stores, catalogueRemoval } = deps;

  return {
    list: () => listGroups(db.read),

    async read(id: string): Promise<StaffResponse<'modifierGroup'>> {
      const revision = await revisionOf(db.read, { kind: 'modifierGroup', ids: [id] });
      const groups = await allGroups(db.read);
      const group = found(groups, id);
      const products = await productsAsking(db.read, id);
      return {
        revision,
        content: contentOf(group) as GroupContent,
        currency: (await settings.all()).currency,
        others: groups.filter((each) => each.id !== id).map(named),
        products: products.map(named),
        options: optionsOf(products),
      };
    },

    /** The group after the edits, with all that it opens. @throws {InputError} for what has not the form of a group */
    async try(id: string, edits: Patch['edits']): Promise<StaffResponse<'tryModifierGroup'>> {
      const groups = await allGroups(db.read);
      const group = { ...edited(contentOf(found(groups, id)), edits), id };
      check(group);
      const next = groups.map((each) => (each.id === id ? { ...group, position: each.position } : each));
      return { groups: shownGroups(groupAlone(id, next), await stores.soldOut()) };
    },

    /** @throws {AppError} for an id that is taken */
    add(run: RunChange, { id, name }: StaffBody<'addModifierGroup'>): Promise<void> {
      const group = { ...newGroup, id, name, modifiers: [newModifier('choice-1', name)] };
      // Before the transaction, as below: the form of a group takes a while to check for the first time.
      check(group);
      return put(deps, run, async ({ trx }) => {
        if ((await allGroups(trx)).some((each) => each.id === id)) throw validationError({ id: 'office.taxon.taken' });
        return group;
      });
    },

    /** @throws {AppError} CONFLICT; {InputError} naming every problem */
    async save(run: RunChange, id: string, patch: Patch): Promise<void> {
      check({ ...edited(contentOf(found(await allGroups(db.read), id)), patch.edits), id });
      await put(deps, run, async ({ trx }) => {
        const before = contentOf(found(await allGroups(trx), id));
        const group = { ...(await patched(trx, { kind: 'modifierGroup', ids: [id] }, before, patch)), id };
        check(group);
        return group;
      });
    },

    /** @throws {AppError} 404 */
    async remove({ trx, note }: Change, id: string): Promise<void> {
      found(await allGroups(trx), id);
      await catalogueRemoval.removeModifierGroup(trx, id);
      note('modifierGroup', id);
    },
  };
}

function createOfficeMenus({ db, now, settings, stores }: OfficeModifiersDeps) {
  const menus = createSettingsEditor({ db, settings }, settingsOfRooms.menus);
  return {
    ...menus,
    async document(): Promise<StaffResponse<'menus'>> {
      const [document, names, all] = [await menus.read(), await loadNames(db.read), await stores.all()];
      const ids = (await settings.all()).menus.flatMap(({ products }) => products);
      return {
        ...document,
        categories: labelledCategories(names),
        groups: (await allGroups(db.read)).map(named),
        stores: all.map(named),
        products: (ids.length === 0 ? [] : await loadProductsById(db.read, ids)).map(({ facts }) => named(facts)),
      };
    },
    /** @throws {AppError} 404; {InputError} */
    async try(id: string, edits: Patch['edits'], locale: Locale): Promise<StaffResponse<'tryMenus'>> {
      const menu: Menu = (await menus.with(edits)).menus.find((each) => each.id === id) ?? missing();
      const names = await loadNames(db.read);
      const counts = await productCounts(db.read, 'category');
      const below = new Set(menu.categories.flatMap((each) => withDescendants(names, each)));
      const serving = (await stores.all()).filter((store) => menu.stores.length === 0 || menu.stores.includes(store.id));
      return {
        times: menusText([{ ...menu, name: {} }], locale, translate(locale)).join(''),
        stores: serving.map(({ name, timeZone }) => ({ name, now: isServedAt(menu, wallClock(now(), timeZone)) })),
        inCategories: [...below].reduce((sum, each) => sum + (counts.get(each) ?? 0), 0),
      };
    },
  };
}

/** @throws {AppError} 404 */
const found = (groups: readonly GroupRow[], id: string): GroupRow => groups.find((each) => each.id === id) ?? missing();

const missing = (): never => {
  throw notFound();
};

/** Saves one; the products that ask for it follow in pieces. */
async function put(
  deps: OfficeModifiersDeps,
  run: RunChange,
  make: (change: Change) => Promise<ModifierGroupInput>,
): Promise<void> {
  const nos = await run(async (change) => {
    await deps.editor.lock(change.trx);
    let left: readonly number[] = [];
    await deps.editor.upsertModifierGroups(change, [await make(change)], new Set(), (asking) => {
      left = asking;
    });
    if (left.length > 0) await markOutdated(change.trx);
    return left;
  });
  if (nos.length > 0) await indexInPieces(deps, nos, null);
}

function check(group: ModifierGroupInput): void {
  const problems = schemaProblems(ModifierGroupInput, group);
  if (problems.length > 0)
    throw new InputError(problems.map((each) => ({ ...each, path: ['modifierGroups', group.id, ...each.path] })));
}

const newModifier = (id: string, name: LocalText): ModifierGroupInput['modifiers'][number] => ({
  ...{ id, name, priceCents: 0, prices: [], default: 0, sku: null, dietaryMarks: [], allergens: [], opens: [] },
  ...{ taxClass: null, singleServings: 1, hidden: false },
});

export function registerOfficeModifiers(app: FastifyInstance, deps: OfficeModifiersDeps): void {
  const office = createOfficeModifiers(deps);
  const menus = createOfficeMenus(deps);
  const { changes } = deps;
  serveStaff(app, 'modifierGroups', () => office.list());
  serveStaff(app, 'modifierGroup', ({ params }) => office.read(params.group));
  serveStaff(app, 'tryModifierGroup', ({ params, body }) => office.try(params.group, body.edits));
  serveStaff(app, 'addModifierGroup', async ({ permit, body }) => {
    await office.add(changes.by(permit.actor, 'modifiers add'), body);
    return office.read(body.id);
  });
  serveStaff(app, 'saveModifierGroup', async ({ permit, params, body }) => {
    await office.save(changes.by(permit.actor, 'modifiers change'), params.group, body);
    return office.read(params.group);
  });
  serveStaff(app, 'removeModifierGroup', async ({ permit, params }) => {
    await changes.run(permit.actor, 'modifiers remove', (change) => office.remove(change, params.group));
    return office.list();
  });
  serveStaff(app, 'menus', () => menus.document());
  serveStaff(app, 'saveMenus', async ({ permit, body }) => {
    await menus.save(changes.by(permit.actor, 'menus change'), body);
    return menus.document();
  });
  serveStaff(app, 'tryMenus', ({ params, body, lang }) => menus.try(params.menu, body.edits, lang));
}
