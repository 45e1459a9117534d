import { formatMerchantMoney } from '#contract/formatters.ts';
import { warehouse } from '#contract/limits.ts';
import { ofUnits } from '#contract/money.ts';
import type { Problem } from '#contract/problems.ts';
import { provinceOfPostCode, readPostCode } from '#contract/rules/address.ts';
import { sellsAt } from '#contract/rules/method.ts';
import {
  isFraction,
  isTaxedTwice,
  lawOn,
  ratesOn,
  type SalesTaxRate,
  type TaxRates,
  taxNames,
} from '#contract/tax-rates.ts';
import { homeCountry } from '#contract/taxes.ts';
import { foodRules, isFoodClass } from '#server/modules/pricing/index.ts';
import type { ShopSettings } from '#server/modules/settings/index.ts';
import type { Store } from '#server/modules/stores/index.ts';
import { addressRules } from '#server/platform/address-forms.ts';
import type { Env } from '#server/platform/env.ts';
import type { PublishedSku } from './diagnostics.repository.ts';

/** `doctor` prints findings that differ only in `where` as one. */
export interface Finding {
  key: string;
  level: 'fail' | 'warn';
  values: Readonly<Record<string, string | number>>;
  /** What a rule of imports says of a record. */
  problem?: Problem;
}

export interface CheckedShop {
  env: Pick<Env, 'publicUrl' | 'officeUrl' | 'demo' | 'simulatedPayments' | 'smtpUrl' | 'geocoderUrl'>;
  providers: readonly string[];
  settings: ShopSettings;
  stores: readonly Store[];
  skus: readonly PublishedSku[];
  /** The ids of all categories and modifier groups. */
  categories: ReadonlySet<string>;
  modifierGroups: ReadonlySet<string>;
  /** In the shop, YYYY-MM-DD. */
  today: string;
}

type Values = Finding['values'];

/** A price that differs so many times from the others is taken for a mistake. */
const farOff = 20;

const checks: readonly [key: string, level: Finding['level'], find: (shop: CheckedShop) => Values[]][] = [
  ['payment.none', 'fail', (shop) => (isPublic(shop) && !paysOnline(shop) && !paysAtStore(shop) ? [{}] : [])],
  [
    'payment.shipping',
    'fail',
    (shop) => (isPublic(shop) && ships(shop) && !paysOnline(shop) && paysAtStore(shop) ? [{}] : []),
  ],
  [
    'office.address',
    'warn',
    ({ providers, env }) => (providers.length > 0 && env.officeUrl === null ? [{}] : []),
  ],
  ['payment.simulated', 'warn', ({ env }) => (env.simulatedPayments ? [{}] : [])],
  ['mail.none', 'fail', (shop) => (isPublic(shop) && shop.env.smtpUrl === null ? [{}] : [])],
  ['mail.files', 'warn', (shop) => (!isPublic(shop) && shop.env.smtpUrl === null ? [{}] : [])],
  ['mail.sender', 'fail', (shop) => (isPublic(shop) && shop.settings.contactEmail === '' ? [{}] : [])],
  ['tax.twice', 'fail', ({ settings }) => allRates(settings).filter(isTaxedTwice).map(together)],
  ['tax.fraction', 'warn', ({ settings }) => allRates(settings).flatMap(fractions)],
  ['tax.law', 'warn', unlawfulRates],
  ['tax.number', 'warn', registrationsWithoutNumber],
  ['tax.food', 'warn', foodWithoutRules],
  ['tax.establishment', 'warn', unknownEstablishments],
  ['tax.tables', 'warn', unaskedTables],
  ['store.salesRecording', 'warn', unrecordedTables],
  ['menu.unknown', 'warn', unknownOnMenus],
  ['shipping.cheap', 'warn', cheapShipping],
  [
    'store.zone',
    'warn',
    // Zones without a place, such as EST and Etc/GMT+5, know no daylight saving time, or not that of the place.
    ({ stores }) =>
      stores
        .filter(({ timeZone }) => /^(?!.*\/)|^Etc\//.test(timeZone))
        .map(({ id, timeZone }) => ({ where: id, timeZone })),
  ],
  ['zone.off', 'warn', zonesNotOffered],
  ['zone.unknown', 'warn', zonesWithoutAddresses],
  ['zone.far', 'warn', farZones],
  ['store.postCode', 'warn', ({ stores }) => stores.flatMap(oddPostCode)],
  ['price.zero', 'warn', ({ skus }) => skus.filter(({ priceCents }) => priceCents === 0).map(inPlace)],
  ['price.low', 'warn', lowPrices],
  ['price.compare', 'warn', uselessComparisons],
  ['stock.none', 'warn', ({ skus }) => skus.filter(({ stocked }) => !stocked).map(inPlace)],
];

const inPlace = ({ product, sku }: PublishedSku): Values => ({ where: `product ${product}: ${sku}` });

export function checkShop(shop: CheckedShop): Finding[] {
  return checks.flatMap(([key, level, find]) => find(shop).map((values) => ({ key, level, values })));
}

function isPublic({ env }: CheckedShop): boolean {
  return env.publicUrl !== null && !env.demo;
}

function ships({ settings }: CheckedShop): boolean {
  return settings.checkoutConfig.domesticShippingEnabled;
}

export function paysOnline({ providers, settings }: Pick<CheckedShop, 'providers' | 'settings'>): boolean {
  return providers.length > 0 && settings.paymentConfig.paymentOnline;
}

export function paysAtStore({ settings, stores }: Pick<CheckedShop, 'settings' | 'stores'>): boolean {
  const sells = stores.some((store) =>
    sellsAt({ ...store, localStoreName: store.id }, settings.checkoutConfig),
  );
  return settings.paymentConfig.payAtStoreEnabled && sells;
}

function together({ provinceCode, gstPercent, pstPercent, hstPercent }: SalesTaxRate): Values {
  return { province: provinceCode, rate: Number((gstPercent + pstPercent + hstPercent).toFixed(3)) };
}

function fractions({ provinceCode, ...rates }: SalesTaxRate): Values[] {
  return taxNames
    .filter((name) => isFraction(rates[name]))
    .map((name) => ({
      province: provinceCode,
      name,
      rate: rates[name],
      meant: Number((rates[name] * 100).toFixed(3)),
    }));
}

/** With those that hold later. */
const allRates = ({ taxRates }: ShopSettings): SalesTaxRate[] =>
  taxRates.flatMap(({ changes = [], ...rate }) => [
    rate,
    ...changes.map((each) => ({ ...each, provinceCode: rate.provinceCode })),
  ]);

const ratesText = ({ gstPercent, hstPercent, pstPercent, pstLabel }: TaxRates): string =>
  [['GST', gstPercent] as const, ['HST', hstPercent] as const, [pstLabel ?? 'PST', pstPercent] as const]
    .filter(([, percent]) => percent > 0)
    .map(([tax, percent]) => `${tax} ${percent}%`)
    .join(' + ') || '0%';

/** By the law of the day. What the shop is not registered for is no fault of its rates. */
function unlawfulRates({ settings: { taxRates }, today }: CheckedShop): Values[] {
  return ratesOn(today, { taxRates, taxRegistrations: [] }).flatMap((rate) => {
    const law = lawOn(rate.provinceCode, today);
    if (!law || taxNames.every((name) => rate[name] === law[name])) return [];
    return [{ province: rate.provinceCode, rates: ratesText(rate), law: ratesText(law), since: law.date }];
  });
}

function registrationsWithoutNumber({ settings: { taxRegistrations } }: CheckedShop): Values[] {
  return taxRegistrations
    .filter(({ registered, number }) => registered && number.trim() === '')
    .map(({ tax }) => ({ tax }));
}

const hasTables = ({ tables, address }: Store) => tables > 0 && address.countryISOCode === homeCountry;

/** Nobody has said whether what is eaten there is sold at an eating establishment. */
function unaskedTables({ settings: { eatingEstablishments, tableFood }, stores }: CheckedShop): Values[] {
  return stores
    .filter(
      (store) =>
        hasTables(store) && !eatingEstablishments.includes(store.id) && tableFood[store.id] === undefined,
    )
    .map(({ id }) => ({ store: id }));
}

/** In Quebec, bills of restaurants come from a certified system. */
function unrecordedTables({ settings: { salesRecording }, stores }: CheckedShop): Values[] {
  return stores
    .filter(
      (store) =>
        hasTables(store) && store.address.provinceCode === 'QC' && !salesRecording.includes(store.id),
    )
    .map(({ id }) => ({ where: id }));
}

/** Rules for food are not known in its country: it is charged no tax there. */
function foodWithoutRules({ skus, stores }: CheckedShop): Values[] {
  const countries = new Set(
    stores.map(({ address }) => address.countryISOCode).filter((country) => !foodRules.has(country)),
  );
  const food = skus.filter(({ taxClass }) => isFoodClass(taxClass));
  return [...countries].flatMap((country) =>
    food.map(({ product, taxClass }) => ({ where: `product ${product}`, taxClass, country })),
  );
}

function unknownEstablishments({ settings, stores }: CheckedShop): Values[] {
  const known = new Set([warehouse, ...stores.map(({ id }) => id)]);
  return settings.eatingEstablishments.filter((id) => !known.has(id)).map((id) => ({ store: id }));
}

/** Not in the shop, or not published. */
function unknownOnMenus({ settings, stores, skus, categories, modifierGroups }: CheckedShop): Values[] {
  const storeIds = new Set(stores.map(({ id }) => id));
  const products = new Set(skus.map(({ product }) => product));
  const unknown = (ids: readonly string[], known: ReadonlySet<string>) => ids.filter((id) => !known.has(id));
  return settings.menus.flatMap((menu) =>
    [
      ...unknown(menu.stores, storeIds),
      ...unknown(menu.categories, categories),
      ...unknown(menu.products, products),
      ...unknown(menu.modifierGroups ?? [], modifierGroups),
    ].map((id) => ({ menu: menu.id, id })),
  );
}

function cheapShipping({ settings: { shippingMethods, currency } }: CheckedShop): Values[] {
  return shippingMethods.flatMap((method) =>
    (['priceCents', 'freeOverCents'] as const).flatMap((name) => {
      const cents = method[name] ?? 0;
      return cents > 0 && cents < ofUnits(1, currency)
        ? [{ method: method.id, name, ...inHundredfold(cents, currency) }]
        : [];
    }),
  );
}

const zonesOf = ({ stores }: CheckedShop) =>
  stores.flatMap((store) =>
    store.deliveryZones.map((zone) => ({ store, zone, where: `${store.id}: ${zone.id}` })),
  );

/** Nothing is shipped, or the store is hidden or sells nothing. */
function zonesNotOffered(shop: CheckedShop): Values[] {
  const sells = (store: Store) =>
    store.display && sellsAt({ ...store, localStoreName: store.id }, shop.settings.checkoutConfig);
  return zonesOf(shop).flatMap(({ store, where }) => (ships(shop) && sells(store) ? [] : [{ where }]));
}

/** Nothing says where addresses are. */
function zonesWithoutAddresses(shop: CheckedShop): Values[] {
  if (shop.env.geocoderUrl !== null) return [];
  return zonesOf(shop).flatMap(({ zone, where }) => (zone.postalCodes.length === 0 ? [{ where }] : []));
}

/** Every corner is more than a degree from the store, as if latitude and longitude were exchanged. */
function farZones(shop: CheckedShop): Values[] {
  const isFar = ({ lat, lng }: Store, corner: { lat: number; lng: number }) =>
    Math.abs(corner.lat - lat) > 1 || Math.abs(corner.lng - lng) > 1;
  return zonesOf(shop).flatMap(({ store, zone, where }) =>
    zone.polygon.every((corner) => isFar(store, corner)) ? [{ where }] : [],
  );
}

function oddPostCode({ id, address: { postCode, countryISOCode, provinceCode } }: Store): Values[] {
  const rules = addressRules(countryISOCode);
  if (rules.postCode && readPostCode(postCode, rules.postCode) === null)
    return [{ where: id, postCode, place: countryISOCode }];
  const province = provinceOfPostCode(postCode, rules.provinces);
  return province === undefined || province.id === provinceCode
    ? []
    : [{ where: id, postCode, place: provinceCode }];
}

/** Below one unit, or far below the price of most SKUs or the price that they are compared with. */
function lowPrices({ skus, settings: { currency } }: CheckedShop): Values[] {
  const prices = skus.map(({ priceCents }) => priceCents).sort((a, b) => a - b);
  const usual = prices[Math.floor(prices.length / 2)] ?? 0;
  const unit = ofUnits(1, currency);
  // Whole yen are typed as they are meant.
  if (unit === 1) return [];
  return skus
    .filter(({ priceCents: price, compareAtCents }) => {
      const far = price * farOff;
      return (
        price > 0 && (price < unit || far <= usual || (compareAtCents !== null && far <= compareAtCents))
      );
    })
    .map(({ product, sku, priceCents }) => ({
      where: `product ${product}: ${sku}`,
      ...inHundredfold(priceCents, currency),
    }));
}

function uselessComparisons({ skus, settings: { currency } }: CheckedShop): Values[] {
  return skus
    .filter(({ priceCents, compareAtCents }) => compareAtCents !== null && compareAtCents <= priceCents)
    .map(({ product, priceCents, compareAtCents }) => ({
      where: `product ${product}`,
      price: formatMerchantMoney(priceCents, currency),
      compareAt: formatMerchantMoney(compareAtCents ?? 0, currency),
    }));
}

/** Probably typed in units instead of cents, with the amount that was probably meant. */
function inHundredfold(cents: number, currency: string): Values {
  const meant = ofUnits(cents, currency);
  return {
    amount: formatMerchantMoney(cents, currency),
    meant: formatMerchantMoney(meant, currency),
    cents: meant,
  };
}
