import { weekdayName } from '../formatters.ts';
import { groupBy } from '../group-by.ts';
import { type Weekday, weekdays } from '../limits.ts';
import { inLocale, type Locale, type LocalText } from '../locales.ts';
import type { ServedTimes } from '../schemas/common.ts';
import type { Translate } from '../translate.ts';
import { addDays, minutesOf, weekdayOn } from './opening-hours.ts';
import type { StoreClock } from './store-status.ts';

export interface Menu {
  id: string;
  name: LocalText;
  /** Empty: all. */
  stores: readonly string[];
  days: readonly Weekday[];
  /** 'HH:mm' by the store's clock. At or after `until`: that ends on the next day. */
  from: string;
  /** '24:00' is the end of the day. */
  until: string;
  categories: readonly string[];
  products: readonly string[];
  /** Absent: none. */
  modifierGroups?: readonly string[] | undefined;
  limit: MenuLimit | null;
}

/** For the pickup times of so many minutes. */
export interface MenuLimit {
  of: 'units' | 'orders';
  most: number;
  minutes: number;
}

/** What can be on a menu: a product in categories, a category with those above it, or a modifier group. */
export interface MenuItem {
  product?: string;
  categories?: readonly string[];
  modifierGroup?: string;
}

/** Those of a store alone if it is decided. */
export function menusOf<M extends Menu>(
  menus: readonly M[],
  { product = '', categories = [], modifierGroup = '' }: MenuItem,
  storeId: string | null,
): M[] {
  return menus.filter(
    (menu) =>
      (storeId === null || menu.stores.length === 0 || menu.stores.includes(storeId)) &&
      (menu.products.includes(product) ||
        menu.categories.some((id) => categories.includes(id)) ||
        menu.modifierGroups?.includes(modifierGroup)),
  );
}

const hasDay = ({ days }: Menu, date: string) => days.length === 0 || days.includes(weekdayOn(date));
const isAllDay = ({ from, until }: Menu) => minutesOf(from) === 0 && until === '24:00';
export const hasTimes = (menu: Menu) => menu.days.length > 0 || !isAllDay(menu);

export function isServedAt(menu: Menu, { date, minutes }: StoreClock): boolean {
  const from = minutesOf(menu.from);
  const until = minutesOf(menu.until);
  if (from < until) return hasDay(menu, date) && minutes >= from && minutes < until;
  return (hasDay(menu, date) && minutes >= from) || (hasDay(menu, addDays(date, -1)) && minutes < until);
}

/** 'Egg tart is served until 11:00'. `name` is what the sentence is about. */
export function notServedError(
  menu: Menu,
  name: string,
  { date, minutes }: StoreClock,
  locale: Locale,
  t: Translate,
) {
  if (!hasDay(menu, date) || isAllDay(menu))
    return { key: 'rule.servedOn', values: { name, days: daysText(menu, locale, t) } } as const;
  return minutes < minutesOf(menu.from)
    ? ({ key: 'rule.servedFrom', values: { name, time: menu.from } } as const)
    : ({ key: 'rule.servedUntil', values: { name, time: menu.until } } as const);
}

/** 'Mon, Tue 08:00–11:00', 'from 14:00'; '' for always. */
function menuTimes(menu: Menu, locale: Locale, t: Translate): string {
  const { from, until } = menu;
  const days = menu.days.length === 0 ? [] : [daysText(menu, locale, t)];
  if (isAllDay(menu)) return days.join('');
  if (until === '24:00') return [...days, t('menu.from', { time: from })].join(' ');
  return [...days, minutesOf(from) === 0 ? t('menu.until', { time: until }) : `${from}–${until}`].join(' ');
}

function daysText({ days }: Menu, locale: Locale, t: Translate): string {
  return weekdays
    .filter((day) => days.includes(day))
    .map((day) => weekdayName(day, locale, 'short'))
    .join(t('ui.listSeparator'));
}

/** For its page: 'Breakfast: 08:00–11:00'. */
export function menusText(menus: readonly Menu[], locale: Locale, t: Translate): string[] {
  return menus.flatMap((menu) => {
    const times = menuTimes(menu, locale, t);
    return times === '' ? [] : [t('menu.times', { name: inLocale(menu.name, locale), times })];
  });
}

/**
 * When an item is served, if that is limited: at the stores by id, and everywhere in one text, which names stores that differ.
 * Undefined if it is always served.
 */
export function servedTimes(
  item: MenuItem,
  menus: readonly Menu[],
  stores: readonly { id: string; name: LocalText }[],
  locale: Locale,
  t: Translate,
): ServedTimes | undefined {
  const timesAt = (id: string) => {
    const times = menusOf(menus, item, id).map((menu) => menuTimes(menu, locale, t));
    return times.includes('') ? '' : [...new Set(times)].join(t('ui.listSeparator'));
  };
  const limited = stores
    .map(({ id, name }) => ({ id, name, times: timesAt(id) }))
    .filter(({ times }) => times !== '');
  if (limited.length === 0) return undefined;
  const byTimes = [...groupBy(limited, ({ times }) => times)];
  const named = ([times, at]: (typeof byTimes)[number]) =>
    at.length === stores.length
      ? times
      : t('menu.at', {
          times,
          stores: at.map(({ name }) => inLocale(name, locale)).join(t('ui.listSeparator')),
        });
  return {
    text: t('menu.served', { times: byTimes.map(named).join(' · ') }),
    stores: Object.fromEntries(limited.map(({ id, times }) => [id, t('menu.served', { times })])),
  };
}
