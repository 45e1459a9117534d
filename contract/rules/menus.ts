import { type Weekday, weekdays } from '../limits.ts';
import { inLocale, type Locale, type LocalText } from '../locales.ts';
import type { Translate } from '../translate.ts';
import { addDays, minutesOf, weekdayOn } from './opening-hours.ts';
import { type StoreClock, weekdayName } from './store-status.ts';

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
  limit: MenuLimit | null;
}

/** For the pickup times of so many minutes. */
export interface MenuLimit {
  of: 'units' | 'orders';
  most: number;
  minutes: number;
}

/** With its category and those above. */
export interface MenuProduct {
  productId: string;
  categories: readonly string[];
}

/** Those of a store alone if it is decided. */
export function menusOf<M extends Menu>(menus: readonly M[], product: MenuProduct, storeId: string | null): M[] {
  return menus.filter(
    ({ stores, products, categories }) =>
      (storeId === null || stores.length === 0 || stores.includes(storeId)) &&
      (products.includes(product.productId) || categories.some((id) => product.categories.includes(id))),
  );
}

const hasDay = ({ days }: Menu, date: string) => days.length === 0 || days.includes(weekdayOn(date));
const isAllDay = ({ from, until }: Menu) => minutesOf(from) === 0 && until === '24:00';

export function isServedAt(menu: Menu, { date, minutes }: StoreClock): boolean {
  const from = minutesOf(menu.from);
  const until = minutesOf(menu.until);
  if (from < until) return hasDay(menu, date) && minutes >= from && minutes < until;
  return (hasDay(menu, date) && minutes >= from) || (hasDay(menu, addDays(date, -1)) && minutes < until);
}

/** 'Egg tart is served until 11:00'. `name` is what the sentence is about. */
export function notServedError(menu: Menu, name: string, { date, minutes }: StoreClock, locale: Locale, t: Translate) {
  if (!hasDay(menu, date) || isAllDay(menu))
    return { key: 'rule.servedOn', values: { name, days: daysText(menu, locale, t) } } as const;
  return minutes < minutesOf(menu.from)
    ? ({ key: 'rule.servedFrom', values: { name, time: menu.from } } as const)
    : ({ key: 'rule.servedUntil', values: { name, time: menu.until } } as const);
}

function menuTimes(menu: Menu, locale: Locale, t: Translate): string {
  const days = menu.days.length === 0 ? [] : [daysText(menu, locale, t)];
  return [...days, ...(isAllDay(menu) ? [] : [`${menu.from}–${menu.until}`])].join(t('ui.listSeparator'));
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
