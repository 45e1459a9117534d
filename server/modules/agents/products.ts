/** The catalogue as agents read it: a variant is a SKU. */
import type { Static } from 'typebox';
import { inLocale, type Locale, localizePath } from '#contract/locales.ts';
import { parseOptionPairs } from '#contract/option-pairs.ts';
import { startingPrice } from '#contract/rules/modifiers.ts';
import type { CategoryRef, Product, ProductOption, SkuInfo } from '#contract/schemas/catalogue.ts';
import type { Database } from '#db/database.ts';
import type { CatalogueService } from '#server/modules/catalogue/index.ts';
import { translate } from '#server/platform/i18n.ts';
import { cachedByNumber } from '#server/platform/recorded-reads.ts';
import type { Turns } from '#server/platform/turns.ts';
import { mediaOf, pageBody, startOf } from './bodies.ts';
import { isNamed } from './choices.ts';
import { type Body, invalidRequest, type Message } from './protocol.ts';
import { type Filters, type LookupInput, type ProductQuery, pageSize, type SearchInput } from './requests.ts';

export const mostOnPage = 48;
/** So many products are read in one go; others are answered between two. */
const atOnce = 8;
/** Of presented products in memory, bytes. */
const keptBytes = 24 * 1024 * 1024;
/** A price filter is applied to what the search finds: at most so many products are read for an answer. */
const mostRead = 480;

interface Place {
  origin: string;
  locale: Locale;
}

type Choice = { name: string; label: string };

interface Variant extends Body {
  id: string;
  title: string;
  price: { amount: number; currency: string };
  list_price: { amount: number; currency: string } | undefined;
  availability: { available: boolean; status: string };
  options: Choice[];
}

interface AgentModifierGroup extends Body {
  name: string;
  modifiers: (Body & { name: string })[];
}

interface AgentProduct extends Body {
  id: string;
  media?: Body[];
  variants: Variant[];
  description: { plain: string };
  metadata: Body & { modifier_groups?: AgentModifierGroup[] | undefined };
}

interface CatalogueDeps {
  db: Database;
  now: () => number;
  catalogue: CatalogueService;
  origin: () => string;
  turns: Turns;
}

export type AgentCatalogue = ReturnType<typeof createAgentCatalogue>;

export function createAgentCatalogue({ db, now, catalogue, origin, turns }: CatalogueDeps) {
  /** As an agent sees them. */
  const presented = cachedByNumber({ db, now, maxBytes: keptBytes }, async (nos, locale) => {
    const products = await catalogue.numbered(nos, locale);
    return new Map(
      [...products].map(([no, product]) => [no, agentProduct(product, { origin: origin(), locale })]),
    );
  });
  const deps = { catalogue, origin, turns, presented };
  return {
    named: namedProducts.bind(null, deps),
    soldAs: catalogue.soldAs,
    titled: titledProduct.bind(null, deps),
    search: searchProducts.bind(null, deps),
    lookup: lookUpProducts.bind(null, deps),
    product: readProduct.bind(null, deps),
  };
}

interface Shelf extends Pick<CatalogueDeps, 'catalogue' | 'origin' | 'turns'> {
  presented: (nos: readonly number[], locale: Locale) => Promise<ReadonlyMap<number, AgentProduct>>;
}

/** Products by their own ids and those of SKUs, as far as they are asked for. */
async function namedProducts(
  { catalogue, turns }: Shelf,
  ids: readonly string[],
  locale: Locale,
): Promise<Map<string, Product>> {
  const wanted = [...new Set(ids)];
  const products: Product[] = [];
  for (let from = 0; from < wanted.length; from += atOnce)
    products.push(...(await turns(() => catalogue.named(wanted.slice(from, from + atOnce), locale))));
  const bySku = products.flatMap((product) => product.skus.map(({ sku }) => [sku, product] as const));
  return new Map([...products.map((product) => [product.id, product] as const), ...bySku]);
}

/** The product of a title, as answers show it: with its variant behind a middle dot, or alone. Null for none. */
async function titledProduct(
  { catalogue }: Shelf,
  title: string,
  locale: Locale,
): Promise<{ product: Product; sku?: string } | null> {
  const [name = '', ...labels] = title.split(' · ').map((part) => part.trim());
  const [label] = labels;
  // The title of a product may have a dot itself.
  for (const [wanted, option] of label === undefined ? [[name]] : [[title], [name, label]]) {
    const page = await catalogue.numbers({ nameLike: wanted ?? '' }, { numberToLoad: titlesRead }, locale);
    const products = await catalogue.numbered(page.nos, locale);
    const product = [...products.values()].find((each) => isNamed(wanted ?? '', each.id, each.nameContent));
    if (!product) continue;
    const sku =
      option === undefined
        ? undefined
        : product.skus.find((each) => hasOption(product, each.optionPairs, option))?.sku;
    if (option === undefined || sku !== undefined) return { product, ...(sku === undefined ? {} : { sku }) };
  }
  return null;
}

const titlesRead = 5;

function hasOption({ specification }: Product, pairs: string, label: string): boolean {
  const chosen = parseOptionPairs(pairs);
  return specification.options.some(({ name, values }) =>
    values.some(
      ({ value, valueContent }) => value === chosen?.get(name) && isNamed(label, value, valueContent),
    ),
  );
}

async function searchProducts(
  shelf: Shelf,
  input: Static<typeof SearchInput>,
  locale: Locale,
): Promise<Body> {
  const { query = '', filters, pagination = {} } = input;
  const { catalogue } = shelf;
  if (query.trim() === '' && !filters) throw invalidRequest('A search needs a query or filters.');
  const offset = startOf(pagination.cursor ?? input.cursor);
  const limit = Math.min(pagination.limit ?? pageSize, mostOnPage);
  const filter = await listFilter(catalogue, query, filters);
  if (!filter) {
    const names = [...(await catalogue.taxonomy()).categories.values()]
      .map(({ name }) => inLocale(name, locale))
      .join(', ');
    const message = {
      ...info('unknown_category', translate(locale)('agents.categories', { names })),
      path: '$.filters.categories[0]',
    };
    return { products: [], pagination: pageBody(0, 0), messages: [message] };
  }
  const found: AgentProduct[] = [];
  let [at, total, isEnd, isPartial] = [offset, 0, false, false];
  while (!isEnd && found.length < limit && at - offset < mostRead) {
    const page = await catalogue.numbers(filter, { startingPosition: at, numberToLoad: limit }, locale);
    const products = await shelf.presented(page.nos, locale);
    total = page.total;
    isPartial = page.partial;
    for (const no of page.nos) {
      if (found.length === limit) break;
      at += 1;
      const product = products.get(no);
      const fitting = product && withinPrice(product, filters);
      if (fitting) found.push(fitting);
    }
    isEnd = page.nos.length < limit;
  }
  const messages: Message[] = [
    ...(isPartial ? [info('partial_match', translate(locale)('agents.partial'))] : []),
  ];
  const further = pageBody(at, total, !filters?.price);
  return {
    products: found.map(briefly),
    pagination: further,
    messages: messages.length > 0 ? messages : undefined,
  };
}

const info = (code: string, content: string): Message => ({ type: 'info', code, content });

/** In a list: what tells products apart, and what is chosen for a line. `get_product` says all. */
function briefly(product: AgentProduct): Body {
  const { description, media = [], variants, metadata, ...rest } = product;
  const { brand, in_store_only, note, modifier_groups: groups } = metadata;
  return {
    ...rest,
    description: { plain: description.plain.split('\n\n')[0] },
    media: media.slice(0, 1),
    variants: variants.map(
      ({ description: _text, media: _media, url: _url, barcodes: _codes, sku: _sku, ...variant }) => ({
        ...variant,
        description: { plain: variant.title },
      }),
    ),
    metadata: {
      brand,
      in_store_only,
      note,
      modifier_groups: groups?.map(({ name, modifiers }) => ({
        name,
        modifiers: modifiers.map((each) => each.name),
      })),
    },
  };
}

/** Each identifier's product once, with the variants that were asked for. */
async function lookUpProducts(
  shelf: Shelf,
  input: Static<typeof LookupInput>,
  locale: Locale,
): Promise<Body> {
  const ids = [...new Set(input.ids)];
  const known = await namedProducts(shelf, ids, locale);
  const found = [...new Set(known.values())].flatMap((product) => {
    const whole = withinPrice(agentProduct(product, { origin: shelf.origin(), locale }), input.filters);
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
  return { products: found, messages: messages.length > 0 ? messages : undefined };
}

/** Null if there is no such product. */
async function readProduct(
  shelf: Shelf,
  input: Static<typeof ProductQuery>,
  locale: Locale,
): Promise<Body | null> {
  const { id, selected = [], preferences = [], filters } = input;
  const product = (await namedProducts(shelf, [id], locale)).get(id);
  const whole = product && withinPrice(agentProduct(product, { origin: shelf.origin(), locale }), filters);
  if (!whole) return null;
  const asked = whole.variants.find((variant) => variant.id === id && variant.id !== product.id);
  const wanted = asked ? asked.options : relaxed(selected, preferences, whole.variants);
  const matching = whole.variants.filter((variant) => matches(variant, wanted));
  const featured = asked ?? featuredOf(matching);
  const effective = asked || selected.length > 0 ? wanted : (featured?.options ?? []);
  return {
    ...whole,
    variants: [...(featured ? [featured] : []), ...matching.filter((variant) => variant !== featured)],
    selected: effective,
    options: whole.options && signalled(product, whole.variants, effective, locale),
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
      plain:
        [product.shortDesciption, ...product.description].filter((text) => text !== '').join('\n\n') ||
        product.productName,
    },
    url: origin + localizePath(`/product/${encodeURIComponent(product.id)}`, locale),
    categories: categoriesOf(product.category, locale),
    tags: product.tags.map(({ nameContent }) => inLocale(nameContent, locale)),
    price_range: range(prices),
    list_price_range: variants.some(({ list_price }) => list_price) ? range(listed) : undefined,
    media: product.mediaInfo.imageInfos.map((image) => mediaOf(image, origin)),
    options: options.length > 0 ? options.map((option) => optionBody(option, locale)) : undefined,
    variants,
    metadata: {
      brand: inLocale(product.brand.nameContent, locale),
      in_store_only: product.inStoreOnly,
      note: product.howToGet,
      attributes: product.specification.attributes,
      modifier_groups: product.modifierGroups && modifiersOf(product, locale),
    },
  };
}

const optionBody = ({ nameContent, values }: ProductOption, locale: Locale) => ({
  name: inLocale(nameContent, locale),
  values: values.map(({ value, valueContent }) => ({ id: value, label: inLocale(valueContent, locale) })),
});

function variantOf(
  product: Product,
  { sku, optionPairs, priceInfo, inStock, backorder, image, gtin }: SkuInfo,
  { origin, locale }: Place,
): Variant {
  const chosen = parseOptionPairs(optionPairs) ?? new Map<string, string>();
  const values = product.specification.options.flatMap((option) => {
    const value = option.values.find((each) => each.value === chosen.get(option.name));
    return value
      ? [
          {
            name: inLocale(option.nameContent, locale),
            label: inLocale(value.valueContent, locale),
            image: value.image,
          },
        ]
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
    list_price:
      priceInfo.listPrice === null ? undefined : { amount: priceInfo.listPrice + modifiers, currency },
    availability: {
      available: inStock,
      status: backorder ? 'backorder' : inStock ? 'in_stock' : 'out_of_stock',
    },
    options: values.map(({ name, label }) => ({ name, label })),
    media: images.length > 0 ? images.map((each) => mediaOf(each, origin)) : undefined,
    barcodes: gtin === undefined ? undefined : [{ type: 'GTIN', value: gtin }],
  };
}

function modifiersOf({ modifierGroups = [] }: Product, locale: Locale): AgentModifierGroup[] {
  return modifierGroups.map(({ id, nameContent, min, max, opened, modifiers }) => ({
    id,
    name: inLocale(nameContent, locale),
    min,
    max,
    opened,
    modifiers: modifiers.map(
      ({ id: modifier, nameContent: name, price, defaultQuantity, opens, allergens }) => ({
        id: modifier,
        name: inLocale(name, locale),
        price,
        default_quantity: defaultQuantity,
        opens,
        allergens,
      }),
    ),
  }));
}

function categoriesOf(category: CategoryRef, locale: Locale): Body[] {
  const all: Body[] = [];
  for (let at: CategoryRef | CategoryRef['parent'] = category; at; at = at.parent as CategoryRef['parent'])
    all.unshift({ value: inLocale(at.categoryNameContent, locale), taxonomy: 'merchant' });
  return all;
}

const featuredOf = (variants: readonly Variant[]) =>
  variants.find(({ availability }) => availability.available) ?? variants[0];

const matches = ({ options }: Variant, wanted: readonly Choice[]) =>
  wanted.every(({ name, label }) => options.some((option) => option.name === name && option.label === label));

/** The wishes that some variant fulfils: those least preferred are dropped first. */
function relaxed(
  selected: readonly Choice[],
  preferences: readonly string[],
  variants: readonly Variant[],
): Choice[] {
  const rank = ({ name }: { name: string }) =>
    preferences.includes(name) ? preferences.indexOf(name) : preferences.length;
  const kept = selected.map(({ name, label }) => ({ name, label })).sort((a, b) => rank(a) - rank(b));
  while (kept.length > 0 && !variants.some((variant) => matches(variant, kept))) kept.pop();
  return kept;
}

/** Each value of each option with whether a variant has it beside the other choices. */
function signalled(
  product: Product,
  variants: readonly Variant[],
  effective: readonly Choice[],
  locale: Locale,
): Body[] {
  return product.specification.options.map((option) => {
    const { name, values } = optionBody(option, locale);
    const others = effective.filter((each) => each.name !== name);
    return {
      name,
      values: values.map((value) => {
        const found = variants.filter((variant) =>
          matches(variant, [...others, { name, label: value.label }]),
        );
        const available = found.some((variant) => variant.availability.available);
        return { ...value, exists: found.length > 0, available };
      }),
    };
  });
}

/** Null if no variant costs so much. */
function withinPrice(product: AgentProduct, filters: Filters | undefined): AgentProduct | null {
  if (!filters?.price) return product;
  const { min = 0, max = Number.POSITIVE_INFINITY } = filters.price;
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
  const all = category === undefined ? [] : [...(await catalogue.taxonomy()).categories.values()];
  const known = all.find(({ id, name }) => id === category || Object.values(name).includes(category ?? ''));
  if (category !== undefined && !known) return null;
  return { ...(text === '' ? {} : { nameLike: text }), ...(known ? { categoryName: known.id } : {}) };
}
