/** What buyers of the demo's past put into a cart, of what is there. */
import { warehouse } from '#contract/limits.ts';
import { isServedAt, type Menu, menusOf } from '#contract/rules/menus.ts';
import type { ModifierSelection } from '#contract/schemas/modifiers.ts';
import { minuteMs, wallClock } from '#server/platform/time-zone.ts';
import ingredients from '../data/ingredients.json' with { type: 'json' };
import products from '../data/products.json' with { type: 'json' };
import settings from '../data/settings.json' with { type: 'json' };
import type { Chance } from './chance.ts';
import { bikeZone, type PlannedOrder, zone } from './plan.ts';

export interface Wanted {
  sku: string;
  quantity: number;
  modifiers?: ModifierSelection[];
  note?: string;
}

interface Item {
  sku: string;
  product: string;
  category: string;
  priceCents: number;
  atTable: boolean;
  /** By place, as the demo begins. */
  stock: Readonly<Record<string, number>>;
}

export const items: readonly Item[] = products
  .filter((product) => (product as { published?: boolean }).published !== false)
  .flatMap((product) =>
    product.stock.map(({ sku, shipping, stores }) => ({
      sku,
      product: product.slug,
      category: product.category,
      priceCents: product.priceCents,
      atTable: product.inStoreOnly,
      stock: { warehouse: shipping, ...stores } as Record<string, number>,
    })),
  );
export const allSkus: readonly string[] = [
  ...items.map(({ sku }) => sku),
  ...ingredients.flatMap(({ stock }) => stock.map(({ sku }) => sku)),
];

/** How many units of a SKU a place has. */
export type Levels = (sku: string, place: string) => number;

/** Cheap things and tea are bought most. */
const weightOf = ({ category, priceCents }: Item) => {
  const isTea = /tea$|puer$/.test(category);
  return (isTea ? 9 : 1) * Math.min(2, 4000 / priceCents);
};

/** Two units stay: nothing that the demo shows is sold out by its past. */
const stays = 2;

/** By the menus of the demo. Nobody orders in the last ten minutes of one. */
function isServed({ product, category }: Item, store: string, at: number): boolean {
  const menus = menusOf(settings.menus as readonly Menu[], { product, categories: [category] }, store);
  const clocks = [at, at + 10 * minuteMs].map((time) => wallClock(time, zone));
  return menus.length === 0 || menus.some((menu) => clocks.every((clock) => isServedAt(menu, clock)));
}

/** `group.modifier`, of those that nothing else opens. */
const pick = (...chosen: readonly string[]): ModifierSelection[] =>
  chosen.map((each) => {
    const [group = '', modifier = ''] = each.split('.');
    return { group, modifier };
  });
const iced: ModifierSelection = {
  group: 'temperature',
  modifier: 'iced',
  modifiers: [{ group: 'ice', modifier: 'regular' }],
};

/** What is chosen of a drink, where it is not the usual. */
const choices: Readonly<Record<string, readonly ModifierSelection[][]>> = {
  'iced-oolong': [pick('ice.less', 'sugar.none'), pick('ice.regular', 'sugar.light', 'toppings.grass-jelly')],
  'matcha-latte': [
    pick('temperature.hot', 'milk.oat', 'sugar.light'),
    [iced, ...pick('milk.whole', 'sugar.none')],
  ],
  'hojicha-latte': [
    pick('temperature.hot', 'milk.oat', 'sugar.none'),
    pick('temperature.hot', 'milk.whole', 'sugar.light'),
  ],
  'brown-sugar-milk-tea': [
    pick('ice.regular', 'sugar.half', 'milk.whole', 'toppings.pearls'),
    pick('ice.less', 'sugar.light', 'milk.oat'),
  ],
  'oolong-milk-tea': [
    [iced, ...pick('sugar.half', 'milk.whole', 'toppings.pearls')],
    pick('temperature.hot', 'sugar.light', 'milk.soy'),
  ],
  'breakfast-noodles': [pick('noodle-extras.egg'), pick('noodle-extras.chili-oil')],
};
const oolong: ModifierSelection = {
  group: 'set-tea',
  modifier: 'iced-oolong',
  modifiers: pick('ice.regular', 'sugar.none'),
};
const hojicha: ModifierSelection = {
  group: 'set-tea',
  modifier: 'hojicha-latte',
  modifiers: pick('temperature.hot', 'sugar.none', 'milk.whole'),
};
const sets: readonly ModifierSelection[][] = [
  [oolong, ...pick('set-cake.egg-tart')],
  [hojicha, ...pick('set-cake.sesame-balls')],
];

function wanted({ sku, product }: Item, quantity: number, chance: Chance): Wanted {
  if (product === 'tea-and-cake') return { sku, quantity, modifiers: chance.one(sets) };
  const known = choices[product];
  return known && chance.happens(0.4) ? { sku, quantity, modifiers: chance.one(known) } : { sku, quantity };
}

/** At least one line. @throws {Error} if nothing is there */
export function chooseGoods(
  { kind, store, at }: PlannedOrder,
  servedAt: number,
  levels: Levels,
  chance: Chance,
): Wanted[] {
  const place = store ?? warehouse;
  const there = items.filter((item) => levels(item.sku, place) > stays);
  const bar =
    store === null
      ? []
      : there.filter((item) => item.atTable && isServed(item, store, servedAt) && isServed(item, store, at));
  const shelf = there.filter((item) => !item.atTable);
  const fromBar = kind === 'table' ? 1 : kind === 'bike' ? 0.5 : 0.35;
  const lines =
    kind === 'table'
      ? chance.weighted([
          [1, 3],
          [2, 5],
          [3, 2],
        ])
      : chance.weighted([
          [1, 4],
          [2, 4],
          [3, 2],
          [4, 1],
        ]);
  const chosen = new Map<string, Wanted>();
  let cents = 0;
  // A bike does not go for less.
  const least = kind === 'bike' ? bikeZone(store).minimumCents : 0;
  for (let line = 0; line < lines || (cents < least && line < 20); line++) {
    const of =
      store !== null && bar.length > 0 && (chance.happens(fromBar) || shelf.length === 0) ? bar : shelf;
    const item = chance.weighted(of.map((each) => [each, each.atTable ? 1 : weightOf(each)] as const));
    const most = Math.min(levels(item.sku, place) - stays, 2);
    if (chosen.has(item.sku)) continue;
    const units = chance.happens(0.25) ? most : 1;
    chosen.set(item.sku, wanted(item, units, chance));
    cents += units * item.priceCents;
  }
  return [...chosen.values()];
}
