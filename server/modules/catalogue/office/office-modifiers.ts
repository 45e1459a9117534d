/** The room Menus and modifiers: modifier groups and menus as the office edits and tries them. */
import type { FastifyInstance } from 'fastify';
import { canonicalText, type Locale, type LocalText } from '#contract/locales.ts';
import { isServedAt, type Menu, menusText } from '#contract/rules/menus.ts';
import { ModifierGroupInput } from '#contract/schemas/modifier-input.ts';
import type { Patch } from '#contract/staff/endpoint.ts';
import type { StaffBody, StaffResponse } from '#contract/staff/endpoints.ts';
import type { Reader } from '#db/database.ts';
import { serveStaff } from '#server/http/staff-endpoint.ts';
import { createDocuments, type DocumentKind, serveDocuments } from '#server/modules/changes/index.ts';
import {
  createSettingsEditor,
  type SettingsService,
  settingsOfRooms,
} from '#server/modules/settings/index.ts';
import type { StoresService } from '#server/modules/stores/index.ts';
import { notFound, validationError } from '#server/platform/errors.ts';
import { translate } from '#server/platform/i18n.ts';
import { wallClock } from '#server/platform/time-zone.ts';
import {
  allGroups,
  contentOf,
  groupsById,
  productsUsing,
  productsWithGroups,
} from '../modifiers/modifier-groups.repository.ts';
import { groupAlone, openersOf, shownGroups } from '../modifiers/modifier-groups.ts';
import { productCounts } from '../products/catalogue-removal.repository.ts';
import { markOutdated } from '../products/listings.repository.ts';
import type { CatalogueProduct } from '../products/product.ts';
import { loadProducts } from '../products/product-loader.repository.ts';
import { productNames } from '../products/products.repository.ts';
import { loadNames } from '../taxonomy/taxonomy.repository.ts';
import { withDescendants } from '../taxonomy/taxonomy.ts';
import { labelledCategories } from './office-goods.ts';
import { indexInPieces, type OfficeTaxonomyDeps } from './office-taxonomy.ts';

interface OfficeModifiersDeps extends OfficeTaxonomyDeps {
  settings: SettingsService;
  stores: StoresService;
}

const shownProducts = 50;

const named = ({ id, name }: { id: string; name: LocalText }) => ({ name: id, nameContent: name });

async function listGroups(db: Reader): Promise<StaffResponse<'modifierGroups'>> {
  const groups = await allGroups(db);
  const products = await productsWithGroups(db);
  return {
    groups: groups.map((group) => {
      const asking = new Set(openersOf(new Set([group.id]), groups));
      return {
        id: group.id,
        name: group.name,
        setParts: group.setParts,
        modifiers: group.modifiers.map(({ name }) => name),
        choices: group.modifiers.map((each) => ({ ...named(each), default: each.default })),
        min: group.min,
        max: group.max,
        products: products.filter(({ modifierGroups }) =>
          modifierGroups.some((each) => asking.has(each.group)),
        ).length,
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
  const options = new Map(
    products.flatMap((each) => each.options.map((option) => [canonicalText(option.name), option])),
  );
  return [...options.values()].map(({ name, values }) => ({
    name,
    values: values.map((value) => value.name),
  }));
}

const newGroup = { text: null, min: 0, max: 1, quantities: false, free: 0, setParts: false };

function groupKind(
  deps: OfficeModifiersDeps,
): DocumentKind<ModifierGroupInput, StaffBody<'addModifierGroup'>> {
  const { editor } = deps;
  return {
    name: 'modifierGroup',
    schema: ModifierGroupInput,
    lock: editor.lock,
    read: async (reader, id) => (await groupsById(reader, [id])).map(contentOf)[0] ?? null,
    all: async (reader) => (await allGroups(reader)).map(contentOf),
    /** @throws {AppError} for an id that is taken */
    async make({ trx }, { id, name }) {
      if ((await groupsById(trx, [id])).length > 0) throw validationError({ id: 'office.taxon.taken' });
      return { ...newGroup, id, name, modifiers: [newModifier('choice-1', name)] };
    },
    /** The products that ask for it follow in pieces. */
    async write(change, group) {
      let left: readonly number[] = [];
      await editor.upsertModifierGroups(change, [group], new Set(), (asking) => {
        left = asking;
      });
      if (left.length === 0) return undefined;
      await markOutdated(change.trx);
      return () => indexInPieces(deps, left, null);
    },
  };
}

/** What the page of a group shows besides. */
async function besideGroup({ db, settings }: OfficeModifiersDeps, id: string) {
  const products = await productsAsking(db.read, id);
  return {
    currency: (await settings.all()).currency,
    others: (await allGroups(db.read)).filter((each) => each.id !== id).map(named),
    products: products.map(named),
    options: optionsOf(products),
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
        products: (await productNames(db.read, ids)).map(named),
      };
    },
    /** @throws {AppError} 404; {InputError} */
    async try(id: string, edits: Patch['edits'], locale: Locale): Promise<StaffResponse<'tryMenus'>> {
      const menu: Menu = (await menus.with(edits)).menus.find((each) => each.id === id) ?? missing();
      const names = await loadNames(db.read);
      const counts = await productCounts(db.read, 'category');
      const below = new Set(menu.categories.flatMap((each) => withDescendants(names, each)));
      const serving = (await stores.all()).filter(
        (store) => menu.stores.length === 0 || menu.stores.includes(store.id),
      );
      return {
        times: menusText([{ ...menu, name: {} }], locale, translate(locale)).join(''),
        stores: serving.map(({ name, timeZone }) => ({
          name,
          now: isServedAt(menu, wallClock(now(), timeZone)),
        })),
        inCategories: [...below].reduce((sum, each) => sum + (counts.get(each) ?? 0), 0),
      };
    },
  };
}

const missing = (): never => {
  throw notFound();
};

const newModifier = (id: string, name: LocalText): ModifierGroupInput['modifiers'][number] => ({
  id,
  name,
  priceCents: 0,
  prices: [],
  default: 0,
  sku: null,
  dietaryMarks: [],
  allergens: [],
  opens: [],
  taxClass: null,
  singleServings: 1,
  hidden: false,
});

export function registerOfficeModifiers(app: FastifyInstance, deps: OfficeModifiersDeps): void {
  const { db, changes, stores } = deps;
  const menus = createOfficeMenus(deps);
  const kind = groupKind(deps);
  const groups = createDocuments(deps, kind);
  serveDocuments(app, kind, groups, async (permit, id) => ({
    ...(await groups.read(permit, id)),
    ...(await besideGroup(deps, id)),
  }));
  serveStaff(app, 'modifierGroups', () => listGroups(db.read));
  // The group after the edits, with all that it opens.
  serveStaff(app, 'tryModifierGroup', async ({ permit, params: { id }, body }) => {
    const { content } = await groups.tried(permit, id, body.edits);
    const next = (await allGroups(db.read)).map((each) =>
      each.id === id ? { ...content, position: each.position } : each,
    );
    return { groups: shownGroups(groupAlone(id, next), await stores.soldOut()) };
  });
  serveStaff(app, 'menus', () => menus.document());
  serveStaff(app, 'saveMenus', async ({ permit, body }) => {
    await menus.save(changes.by(permit.actor, 'menus change'), body);
    return menus.document();
  });
  serveStaff(app, 'tryMenus', ({ params, body, lang }) => menus.try(params.menu, body.edits, lang));
}
