/** The catalogue as agents read it: a variant is a SKU. */

import type { Static } from 'typebox';
import { localizePath } from '#contract/locale-path.ts';
import { inLocale, type Locale } from '#contract/locales.ts';
import { parseOptionPairs } from '#contract/option-pairs.ts';
import { startingPrice } from '#contract/rules/modifiers.ts';
import type { CategoryRef, Product, ProductSummary, SkuInfo } from '#contract/schemas/catalogue.ts';
import type { CatalogueService } from '#server/modules/catalogue/index.ts';
import { mediaOf } from './bodies.ts';
import { type Body, invalidRequest, type Message } from './protocol.ts';
import { type Filters, type LookupInput, mostIds, type ProductQuery, type SearchInput } from './requests.ts';

const pageSize = 10;
const mostOnPage = 48;
/** A price filter is applied to what the search finds: at most so many products are read for an answer. */
const mostRead = 480;

interface Place {
  origin: string;
  locale: Locale;
}

interface Variant extends Body {
  id: string;
  price: { amount: number; currency: string };
  list_price?: { amount: number; currency: string };
  availability: { available: boolean; status: string };
  options: { name: string; label: string }[];
}

export interface AgentProduct extends Body {
  id: string;
  variants: Variant[];
}

export interface CatalogueDeps {
  catalogue: CatalogueService;
  origin: () => string;
}

export type AgentCatalogue = ReturnType<typeof createAgentCatalogue>;

export const createAgentCatalogue = (deps: CatalogueDeps) => ({
  named: namedProducts.bind(null, deps),
  search: searchProducts.bind(null, deps),
  lookup: lookUpProducts.bind(null, deps),
  product: readProduct.bind(null, deps),
});

/** Products by their own ids and those of SKUs. */
async function namedProducts(
  { catalogue }: CatalogueDeps,
  ids: readonly string[],
  locale: Locale,
): Promise<Map<string, Product>> {
  const products = await catalogue.named(ids, locale);
  return new Map(products.map((product) => [product.id, product]));
}

async function searchProducts(deps: CatalogueDeps, input: Static<typeof SearchInput>, locale: Locale): Promise<Body> {
  const { query = '', filters, pagination = {} } = input;
  const { catalogue, origin } = deps;
  if (query.trim() === '' && !filters) throw invalidRequest('A search needs a query or filters.');
  const offset = offsetOf(pagination.cursor ?? input.cursor);
  const limit = Math.min(pagination.limit ?? pageSize, mostOnPage);
  const filter = await listFilter(catalogue, query, filters);
  if (!filter) return { products: [], pagination: { has_next_page: false, total_count: 0 } };
  const found: AgentProduct[] = [];
  let at = offset;
  for (let isEnd = false; !isEnd && found.length < limit && at - offset < mostRead; ) {
    const { cards } = await catalogue.page(filter, { startingPosition: at, numberToLoad: limit }, locale);
    const ids = cards.map((card) => (JSON.parse(card) as ProductSummary).id);
    const products = await namedProducts(deps, ids, locale);
    for (const id of ids) {
      if (found.length === limit) break;
      at += 1;
      const product = products.get(id);
      const fitting = product && withinPrice(agentProduct(product, { origin: origin(), locale }), filters);
      if (fitting) found.push(fitting);
    }
    isEnd = cards.length < limit;
  }
  const total = await catalogue.count(filter);
  const more = at < total;
  const counted = filters?.price ? {} : { total_count: total };
  return { products: found, pagination: { has_next_page: more, ...(more ? { cursor: cursorAt(at) } : {}), ...counted } };
}

/** Each identifier's product once, with the variants that were asked for. */
async function lookUpProducts(deps: CatalogueDeps, input: Static<typeof LookupInput>, locale: Locale): Promise<Body> {
  if (input.ids.length > mostIds) throw invalidRequest(`At most ${mostIds} ids at a time.`, 'request_too_large');
  const ids = [...new Set(input.ids)];
  const products = [...(await namedProducts(deps, ids, locale)).values()];
  const known = new Set(products.flatMap(({ id, skus }) => [id, ...skus.map(({ sku }) => sku)]));
  const found = products.flatMap((product) => {
    const whole = withinPrice(agentProduct(product, { origin: deps.origin(), locale }), input.filters);
    if (!whole) return [];
    const featured = featuredOf(whole.variants);
    const variants = whole.variants.flatMap((variant) => {
      const isFeatured = variant === featured && ids.includes(product.id) && product.id !== variant.id;
      const inputs = [
        ...(ids.includes(variant.id) ? [{ id: variant.id, match: 'exact' }] : []),
        ...(isFeatured ? [{ id: product.id, match: 'featured' }] : []),
      ];
      return inputs.length > 0 ? [{ ...variant, inputs }] : [];
    });
    return variants.length > 0 ? [{ ...whole, variants }] : [];
  });
  const unknown = ids.filter((id) => !known.has(id));
  const messages = unknown.map((id): Message => ({ type: 'info', code: 'not_found', content: id }));
  return { products: found, ...(messages.length > 0 ? { messages } : {}) };
}

/** Null if there is no such product. */
async function readProduct(deps: CatalogueDeps, input: Static<typeof ProductQuery>, locale: Locale): Promise<Body | null> {
  const { id, selected = [], preferences = [], filters } = input;
  const product = (await namedProducts(deps, [id], locale)).values().next().value;
  const whole = product && withinPrice(agentProduct(product, { origin: deps.origin(), locale }), filters);
  if (!product || !whole) return null;
  const asked = whole.variants.find((variant) => variant.id === id && variant.id !== product.id);
  const wanted = asked ? asked.options : relaxed(selected, preferences, whole.variants);
  const matching = whole.variants.filter((variant) => matches(variant, wanted));
  const featured = asked ?? featuredOf(matching);
  const effective = asked || selected.length > 0 ? wanted : (featured?.options ?? []);
  return {
    ...whole,
    variants: [...(featured ? [featured] : []), ...matching.filter((variant) => variant !== featured)],
    selected: effective,
    ...(whole.options ? { options: signalled(product, whole.variants, effective, locale) } : {}),
  };
}

function agentProduct(product: Product, place: Place): AgentProduct {
  const { locale, origin } = place;
  const variants = product.skus.map((sku) => variantOf(product, sku, place));
  const prices = variants.map(({ price }) => price.amount);
  const listed = variants.map(({ price, list_price }) => (list_price ?? price).amount);
  const { currency } = product.priceInfo;
  const range = (cents: readonly number[]) => ({
    min: { amount: Math.min(...cents), currency },
    max: { amount: Math.max(...cents), currency },
  });
  const { options } = product.specification;
  return {
    id: product.id,
    handle: product.id,
    title: product.productName,
    description: {
      plain: [product.shortDesciption, ...product.description].filter((text) => text !== '').join('\n\n') || product.productName,
    },
    url: origin + localizePath(`/product/${encodeURIComponent(product.id)}`, locale),
    categories: categoriesOf(product.category, locale),
    tags: product.tags.map(({ nameContent }) => inLocale(nameContent, locale)),
    price_range: range(prices),
    ...(variants.some(({ list_price }) => list_price) ? { list_price_range: range(listed) } : {}),
    media: product.mediaInfo.imageInfos.map((image) => mediaOf(image, origin)),
    ...(options.length > 0
      ? {
          options: options.map(({ nameContent, values }) => ({
            name: inLocale(nameContent, locale),
            values: values.map(({ value, valueContent }) => ({ id: value, label: inLocale(valueContent, locale) })),
          })),
        }
      : {}),
    variants,
    metadata: {
      brand: inLocale(product.brand.nameContent, locale),
      in_store_only: product.inStoreOnly,
      ...(product.howToGet === undefined ? {} : { note: product.howToGet }),
      attributes: product.specification.attributes,
      ...(product.modifierGroups ? { modifier_groups: modifiersOf(product, locale) } : {}),
    },
  };
}

function variantOf(
  product: Product,
  { sku, optionPairs, priceInfo, inStock, backorder, image, gtin }: SkuInfo,
  { origin, locale }: Place,
): Variant {
  const chosen = parseOptionPairs(optionPairs) ?? new Map<string, string>();
  const values = product.specification.options.flatMap((option) => {
    const value = option.values.find((each) => each.value === chosen.get(option.name));
    return value
      ? [{ name: inLocale(option.nameContent, locale), label: inLocale(value.valueContent, locale), image: value.image }]
      : [];
  });
  const { currency } = priceInfo;
  const modifiers = startingPrice({ groups: product.modifierGroups ?? [], optionPairs, storeId: null }).price;
  const images = [image, ...values.map((value) => value.image)].flatMap((each) => each ?? []);
  const query = new URLSearchParams([...chosen]).toString();
  return {
    id: sku,
    sku,
    title: values.map(({ label }) => label).join(' / ') || product.productName,
    description: { plain: product.shortDesciption || product.productName },
    url: `${origin}${localizePath(`/product/${encodeURIComponent(product.id)}`, locale)}${query && `?${query}`}`,
    price: { amount: priceInfo.price + modifiers, currency },
    ...(priceInfo.listPrice === null ? {} : { list_price: { amount: priceInfo.listPrice + modifiers, currency } }),
    availability: { available: inStock, status: backorder ? 'backorder' : inStock ? 'in_stock' : 'out_of_stock' },
    options: values.map(({ name, label }) => ({ name, label })),
    ...(images.length > 0 ? { media: images.map((image) => mediaOf(image, origin)) } : {}),
    ...(gtin === undefined ? {} : { barcodes: [{ type: 'GTIN', value: gtin }] }),
  };
}

function modifiersOf({ modifierGroups = [] }: Product, locale: Locale): Body[] {
  return modifierGroups.map(({ id, nameContent, min, max, opened, modifiers }) => ({
    id,
    name: inLocale(nameContent, locale),
    min,
    max,
    opened,
    modifiers: modifiers.map(({ id: modifier, nameContent: name, price, defaultQuantity, opens, allergens }) => ({
      id: modifier,
      name: inLocale(name, locale),
      price,
      default_quantity: defaultQuantity,
      opens,
      allergens,
    })),
  }));
}

function categoriesOf(category: CategoryRef, locale: Locale): Body[] {
  const all: Body[] = [];
  for (let at: CategoryRef | CategoryRef['parent'] = category; at; at = at.parent as CategoryRef['parent'])
    all.unshift({ value: inLocale(at.categoryNameContent, locale), taxonomy: 'merchant' });
  return all;
}

const featuredOf = (variants: readonly Variant[]) => variants.find(({ availability }) => availability.available) ?? variants[0];

const matches = ({ options }: Variant, wanted: readonly { name: string; label: string }[]) =>
  wanted.every(({ name, label }) => options.some((option) => option.name === name && option.label === label));

/** The wishes that some variant fulfils: those least preferred are dropped first. */
function relaxed(
  selected: readonly { name: string; label: string }[],
  preferences: readonly string[],
  variants: readonly Variant[],
): { name: string; label: string }[] {
  const rank = ({ name }: { name: string }) => (preferences.includes(name) ? preferences.indexOf(name) : preferences.length);
  const kept = selected.map(({ name, label }) => ({ name, label })).sort((a, b) => rank(a) - rank(b));
  while (kept.length > 0 && !variants.some((variant) => matches(variant, kept))) kept.pop();
  return kept;
}

/** Each value of each option with whether a variant has it beside the other choices. */
function signalled(
  { specification: { options } }: Product,
  variants: readonly Variant[],
  effective: readonly { name: string; label: string }[],
  locale: Locale,
): Body[] {
  return options.map(({ nameContent, values }) => {
    const name = inLocale(nameContent, locale);
    const others = effective.filter((each) => each.name !== name);
    return {
      name,
      values: values.map(({ value, valueContent }) => {
        const label = inLocale(valueContent, locale);
        const found = variants.filter((variant) => matches(variant, [...others, { name, label }]));
        const available = found.some((variant) => variant.availability.available);
        return { id: value, label, exists: found.length > 0, available };
      }),
    };
  });
}

/** Null if no variant costs so much. */
function withinPrice(product: AgentProduct, filters: Filters | undefined): AgentProduct | null {
  const { min = 0, max = Number.POSITIVE_INFINITY } = filters?.price ?? {};
  const variants = product.variants.filter(({ price }) => price.amount >= min && price.amount <= max);
  return variants.length > 0 ? { ...product, variants } : null;
}

/** Null if a category is unknown. `*` is how agents ask for everything. */
async function listFilter(
  catalogue: CatalogueService,
  query: string,
  filters: Filters | undefined,
): Promise<Parameters<CatalogueService['page']>[0] | null> {
  const text = query.trim() === '*' ? '' : query.trim();
  const [category] = filters?.categories ?? [];
  const { categories } = await catalogue.taxonomy();
  const known =
    category === undefined
      ? undefined
      : [...categories.values()].find(({ id, name }) => id === category || Object.values(name).includes(category));
  if (category !== undefined && !known) return null;
  return { ...(text === '' ? {} : { nameLike: text }), ...(known ? { categoryName: known.id } : {}) };
}

export const cursorAt = (position: number) => Buffer.from(`at:${position}`).toString('base64url');

export function offsetOf(cursor: string | undefined): number {
  if (cursor === undefined) return 0;
  const [, digits] = /^at:(\d{1,7})$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  if (digits === undefined) throw invalidRequest('The cursor is not one of this shop.');
  return Number(digits);
}
