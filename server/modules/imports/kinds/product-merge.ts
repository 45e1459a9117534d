/** A product of the shop with what a file says of it. What the file leaves out stays, and so do the texts in other languages. */
import { canonicalText, inLocale, type Locale, type LocalText } from '#contract/locales.ts';
import { formatOptionPairs } from '#contract/option-pairs.ts';
import { type Problem, problem } from '#contract/problems.ts';
import { isEqual } from '#contract/rules/patch.ts';
import type { StoredOptions } from '#contract/schemas/product.ts';
import { foodClasses } from '#contract/taxes.ts';
import { optionIndex, type ProductInput, skuPrice, statusOf } from '#server/modules/catalogue/index.ts';
import { placeOf } from '../sheet/read-sheet.ts';
import { descriptionIn, type FoundProduct, type FoundVariant, textsIn } from './found-product.ts';
import { type ImportOptions, slugOf } from './kind.ts';

export interface MergeContext extends ImportOptions {
  now: number;
  /** Of the shop, ISO 4217. */
  currency: string;
  brand(name: string): string;
  category(found: FoundProduct): string | undefined;
  tag(name: string): string;
  /** Undefined: it is not fetched yet; null: it could not be. */
  file(address: string, known: readonly string[]): string | null | undefined;
  /** Whether another product has this SKU. */
  isTaken(sku: string, product: string): boolean;
}

export interface Merged {
  after: ProductInput;
  problems: Problem[];
  /** What the file says of the stock of each SKU. */
  units: { sku: string; place: string; units: number }[];
}

type Sku = ProductInput['skus'][number];
interface Matched {
  sku: Sku;
  found?: FoundVariant;
}

export function merged(before: ProductInput | undefined, read: FoundProduct, context: MergeContext): Merged {
  const { place } = context;
  const { options: _joined, ...unnamed } = read;
  const found = before && isJoined(before, read, context.language) ? unnamed : read;
  const base = before ?? emptyProduct(found, context);
  const problems: Problem[] = [];
  const options = optionsOf(base, found, context);
  const matched = matchedSkus({ ...base, options }, found, context, {
    isThere: before !== undefined,
    problems,
  });
  const valued = withValues(withTexts({ ...base, options }, found, context), matched, before === undefined);
  const priced = withPrices(before, valued, matched, { drafts: context.drafts, problems });
  const after = withPictures(withFacts(priced, found, context), found, matched, context);
  const units = matched.flatMap(({ sku, found: variant }) =>
    place === null || variant?.units === undefined || sku.counted === false || variant.counted === false
      ? []
      : [{ sku: sku.sku, place, units: variant.units }],
  );
  return { after, problems, units };
}

/**
 * What is for sale has a price that somebody gave it: what the file adds without one is refused, or becomes a draft if that is wanted.
 * What is no longer hidden has one too.
 */
function withPrices(
  before: ProductInput | undefined,
  after: ProductInput,
  matched: readonly Matched[],
  { drafts, problems }: { drafts: boolean; problems: Problem[] },
): ProductInput {
  if (statusOf(after) !== 'active') return after;
  const there = new Map(before?.skus.map((sku) => [sku.sku, sku]));
  const index = optionIndex(after.options);
  const prices = new Set(
    [...there.values()].map((sku) => sku.priceCents ?? skuPrice(before?.priceCents ?? 0, index, sku.options)),
  );
  // A new variant costs what all the others do.
  const isOpen = ({ sku, found }: Matched) =>
    found?.priceCents === undefined &&
    (there.has(sku.sku)
      ? before !== undefined && statusOf(before) !== 'active' && prices.has(0)
      : prices.size !== 1 || prices.has(0));
  const open = matched.filter(isOpen);
  const free = matched.filter(({ sku, found }) => found?.priceCents === 0 && !there.has(sku.sku));
  if (free.length > 0)
    problems.push(
      problem(placeOf(free[0]?.found?.line ?? 0, after.id), 'problem.sheet.lost.free', { warning: 1 }),
    );
  if (open.length === 0) return after;
  if (drafts && !before) {
    const { published: _older, ...rest } = after;
    return { ...rest, status: 'draft' };
  }
  const problemOf = ({ sku, found }: Matched) =>
    problem(placeOf(found?.line ?? 0, sku.sku), 'problem.sheet.noPrice');
  problems.push(...open.filter(({ found }) => found !== undefined).map(problemOf));
  return after;
}

/** Not taxed is what never is. Of the classes of food, the law says. */
function withFacts(
  product: ProductInput,
  { untaxed, facts }: FoundProduct,
  { language }: MergeContext,
): ProductInput {
  const { taxClass, details } = product;
  const isUntaxed = taxClass === 'zero-rated-grocery';
  const taxed =
    untaxed === undefined || untaxed === isUntaxed ? taxClass : untaxed ? 'zero-rated-grocery' : 'standard';
  if (!facts && taxed === taxClass) return product;
  const { materials, dimensions } = facts ?? {};
  const isSame = materials === undefined || isSaid(details.materials, materials, language);
  return {
    ...product,
    taxClass: isFood(taxClass) ? taxClass : taxed,
    details: {
      ...details,
      ...(isSame ? {} : { materials: { ...details.materials, [language]: materials } }),
      ...(dimensions ? { dimensions: { ...details.dimensions, ...dimensions } } : {}),
    },
  };
}

const isFood = (taxClass: string) => (foodClasses as readonly string[]).includes(taxClass);

function emptyProduct(found: FoundProduct, context: MergeContext): ProductInput {
  const { language, now } = context;
  return {
    id: found.id,
    name: { [language]: found.title || found.id },
    shortDescription: { [language]: '' },
    description: { [language]: [] },
    brand: context.brand(found.vendor ?? ''),
    category: context.category(found) ?? '',
    tags: [],
    priceCents: 0,
    compareAtCents: null,
    clearance: false,
    newArrival: false,
    inStoreOnly: false,
    taxClass: 'standard',
    weightGrams: null,
    details: {},
    options: [],
    images: [],
    related: [],
    createdAt: now,
    skus: [],
    ...(found.isUnsure ? { status: 'draft' as const } : {}),
  };
}

function withTexts(
  base: ProductInput,
  found: FoundProduct,
  { language, ...context }: MergeContext,
): ProductInput {
  const text = (before: LocalText | undefined, value: string | undefined) =>
    value === undefined || isSaid(before, value, language) ? before : { ...before, [language]: value };
  const { status, description } = found;
  const isAsIs = status === undefined || status === statusOf(base);
  const { published: _older, ...without } = base;
  const product: ProductInput = {
    ...(isAsIs ? base : { ...without, status }),
    name: (found.title ? text(base.name, found.title) : base.name) ?? base.name,
    shortDescription: text(base.shortDescription, found.summary) ?? base.shortDescription,
    brand: found.vendor ? context.brand(found.vendor) : base.brand,
    category: context.category(found) ?? base.category,
    tags: found.tags
      ? sameOrder(base.tags, [...new Set(found.tags.map(context.tag))].slice(0, 50))
      : base.tags,
  };
  const seo = {
    seoTitle: text(base.seoTitle, found.seoTitle),
    seoDescription: text(base.seoDescription, found.seoDescription),
  };
  for (const [name, value] of Object.entries(seo))
    if (value !== undefined) Object.assign(product, { [name]: value });
  return description ? withDescription(product, description, language) : product;
}

const sameOrder = (before: string[], after: string[]) =>
  before.length === after.length && before.every((each) => after.includes(each)) ? before : after;

/** What a file of this language says of a text that is like this. */
const isSaid = (text: LocalText | undefined, value: string, language: Locale) =>
  [text?.[language] ?? '', inLocale(text ?? {}, language)].some((each) => each.trim() === value);

/** What would be read if the product was written to such a file stays, in whichever form it is. */
function withDescription(
  product: ProductInput,
  found: NonNullable<FoundProduct['description']>,
  language: Locale,
): ProductInput {
  const { descriptionHtml = {}, description } = product;
  const html = inLocale(descriptionHtml, language);
  const paragraphs = description[language] ?? Object.values(description)[0] ?? [];
  if (isEqual(html === '' ? { paragraphs: textsIn(paragraphs) } : descriptionIn(html), found)) return product;
  if ('html' in found) return { ...product, descriptionHtml: { ...descriptionHtml, [language]: found.html } };
  const { descriptionHtml: _html, ...rest } = product;
  const { [language]: _own, ...others } = descriptionHtml;
  return {
    ...rest,
    description: { ...description, [language]: found.paragraphs },
    ...(Object.keys(others).length > 0 ? { descriptionHtml: others } : {}),
  };
}

/** Those of the product with new values behind; others only if the file's have other names. */
function optionsOf(
  base: ProductInput,
  { options, variants }: FoundProduct,
  { language }: MergeContext,
): StoredOptions {
  if (options === undefined) return base.options;
  const isSame =
    options.length === base.options.length &&
    options.every((name, place) => isNamed(base.options[place]?.name, name, language));
  return options.map((name, place) => {
    const kept = isSame ? base.options[place] : undefined;
    const values = [...(kept?.values ?? [])];
    for (const { values: chosen } of variants) {
      const value = chosen[place] ?? '';
      if (value === '' || values.some((each) => isNamed(each.name, value, language))) continue;
      const suffix = slugOf(value, 40).toUpperCase();
      values.push({
        name: { [language]: value },
        priceDeltaCents: 0,
        overridePriceCents: null,
        skuSuffix: suffix,
        color: null,
        image: null,
      });
    }
    return kept ? { ...kept, values } : { name: { [language]: name }, values };
  });
}

/** Shopify has three options: our exports join those beyond into the third. SKUs tell such variants apart. */
const isJoined = ({ options }: ProductInput, { options: read = [] }: FoundProduct, language: Locale) =>
  options.length > 3 &&
  read[2] ===
    options
      .slice(2)
      .map(({ name }) => inLocale(name, language))
      .join(' / ');

const isNamed = (text: LocalText | undefined, name: string, language: Locale) =>
  text !== undefined && (text[language] ?? canonicalText(text)) === name;

/** In the order of the product, new ones behind. */
function matchedSkus(
  base: ProductInput,
  found: FoundProduct,
  context: MergeContext,
  { isThere, problems }: { isThere: boolean; problems: Problem[] },
): Matched[] {
  const { language, dropVariants, isTaken } = context;
  const bySku = new Map(base.skus.map((sku) => [sku.sku, sku]));
  const byPairs = new Map(base.skus.map((sku) => [formatOptionPairs(Object.entries(sku.options)), sku]));
  const named = new Map<Sku, FoundVariant>();
  const added: Matched[] = [];
  const taken = new Set(bySku.keys());
  const seen = new Set<string>();
  for (const variant of found.variants) {
    const options = found.options === undefined ? undefined : chosenIn(base.options, variant, language);
    const pairs = options && formatOptionPairs(Object.entries(options));
    const at = (key: Problem['key'], values: Problem['values'] = {}) =>
      problem(placeOf(variant.line, variant.sku ?? base.id), key, values);
    if (pairs !== undefined && seen.has(pairs)) {
      problems.push(at('problem.sheet.variantTwice'));
      continue;
    }
    if (pairs !== undefined) seen.add(pairs);
    const own = variant.sku === undefined ? undefined : bySku.get(variant.sku);
    const only =
      options === undefined && base.skus.length === 1 && found.variants.length === 1
        ? base.skus[0]
        : undefined;
    const known =
      own && !named.has(own) ? own : ((pairs === undefined ? undefined : byPairs.get(pairs)) ?? only);
    if (known && !named.has(known)) {
      named.set(known, variant);
      if (variant.sku !== undefined && variant.sku !== known.sku && !isTaken(variant.sku, base.id))
        problems.push(at('problem.sheet.skuStays', { sku: known.sku, warning: 1 }));
      continue;
    }
    if (options === undefined && (isThere || found.variants.length > 1)) {
      problems.push(at('problem.sheet.noOptions'));
      continue;
    }
    const sku = newSku(base.id, variant, (each) => taken.has(each) || isTaken(each, base.id));
    if (variant.sku !== undefined && sku !== variant.sku)
      problems.push(at('problem.sheet.skuTwice', { sku, warning: 1 }));
    taken.add(sku);
    added.push({ sku: { sku, options: options ?? {}, stock: {} }, found: variant });
  }
  const there = base.skus.flatMap((sku): Matched[] => {
    const variant = named.get(sku);
    if (!variant) return dropVariants && found.variants.length > 0 ? [] : [{ sku }];
    const options = found.options === undefined ? undefined : chosenIn(base.options, variant, language);
    return [{ sku: options && !isEqual(options, sku.options) ? { ...sku, options } : sku, found: variant }];
  });
  const all = [...there, ...added];
  const names = base.options.map(({ name }) => canonicalText(name));
  const odd = all.find(({ sku }) => !isEqual(Object.keys(sku.options).toSorted(), names.toSorted()));
  if (odd)
    problems.push(
      problem(placeOf(found.variants[0]?.line ?? 0, base.id), 'problem.sheet.otherOptions', {
        sku: odd.sku.sku,
      }),
    );
  return all;
}

function chosenIn(
  options: StoredOptions,
  { values }: FoundVariant,
  language: Locale,
): Record<string, string> {
  return Object.fromEntries(
    options.map(({ name, values: known }, place) => {
      const chosen = values[place] ?? '';
      const value = known.find((each) => isNamed(each.name, chosen, language));
      return [canonicalText(name), value ? canonicalText(value.name) : chosen];
    }),
  );
}

function newSku(product: string, { sku, values }: FoundVariant, isTaken: (sku: string) => boolean): string {
  const wanted =
    sku ?? (values.length === 0 ? product : `${product.slice(0, 60)}-${slugOf(values.join(' '), 39)}`);
  for (let copy = 1; ; copy++) {
    const name = copy === 1 ? wanted : `${wanted.slice(0, 94)}-${copy}`;
    if (!isTaken(name)) return name;
  }
}

/** Prices, weights and what is said of single SKUs: a price that all of them share stands at the product. */
function withValues(base: ProductInput, matched: readonly Matched[], isNew: boolean): ProductInput {
  let product = isNew ? { ...base, ...firstValues(matched) } : base;
  const index = optionIndex(product.options);
  const priceNow = (sku: Sku) => sku.priceCents ?? skuPrice(product.priceCents, index, sku.options);
  const prices = matched.map(({ sku, found }) => found?.priceCents ?? priceNow(sku));
  const compares = matched.map(({ sku, found }, at) => {
    const price = prices[at] ?? 0;
    return higher(
      found?.compareAtCents === undefined ? compareNow(product, sku, price) : found.compareAtCents,
      price,
    );
  });
  const isPlain = product.options.every(({ values }) =>
    values.every(
      ({ priceDeltaCents, overridePriceCents }) => priceDeltaCents === 0 && overridePriceCents === null,
    ),
  );
  const [price, compare] = [prices[0], compares[0]];
  const isChanged = isNew || matched.some(({ sku }, at) => priceNow(sku) !== prices[at]);
  const isOne = isPlain && price !== undefined && prices.every((each) => each === price);
  let own = matched;
  if (isOne && isChanged) {
    product = { ...product, priceCents: price };
    own = matched.map(({ sku: { priceCents: _own, ...sku }, ...rest }) => ({ sku, ...rest }));
  }
  const isOneCompare = isOne && compares.every((each) => each === compare);
  if (
    isOneCompare &&
    price === product.priceCents &&
    matched.every(({ sku }) => sku.compareAtCents === undefined) &&
    compare !== higher(product.compareAtCents, price)
  )
    product = { ...product, compareAtCents: compare ?? null };
  const skus = own.map(({ sku, found }, at) => {
    const [wanted = 0, wantedCompare = null] = [prices[at], compares[at]];
    const { priceCents: _own, ...plain } = sku;
    const isUsual = skuPrice(product.priceCents, index, sku.options) === wanted;
    const priced = priceNow(sku) === wanted ? sku : isUsual ? plain : { ...plain, priceCents: wanted };
    const isSame = higher(compareNow(product, priced, wanted), wanted) === wantedCompare;
    return factsOf(
      isSame ? priced : { ...priced, compareAtCents: wantedCompare },
      found,
      product.weightGrams,
    );
  });
  return { ...product, skus };
}

function firstValues(matched: readonly Matched[]): Pick<ProductInput, 'priceCents' | 'weightGrams'> {
  const [first] = matched;
  const grams = first?.found?.grams ?? null;
  const isShared = matched.every(({ found }) => (found?.grams ?? null) === grams);
  return { priceCents: first?.found?.priceCents ?? 0, weightGrams: isShared ? grams : null };
}

const higher = (compare: number | null | undefined, price: number) =>
  compare && compare > price ? compare : null;

function compareNow(
  { priceCents, compareAtCents }: Pick<ProductInput, 'priceCents' | 'compareAtCents'>,
  sku: { compareAtCents?: number | null | undefined },
  price: number,
): number | null {
  const reduction = Math.max(0, (compareAtCents ?? 0) - priceCents);
  return sku.compareAtCents === undefined ? (reduction > 0 ? price + reduction : null) : sku.compareAtCents;
}

function factsOf(sku: Sku, found: FoundVariant | undefined, productGrams: number | null): Sku {
  if (!found) return sku;
  const { costCents, gtin, weightGrams, counted, oversell, ...rest } = sku;
  const weight = weightGrams ?? productGrams;
  // Files say 0 for none.
  const grams = found.grams === undefined || (found.grams ?? 0) === (weight ?? 0) ? weight : found.grams;
  const isUsual = weightGrams === undefined && grams === productGrams;
  const cost = found.costCents === undefined ? costCents : found.costCents;
  const code = found.gtin === undefined ? gtin : found.gtin;
  const [isCounted, isOversold] = [found.counted ?? counted ?? true, found.oversell ?? oversell ?? false];
  return {
    ...rest,
    ...(cost === undefined || cost === null ? {} : { costCents: cost }),
    ...(code ? { gtin: code } : {}),
    ...(isUsual || grams === null ? {} : { weightGrams: grams }),
    ...(isCounted && counted === undefined ? {} : { counted: isCounted }),
    ...(!isOversold && oversell === undefined ? {} : { oversell: isOversold }),
  };
}

function withPictures(
  product: ProductInput,
  found: FoundProduct,
  matched: readonly Matched[],
  context: MergeContext,
): ProductInput {
  const { language, file } = context;
  const { pictures = [] } = found;
  const files = pictures.map(({ address }) => file(address, product.images));
  const isWhole = files.length > 0 && files.every((each) => each !== undefined);
  const images = isWhole ? [...new Set(files.flatMap((each) => each ?? []))].slice(0, 50) : product.images;
  const skus = product.skus.map((sku, at) => {
    const address = matched[at]?.found?.picture;
    const own = address ? file(address, product.images) : address;
    if (address === undefined || (address && !own)) return sku;
    const { image, ...rest } = sku;
    return (own ?? null) === (image ?? null) ? sku : { ...rest, ...(own ? { image: own } : {}) };
  });
  const texts = { ...product.details.imageTexts };
  for (const [at, { alt }] of pictures.entries()) {
    const name = files[at];
    if (!name || alt === undefined || !images.includes(name) || isSaid(texts[name], alt, language)) continue;
    const { [language]: _replaced, ...others } = texts[name] ?? {};
    const text: LocalText = alt === '' ? others : { ...others, [language]: alt };
    if (Object.keys(text).length > 0) texts[name] = text;
    else delete texts[name];
  }
  const details = { ...product.details };
  const used = new Set([
    ...images,
    ...skus.flatMap(({ image }) => image ?? []),
    ...product.options.flatMap(({ values }) => values.flatMap(({ image }) => image ?? [])),
  ]);
  for (const name of Object.keys(texts)) if (!used.has(name)) delete texts[name];
  if (Object.keys(texts).length > 0) details.imageTexts = texts;
  else if (Object.keys(details.imageTexts ?? {}).length > 0) delete details.imageTexts;
  if (details.scene && !images.includes(details.scene)) delete details.scene;
  return { ...product, images, skus, details };
}
