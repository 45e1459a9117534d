/** Which menus the lines of an order are on: when they are served, and what they take of the limits for its pickup time. */
import type { FieldErrors } from '#contract/errors.ts';
import { inLocale, type Locale, type LocalText } from '#contract/locales.ts';
import { type CategoryTree, categoryChain } from '#contract/rules/categories.ts';
import { isServedAt, type Menu, menusOf, notServedError } from '#contract/rules/menus.ts';
import type { SlotUse } from '#server/modules/stores/index.ts';
import { translate } from '#server/platform/i18n.ts';
import { wallClock } from '#server/platform/time-zone.ts';
import type { OrderHead, OrderLine, OrderModifier } from './order.ts';
import type { OrderSettings } from './order-settings.ts';

/** Menus whose categories include those below them. */
export function withCategoriesBelow<M extends Menu>(menus: readonly M[], tree: CategoryTree): M[] {
  const ids = [...tree.categories.keys()];
  const isOn = (menu: M, id: string) => categoryChain(tree, id).some((each) => menu.categories.includes(each.id));
  return menus.map((menu) => ({ ...menu, categories: ids.filter((id) => isOn(menu, id)) }));
}

/** What of a line is on menus, with those of a store: its product, and each choice in a modifier group. */
function menuParts(line: OrderLine, storeId: string, menus: readonly Menu[]): { name: LocalText; served: Menu[] }[] {
  const { productId: product, category, name } = line;
  const choices = (modifiers: readonly OrderModifier[]): { name: LocalText; served: Menu[] }[] =>
    modifiers.flatMap(({ group, nameContent, modifiers: opened }) => [
      { name: nameContent, served: menusOf(menus, { modifierGroup: group }, storeId) },
      ...choices(opened),
    ]);
  const served = menusOf(menus, { product, categories: category === null ? [] : [category] }, storeId);
  return [{ name, served }, ...choices(line.modifiers)].filter((part) => part.served.length > 0);
}

/** What an order with these lines brings to a pickup time of a store. */
export function slotUseOf(lines: readonly OrderLine[], storeId: string, { menus }: Pick<OrderSettings, 'menus'>): SlotUse {
  const parts = lines.map((line) => ({
    quantity: line.quantity,
    menus: menuParts(line, storeId, menus).map((part) => part.served),
  }));
  const unitsOn = (menu: Menu) =>
    parts.reduce((sum, { quantity, menus: own }) => sum + (own.flat().includes(menu) ? quantity : 0), 0);
  const limited = menus.flatMap((menu) => (menu.limit && unitsOn(menu) > 0 ? [{ menu, units: unitsOn(menu) }] : []));
  return { served: parts.flatMap((part) => part.menus), limited };
}

/**
 * Which lines are not served at the time of their order, by `lineItems.<sku>`. A table, and an address that the store
 * itself delivers to, order for `now`, epoch ms.
 */
export function unservedErrors(
  lines: readonly OrderLine[],
  { method, storeId, pickupAt }: Pick<OrderHead, 'method' | 'storeId' | 'pickupAt'>,
  { stores, menus }: Pick<OrderSettings, 'stores' | 'menus'>,
  locale: Locale,
  now: number,
): FieldErrors {
  const store = stores.find(({ id }) => id === storeId);
  const at = method === 'pickup' ? pickupAt : now;
  if (!store || at === null) return {};
  const clock = wallClock(at, store.timeZone);
  const errors: FieldErrors = {};
  for (const line of lines) {
    const part = menuParts(line, store.id, menus).find(({ served }) => !served.some((menu) => isServedAt(menu, clock)));
    const [menu] = part?.served ?? [];
    if (part && menu)
      errors[`lineItems.${line.sku}`] = notServedError(menu, inLocale(part.name, locale), clock, locale, translate(locale));
  }
  return errors;
}
