/** Reads the shop's settings for orders, before a transaction begins. */
import type { FieldErrors } from '#contract/errors.ts';
import { type CheckoutMethod, checkoutMethods } from '#contract/limits.ts';
import { inLocale, type Locale, type LocalText } from '#contract/locales.ts';
import { type CategoryTree, categoryChain } from '#contract/rules/categories.ts';
import { isServedAt, type Menu, menusOf, notServedError } from '#contract/rules/menus.ts';
import type { CheckoutConfig } from '#contract/schemas/checkout.ts';
import { registrationsOn, type TaxRegistration } from '#contract/tax-rates.ts';
import type { Database } from '#db/database.ts';
import type { CatalogueService } from '#server/modules/catalogue/index.ts';
import type { ConnectionsService } from '#server/modules/connections/index.ts';
import {
  type PackingDays,
  type ServiceCharge,
  type ShippingMethodSetting,
  type TaxTable,
  taxTables,
} from '#server/modules/pricing/index.ts';
import type { SettingsService, ShopSettings } from '#server/modules/settings/index.ts';
import {
  deliversLocally,
  type SlotUse,
  type SoldOut,
  type Store,
  type StoresService,
  shopTimeZone,
} from '#server/modules/stores/index.ts';
import type { WebhookEvents } from '#server/modules/webhooks/index.ts';
import type { Env, TicketPrinter } from '#server/platform/env.ts';
import { translate } from '#server/platform/i18n.ts';
import { momentAt, wallClock } from '#server/platform/time-zone.ts';
import { type NewOrderEmails, newOrderEmailsOf } from './new-order-emails.ts';
import type { OrderHead, OrderLine, OrderModifier } from './order.ts';

/** A store with the name that the shared rules use (`contract/rules/method.ts`). */
export type OrderStore = Store & { localStoreName: string };

export interface OrderSettings {
  currency: string;
  /** The prefix of order numbers. */
  numberPrefix: string;
  checkout: CheckoutConfig;
  payment: ShopSettings['paymentConfig'];
  payAtStoreLimits: ShopSettings['payAtStoreLimits'];
  tables: ShopSettings['tables'];
  /** For how many opening hours of its store a reservation is held. */
  reservationHours: number;
  countries: ShopSettings['countries'];
  /** What is charged on a day of the store's calendar. */
  taxesOn: (day: string) => TaxTable;
  /** What the shop is registered for on a day. */
  registrationsOn: (day: string) => readonly TaxRegistration[];
  /** The day that it is now in a store, or where the shop sends from. */
  today: (storeId: string | null) => string;
  /** The day that it was there. */
  dayAt: (storeId: string | null, at: number) => string;
  /** Stores where at least 90 % of the sales of food are taxable; `warehouse` for what is shipped. */
  eatingEstablishments: readonly string[];
  /** How food at tables is taxed, by store; `taxed` for those that are not named. */
  tableFood: ShopSettings['tableFood'];
  shippingMethods: readonly ShippingMethodSetting[];
  /** When parcels are packed. */
  packing: PackingDays;
  stores: readonly OrderStore[];
  /** With all categories below those of the merchant. */
  menus: readonly Menu[];
  /** The id of a category and those above it, as far as they are there. */
  categoriesAbove: (category: string | null) => readonly string[];
  /** What stores have none of today. */
  soldOut: SoldOut;
  /** Stores that were removed, for the time zones of their orders. */
  removedStores: readonly Store[];
  newOrderEmails: NewOrderEmails;
  ticketPrinters: readonly TicketPrinter[];
  /** Whether devices of the staff are notified of new orders. */
  notices: boolean;
  /** Percentages of a tip, and the delivery methods and tax classes for which tips are offered; no class means every order. */
  tips: { percentages: readonly number[]; methods: readonly CheckoutMethod[]; taxClasses: readonly string[] };
  /** Null if there is none. */
  serviceCharge: (ServiceCharge & ServiceChargeTerms) | null;
  /** The shop's time zone, which determines its days. */
  timeZone: string;
  /** Whether any endpoint receives webhook events. */
  hasWebhookReceivers: boolean;
}

/** When the service charge is charged, and how it is called. */
interface ServiceChargeTerms {
  methods: readonly CheckoutMethod[];
  /** Charged at tables with this many people or more; null: on every order. */
  fromPartySize: number | null;
  /** Empty: all, and what is shipped. */
  stores: readonly string[];
  name: LocalText;
}

/** Reads the settings, again only when settings, stores, categories, what is sold out or webhook endpoints have changed. */
export function createOrderSettings(deps: {
  db: Database;
  now: () => number;
  env: Pick<Env, 'pushContact'>;
  connections: Pick<ConnectionsService, 'current'>;
  settings: SettingsService;
  stores: StoresService;
  webhookEvents: WebhookEvents;
  catalogue: Pick<CatalogueService, 'names'>;
}): () => Promise<OrderSettings> {
  let kept: {
    settings: ShopSettings;
    stores: readonly Store[];
    names: CategoryTree;
    current: OrderSettings;
  } | null = null;
  return async () => {
    const [{ ticketPrinters }, settings, stores, removed, soldOut, names, hasWebhookReceivers] =
      await Promise.all([
        deps.connections.current(),
        deps.settings.all(),
        deps.stores.all(),
        deps.stores.removed(),
        deps.stores.soldOut(),
        deps.catalogue.names(),
        deps.webhookEvents.hasReceivers(),
      ]);
    const current = kept?.current;
    if (
      kept?.settings !== settings ||
      kept.stores !== stores ||
      kept.names !== names ||
      current?.removedStores !== removed ||
      current.soldOut !== soldOut ||
      current.ticketPrinters !== ticketPrinters ||
      current.hasWebhookReceivers !== hasWebhookReceivers
    )
      kept = {
        settings,
        stores,
        names,
        current: {
          ...toOrderSettings(settings, stores),
          ...calendars(stores, deps.now),
          ticketPrinters,
          notices: deps.env.pushContact !== null,
          menus: withCategoriesBelow(settings.menus, names),
          categoriesAbove: (category) =>
            category === null ? [] : categoryChain(names, category).map(({ id }) => id),
          removedStores: removed,
          soldOut,
          hasWebhookReceivers,
        },
      };
    return kept.current;
  };
}

/** Of a time zone the present day is asked for once. */
function calendars(stores: readonly Store[], now: () => number): Pick<OrderSettings, 'today' | 'dayAt'> {
  const main = shopTimeZone(stores);
  const zones = new Map(stores.map(({ id, timeZone }) => [id, timeZone]));
  const zoneOf = (storeId: string | null) => (storeId === null ? undefined : zones.get(storeId)) ?? main;
  const days = new Map<string, { date: string; from: number; until: number }>();
  return {
    today(storeId) {
      const zone = zoneOf(storeId);
      const at = now();
      const known = days.get(zone);
      if (known && known.from <= at && at < known.until) return known.date;
      const { date } = wallClock(at, zone);
      days.set(zone, { date, from: momentAt(date, 0, zone), until: momentAt(date, 24 * 60, zone) });
      return date;
    },
    dayAt: (storeId, at) => wallClock(at, zoneOf(storeId)).date,
  };
}

export function toOrderSettings(
  settings: ShopSettings,
  all: readonly Store[],
): Omit<
  OrderSettings,
  | 'today'
  | 'dayAt'
  | 'menus'
  | 'categoriesAbove'
  | 'ticketPrinters'
  | 'notices'
  | 'removedStores'
  | 'soldOut'
  | 'hasWebhookReceivers'
> {
  const stores = all.map((store) => ({ ...store, localStoreName: store.id }));
  const inStoreEnabled = stores.some((store) => store.display && store.tables > 0);
  return {
    currency: settings.currency,
    numberPrefix: settings.orderNumberPrefix,
    checkout: {
      ...settings.checkoutConfig,
      inStoreEnabled,
      ...(deliversLocally(all, settings.checkoutConfig) ? { localDelivery: true } : {}),
      ...partyChargeOf(settings),
    },
    payment: settings.paymentConfig,
    payAtStoreLimits: settings.payAtStoreLimits,
    tables: settings.tables,
    reservationHours: settings.reservationHours,
    countries: settings.countries,
    taxesOn: taxTables(settings),
    registrationsOn: (day) => registrationsOn(day, settings.taxRegistrations),
    eatingEstablishments: settings.eatingEstablishments,
    tableFood: settings.tableFood,
    shippingMethods: settings.shippingMethods,
    packing: settings.packing,
    stores,
    newOrderEmails: newOrderEmailsOf(settings, all),
    tips: {
      percentages: settings.tipPercentages.filter((percent) => percent > 0),
      methods: checkoutMethods.filter((method) => settings.tipMethods[method]),
      taxClasses: settings.tipTaxClasses,
    },
    serviceCharge: serviceChargeOf(settings),
    timeZone: shopTimeZone(all),
  };
}

function serviceChargeOf({ serviceCharge }: ShopSettings): OrderSettings['serviceCharge'] {
  const { percent, fromPartySize, stores, methods, taxClass, name } = serviceCharge;
  if (percent === 0) return null;
  const charged = checkoutMethods.filter(
    (method) => methods[method] && (fromPartySize === null || method === 'instore'),
  );
  return {
    rate: Math.round(percent * 1000),
    taxClass: taxClass || null,
    methods: charged,
    fromPartySize,
    stores,
    name,
  };
}

/** The service charge for which tables are asked how many they are. */
function partyChargeOf({ serviceCharge }: ShopSettings): Pick<CheckoutConfig, 'partyCharge'> {
  const { percent, fromPartySize, stores, methods, name } = serviceCharge;
  if (percent === 0 || fromPartySize === null || !methods.instore) return {};
  return { partyCharge: { nameContent: name, percent, fromPartySize, stores } };
}

/** Menus whose categories include those below them. */
function withCategoriesBelow<M extends Menu>(menus: readonly M[], tree: CategoryTree): M[] {
  const ids = [...tree.categories.keys()];
  const isOn = (menu: M, id: string) =>
    categoryChain(tree, id).some((each) => menu.categories.includes(each.id));
  return menus.map((menu) => ({ ...menu, categories: ids.filter((id) => isOn(menu, id)) }));
}

/** What of a line is on menus, with those of a store: its product, and each choice in a modifier group. */
function menuParts(
  line: OrderLine,
  storeId: string,
  menus: readonly Menu[],
): { name: LocalText; served: Menu[] }[] {
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
export function slotUseOf(
  lines: readonly OrderLine[],
  storeId: string,
  { menus }: Pick<OrderSettings, 'menus'>,
): SlotUse {
  const parts = lines.map((line) => ({
    quantity: line.quantity,
    menus: menuParts(line, storeId, menus).map((part) => part.served),
  }));
  const unitsOn = (menu: Menu) =>
    parts.reduce((sum, { quantity, menus: own }) => sum + (own.flat().includes(menu) ? quantity : 0), 0);
  const limited = menus.flatMap((menu) =>
    menu.limit && unitsOn(menu) > 0 ? [{ menu, units: unitsOn(menu) }] : [],
  );
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
  { locale, now }: { locale: Locale; now: number },
): FieldErrors {
  const store = stores.find(({ id }) => id === storeId);
  const at = method === 'pickup' ? pickupAt : now;
  if (!store || at === null) return {};
  const clock = wallClock(at, store.timeZone);
  const errors: FieldErrors = {};
  for (const line of lines) {
    const part = menuParts(line, store.id, menus).find(
      ({ served }) => !served.some((menu) => isServedAt(menu, clock)),
    );
    const [menu] = part?.served ?? [];
    if (part && menu)
      errors[`lineItems.${line.sku}`] = notServedError(
        menu,
        inLocale(part.name, locale),
        clock,
        locale,
        translate(locale),
      );
  }
  return errors;
}
