/** The scopes of the filters that follow from a product's own data: price, capacity, colours and the stores that have it. */
import { capacityRanges, type FilterColour, type FilterRange, filterColourNames } from '#contract/list-filters.ts';
import type { ShopSettings } from '#server/modules/settings/index.ts';
import { colourFamily } from './colour-family.ts';
import { type CatalogueProduct, lowestPrice } from './product.ts';
import { scopeNames } from './taxonomy.ts';

/** Scopes that every catalogue has, whatever its settings. */
export const fixedFilterScopes: readonly string[] = [
  ...capacityRanges.map(scopeNames.capacity),
  ...filterColourNames.map(scopeNames.colour),
];

/** The bits of `listings.flags` after those of `flagBits`. */
const firstCapacityBit = 3;
const firstColourBit = firstCapacityBit + capacityRanges.length;
const firstPriceBit = firstColourBit + filterColourNames.length;

export const filterBits = {
  capacity: (index: number) => 1 << (firstCapacityBit + index),
  colour: (index: number) => 1 << (firstColourBit + index),
  price: (index: number) => 1 << (firstPriceBit + index),
} as const;

/** Prices at which a range ends and the next begins, in units of the currency. Others have those of the Canadian dollar. */
const usualLimits: Readonly<Record<string, readonly number[]>> = {
  CNY: [150, 300, 500],
  HKD: [250, 450, 800],
  TWD: [1000, 2000, 3000],
  JPY: [3000, 6000, 10_000],
  KRW: [30_000, 60_000, 100_000],
  INR: [1500, 3000, 6000],
  MXN: [500, 1000, 2000],
  SEK: [300, 600, 1000],
  NOK: [300, 600, 1000],
  DKK: [200, 400, 700],
  CZK: [500, 1000, 2000],
  PLN: [100, 200, 400],
};

/** The price ranges that lists are filtered by, cents: those of the settings, or usual ones of the shop's currency. */
export function priceRanges({ currency, listFilters }: Pick<ShopSettings, 'currency' | 'listFilters'>): FilterRange[] {
  const usual = (usualLimits[currency] ?? [30, 60, 100]).map((units) => units * 100);
  const limits = listFilters.priceLimitsCents.length > 0 ? listFilters.priceLimitsCents : usual;
  return [...limits, null].map((limit, index) => ({
    from: limits[index - 1] ?? null,
    to: limit === null ? null : limit - 1,
  }));
}

interface FilterValues {
  /** Names of scopes. */
  scopes: string[];
  /** Bits of `listings.flags`. */
  bits: number;
}

/** The filter scopes that list the product, and their bits. Its stores have no bits: they change with sales. */
export function filterValues(product: CatalogueProduct, prices: readonly FilterRange[]): FilterValues {
  const { capacityMl } = product.details.dimensions ?? {};
  const price = indexIn(prices, lowestPrice(product));
  const capacity = capacityMl ? indexIn(capacityRanges, Math.ceil(capacityMl)) : -1;
  const colours = coloursOf(product);
  const values: [scope: string, bit: number][] = [
    ...prices.slice(price, price + 1).map((range) => pair(scopeNames.price(range), filterBits.price(price))),
    ...(capacity < 0 ? [] : capacityRanges.slice(capacity, capacity + 1)).map((range) =>
      pair(scopeNames.capacity(range), filterBits.capacity(capacity)),
    ),
    ...colours.map((colour) => pair(scopeNames.colour(colour), filterBits.colour(filterColourNames.indexOf(colour)))),
  ];
  return {
    scopes: [...values.map(([scope]) => scope), ...product.stores.map(scopeNames.store)],
    bits: values.reduce((bits, [, bit]) => bits | bit, 0),
  };
}

function pair(scope: string, bit: number): [scope: string, bit: number] {
  return [scope, bit];
}

/** The index of the range that contains the value; -1 if none does. */
function indexIn(ranges: readonly FilterRange[], value: number): number {
  return ranges.findIndex(({ from, to }) => (from === null || from <= value) && (to === null || value <= to));
}

/** The colours that the product comes in, each once, in the order in which they are offered. */
function coloursOf({ options }: Pick<CatalogueProduct, 'options'>): FilterColour[] {
  const found = new Set(
    options.flatMap(({ values }) => values.flatMap(({ color }) => (color === null ? [] : colourFamily(color)))),
  );
  return filterColourNames.filter((name) => found.has(name));
}
