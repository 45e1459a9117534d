/** What lists sort, filter and count by. A pure function of the product, stored with it. */
import {
  capacityRanges,
  type FilterColour,
  type FilterRange,
  filterColourNames,
  formatFilterRange,
} from '#contract/list-filters.ts';
import { inLocale, type Locale, localeCodes, locales } from '#contract/locales.ts';
import { ofUnits } from '#contract/money.ts';
import { type CategoryTree, categoryChain } from '#contract/rules/categories.ts';
import type { ShopSettings } from '#server/modules/settings/index.ts';
import { topics } from '#server/platform/recorded-reads.ts';
import { minuteMs } from '#server/platform/time-zone.ts';
import { type CatalogueProduct, isReduced, lowestPrice } from './product.ts';

/** Below this difference between the strongest and the weakest channel (0–1), a colour is seen as grey. */
const leastChroma = 0.06;

export interface Listing {
  /** Its place in the default order, see `orderKey`. */
  position: number;
  /** The lowest price of its SKUs, cents. */
  price: number;
  /** By language. */
  names: Record<string, string>;
  brand: string;
  category: string;
  tags: string[];
  flags: Flag[];
  /** Millilitres, rounded up. */
  capacity: number | null;
  colours: FilterColour[];
  stores: string[];
}

type Flag = 'sale' | 'clearance' | 'new';

export function listingOf(product: CatalogueProduct): Listing {
  const { capacityMl } = product.details.dimensions ?? {};
  const colours = new Set(
    product.options.flatMap(({ values }) =>
      values.flatMap(({ color }) => (color === null ? [] : colourFamily(color))),
    ),
  );
  return {
    position: orderKey(product),
    price: lowestPrice(product),
    names: Object.fromEntries(
      localeCodes.map((locale) => [locale, nameKey(locale, inLocale(product.name, locale))]),
    ),
    brand: product.brand,
    category: product.category,
    tags: product.tags,
    flags: [
      ...(isReduced(product) ? ['sale' as const] : []),
      ...(product.clearance ? ['clearance' as const] : []),
      ...(product.newArrival ? ['new' as const] : []),
    ],
    capacity: capacityMl ? Math.ceil(capacityMl) : null,
    colours: filterColourNames.filter((name) => colours.has(name)),
    stores: product.stores,
  };
}

/** `sort` of the default order and of prices; name orders have their language's code. */
export const sorts = { default: 'd', price: 'p' } as const;

/** With what sorts the product in it. */
export function sortKeys({ position, price, names }: Listing): [sort: string, key: number | string][] {
  return [[sorts.default, position], [sorts.price, price], ...Object.entries(names)];
}

/** Scopes are sets of products: lists of their own, or values of filters. */
export const scopeNames = {
  all: 'all',
  sale: 'sale',
  clearance: 'clearance',
  new: 'new',
  brand: (id: string) => `brand:${id}`,
  category: (id: string) => `category:${id}`,
  tag: (id: string) => `tag:${id}`,
  price: (range: FilterRange) => `price:${formatFilterRange(range)}`,
  capacity: (range: FilterRange) => `capacity:${formatFilterRange(range)}`,
  colour: (colour: string) => `colour:${colour}`,
  /** What a store has in stock. */
  store: (id: string) => `store:${id}`,
} as const;

/** Except that of all products, and with its own category only. */
export function scopesOf(
  { brand, category, tags, flags, capacity, colours, stores, price }: Listing,
  prices: readonly FilterRange[],
): string[] {
  return [
    scopeNames.brand(brand),
    scopeNames.category(category),
    ...tags.map(scopeNames.tag),
    ...flags,
    ...rangeOf(prices, price).map(scopeNames.price),
    ...(capacity === null ? [] : rangeOf(capacityRanges, capacity).map(scopeNames.capacity)),
    ...colours.map(scopeNames.colour),
    ...stores.map(scopeNames.store),
  ];
}

function rangeOf(ranges: readonly FilterRange[], value: number): FilterRange[] {
  return ranges
    .filter(({ from, to }) => (from === null || from <= value) && (to === null || value <= to))
    .slice(0, 1);
}

/** What tells a reader of lists that a product has changed in them. */
interface ListContext {
  tree: CategoryTree;
  prices: readonly FilterRange[];
}

/** Lists that a product entered or left, and those in which it may have moved. Null: it is in no list. */
export function listTopics(before: Listing | null, after: Listing | null, context: ListContext): string[] {
  const keysBefore = new Map(before ? sortKeys(before) : []);
  const keysAfter = new Map(after ? sortKeys(after) : []);
  const all = [...new Set([...keysBefore.keys(), ...keysAfter.keys()])];
  const moved = all.filter((sort) => keysBefore.get(sort) !== keysAfter.get(sort));
  const [left, entered] = [new Set(listsOf(before, context)), new Set(listsOf(after, context))];
  const stays = (scope: string) => left.has(scope) && entered.has(scope);
  const scopes = [...new Set([...left, ...entered])];
  const touched = scopes.flatMap((scope) =>
    (stays(scope) ? moved : all).map((sort) => topics.list(scope, sort)),
  );
  return scopes.every(stays) ? touched : [...touched, topics.counts];
}

function listsOf(listing: Listing | null, { tree, prices }: ListContext): string[] {
  if (!listing) return [];
  const above = categoryChain(tree, listing.category).map(({ id }) => scopeNames.category(id));
  return [scopeNames.all, ...above, ...scopesOf(listing, prices)];
}

const numberSpace = 2 ** 24;
const minuteSpace = 2 ** 25;
const epoch = Date.UTC(2015, 0, 1);

export const soldOutFrom = numberSpace * minuteSpace * 2;
/** Of all that a shop can ever create. */
export const highestProductNo = numberSpace - 1;

export interface OrderFacts {
  no: number;
  soldOut: boolean;
  newArrival: boolean;
  /** Epoch ms. Times before 2015 and after 2078 are clamped. */
  createdAt: number;
}

export function orderKey({ no, soldOut, newArrival, createdAt }: OrderFacts): number {
  const minute = Math.min(Math.max(Math.floor((createdAt - epoch) / minuteMs), 0), minuteSpace - 1);
  const age = minuteSpace - 1 - minute;
  return (soldOut ? soldOutFrom : 0) + (newArrival ? 0 : soldOutFrom / 2) + age * numberSpace + no;
}

/** In units of the currency. Others have those of the Canadian dollar. */
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

/** Cents: those of the settings, or usual ones of the currency. */
export function priceRanges({
  currency,
  listFilters,
}: Pick<ShopSettings, 'currency' | 'listFilters'>): FilterRange[] {
  const usual = (usualLimits[currency] ?? [30, 60, 100]).map((units) => ofUnits(units, currency));
  const limits = listFilters.priceLimitsCents.length > 0 ? listFilters.priceLimitsCents : usual;
  return [...limits, null].map((limit, index) => ({
    from: limits[index - 1] ?? null,
    to: limit === null ? null : limit - 1,
  }));
}

/** Such as `#d9c7a6`. */
export function colourFamily(hex: string): FilterColour {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map(
    (start) => Number.parseInt(hex.slice(start, start + 2), 16) / 255,
  );
  const strongest = Math.max(red, green, blue);
  const chroma = strongest - Math.min(red, green, blue);
  const lightness = strongest - chroma / 2;
  if (lightness > 0.86 && chroma < 0.12) return 'white';
  if (lightness < 0.15 && chroma < 0.12) return 'black';
  if (chroma < leastChroma) return lightness > 0.86 ? 'white' : lightness < 0.2 ? 'black' : 'grey';
  return familyOfHue(hueOf({ red, green, blue, strongest, chroma }), lightness, chroma);
}

interface Channels {
  red: number;
  green: number;
  blue: number;
  strongest: number;
  chroma: number;
}

function hueOf({ red, green, blue, strongest, chroma }: Channels): number {
  const sector =
    strongest === red
      ? (green - blue) / chroma
      : strongest === green
        ? (blue - red) / chroma + 2
        : (red - green) / chroma + 4;
  return (sector * 60 + 360) % 360;
}

function familyOfHue(hue: number, lightness: number, chroma: number): FilterColour {
  if (hue < 20 || hue >= 335)
    return lightness > 0.6 ? 'pink' : hue >= 10 && hue < 20 && chroma < 0.45 ? 'brown' : 'red';
  if (hue < 70) {
    if (lightness >= 0.6 && chroma < 0.35) return 'beige';
    if (lightness < 0.48) return hue < 45 ? 'brown' : 'green';
    return hue < 42 ? 'orange' : 'yellow';
  }
  if (hue < 170) return 'green';
  if (hue < 255) return 'blue';
  return lightness > 0.75 && hue > 300 ? 'pink' : 'purple';
}

// Keys of names sort by code units as readers expect: Chinese by pinyin, digits as numbers, without regard to case and accents.
/** Letters and signs below Chinese; with it, what most names are written in. */
const lettersEnd = 0x3100;
const ideographs = { from: 0x4e00, end: 0xa000 };
/** Ranks are code units from here on, so that no key contains a separator. */
const firstUnit = 0x20;
/** Before every rank: a name sorts before longer ones that begin with it. */
const separator = '\u0001';

const alphabets = new Map<Locale, ReadonlyMap<string, string>>();

/** Names that differ in case or accents only are sorted by their code units. */
export function nameKey(locale: Locale, name: string): string {
  const units = alphabetOf(locale);
  const text = name.normalize('NFC');
  const key = text.replace(/\d+|[^\d]/gu, (part) =>
    /^\d/.test(part) ? numberKey(part, units) : (units.get(part) ?? rareKey(part)),
  );
  return `${key}${separator}${text}`;
}

/** By the number of digits, then by the digits. */
function numberKey(digits: string, units: ReadonlyMap<string, string>): string {
  const number = digits.replace(/^0+(?=\d)/, '');
  return `${units.get('0')}${String.fromCharCode(firstUnit + number.length)}${number}`;
}

/** Anything that no alphabet contains sorts after everything else, by code point. */
function rareKey(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return `\uf000${String.fromCharCode(firstUnit + (code >> 12), firstUnit + (code & 0xfff))}`;
}

/** Takes a tenth of a second, for which the first transaction to need them would hold the writer. */
export function makeAlphabets(): void {
  for (const locale of localeCodes) alphabetOf(locale);
}

/** '' for characters that a language ignores. */
function alphabetOf(locale: Locale): ReadonlyMap<string, string> {
  const known = alphabets.get(locale);
  if (known) return known;
  const { compare } = new Intl.Collator(locales[locale].tag, { sensitivity: 'base' });
  const characters = [...between(0x20, lettersEnd), ...between(ideographs.from, ideographs.end)].sort(
    compare,
  );
  const units = new Map<string, string>();
  let rank = firstUnit;
  for (const [index, character] of characters.entries()) {
    const isIgnored = compare(character, '') === 0;
    if (!isIgnored && compare(characters[index - 1] ?? '', character) !== 0) rank += 1;
    units.set(character, isIgnored ? '' : String.fromCharCode(rank));
  }
  alphabets.set(locale, units);
  return units;
}

function between(from: number, end: number): string[] {
  return Array.from({ length: end - from }, (_, index) => String.fromCharCode(from + index));
}
