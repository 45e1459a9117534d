/** Which menus the lines of an order are on: when they are served, and what they take of the limits for its pickup time. */
import type { FieldErrors } from '#contract/errors.ts';
import { inLocale, type Locale } from '#contract/locales.ts';
import { isServedAt, type Menu, menusOf, notServedError } from '#contract/rules/menus.ts';
import { type CategoryTree, categoryChain } from '#server/modules/catalogue/index.ts';
import type { SlotUse } from '#server/modules/stores/index.ts';
import { translate } from '#server/platform/i18n.ts';
import { wallClock } from '#server/platform/time-zone.ts';
import type { OrderHead, OrderLine } from './order.ts';
import type { OrderSettings } from './order-settings.ts';

/** Menus whose categories include those below them. */
export function withCategoriesBelow<M extends Menu>(menus: readonly M[], tree: CategoryTree): M[] {
  const ids = [...tree.categories.keys()];
  const isOn = (menu: M, id: string) => categoryChain(tree, id).some((each) => menu.categories.includes(each.id));
  return menus.map((menu) => ({ ...menu, categories: ids.filter((id) => isOn(menu, id)) }));
}

const menusOfLine = ({ productId, category }: OrderLine, storeId: string, menus: readonly Menu[]) =>
  menusOf(menus, { productId, categories: category === null ? [] : [category] }, storeId);

/** What an order with these lines brings to a pickup time of a store. */
export function slotUseOf(lines: readonly OrderLine[], storeId: string, { menus }: Pick<OrderSettings, 'menus'>): SlotUse {
  const served = lines.map((line) => menusOfLine(line, storeId, menus));
  const unitsOn = (menu: Menu) => lines.reduce((sum, { quantity }, at) => sum + (served[at]?.includes(menu) ? quantity : 0), 0);
  const limited = menus.flatMap((menu) => (menu.limit && unitsOn(menu) > 0 ? [{ menu, units: unitsOn(menu) }] : []));
  return { served, limited };
}

/** Which lines are not served at the time of their order, by `lineItems.<sku>`. A table orders for `now`, epoch ms. */
export function unservedErrors(
  lines: readonly OrderLine[],
  { method, storeId, pickupAt }: Pick<OrderHead, 'method' | 'storeId' | 'pickupAt'>,
  { stores, menus }: Pick<OrderSettings, 'stores' | 'menus'>,
  locale: Locale,
  now: number,
): FieldErrors {
  const store = stores.find(({ id }) => id === storeId);
  const at = method === 'pickup' ? pickupAt : method === 'instore' ? now : null;
  if (!store || at === null) return {};
  const clock = wallClock(at, store.timeZone);
  const errors: FieldErrors = {};
  for (const line of lines) {
    const [menu, ...others] = menusOfLine(line, store.id, menus);
    if (menu && ![menu, ...others].some((each) => isServedAt(each, clock)))
      errors[`lineItems.${line.sku}`] = notServedError(menu, inLocale(line.name, locale), clock, locale, translate(locale));
  }
  return errors;
}
