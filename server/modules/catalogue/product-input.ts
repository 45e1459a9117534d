/** The input schema of products, used by the demo, imports and generators. */
import Type, { type Static } from 'typebox';
import { Compile } from 'typebox/compile';
import { type LocalText, localeCodes } from '#contract/locales.ts';
import { formatOptionPairs } from '#contract/option-pairs.ts';
import { Cents, EpochMs, Id, inLanguages, LocalText as LocalTextSchema, Nullable, Sku } from '#contract/schemas/common.ts';

/** Names and values become part of option pairs, so they must not contain their separators. */
const optionName = inLanguages(Type.String({ pattern: '^(?!\\s)[^#:]{1,60}(?<!\\s)$' }));
const valueName = inLanguages(Type.String({ pattern: '^(?!\\s)[^#]{1,60}(?<!\\s)$' }));

export const StoredOptions = Type.Array(
  Type.Object({
    name: optionName,
    values: Type.Array(
      Type.Object({
        name: valueName,
        /** Added to the base price in cents, unless `overridePriceCents` replaces it. */
        priceDeltaCents: Cents,
        overridePriceCents: Nullable(Cents),
        skuSuffix: Type.String({ maxLength: 40 }),
        color: Nullable(Type.String({ pattern: '^#[0-9a-fA-F]{6}$' })),
        image: Nullable(Type.String()),
      }),
      { minItems: 1, maxItems: 50 },
    ),
  }),
  { maxItems: 4 },
);
export type StoredOptions = Static<typeof StoredOptions>;
export type StoredOption = StoredOptions[number];

export const ProductDetails = Type.Object({
  materials: Type.Optional(LocalTextSchema),
  care: Type.Optional(LocalTextSchema),
  /** Centimetres and millilitres. */
  dimensions: Type.Optional(
    Type.Object({
      lengthCm: Type.Optional(Nullable(Type.Number())),
      widthCm: Type.Optional(Nullable(Type.Number())),
      heightCm: Type.Optional(Nullable(Type.Number())),
      diameterCm: Type.Optional(Nullable(Type.Number())),
      capacityMl: Type.Optional(Nullable(Type.Number())),
    }),
  ),
});
export type ProductDetails = Static<typeof ProductDetails>;

const LocalParagraphs = inLanguages(Type.Array(Type.String()));
export type LocalParagraphs = Static<typeof LocalParagraphs>;

export const ProductInput = Type.Object({
  id: Id,
  published: Type.Optional(Type.Boolean()),
  name: LocalTextSchema,
  shortDescription: LocalTextSchema,
  description: LocalParagraphs,
  brand: Id,
  category: Id,
  tags: Type.Array(Id, { maxItems: 50 }),
  priceCents: Cents,
  compareAtCents: Nullable(Cents),
  clearance: Type.Boolean(),
  newArrival: Type.Boolean(),
  inStoreOnly: Type.Boolean(),
  taxClass: Id,
  weightGrams: Nullable(Type.Integer({ minimum: 0, maximum: 10_000_000 })),
  details: ProductDetails,
  options: StoredOptions,
  /** File names of imported images; the first is the leading image. */
  images: Type.Array(Type.String(), { maxItems: 50 }),
  /** Ids of related products, which may be imported later. */
  related: Type.Array(Id, { maxItems: 50 }),
  createdAt: EpochMs,
  skus: Type.Array(
    Type.Object({
      sku: Sku,
      /** Option name to value, in the default language. */
      options: Type.Record(Type.String(), Type.String()),
      /** Units by location, 'warehouse' or a store's id. Applied only if the SKU has no stock row there yet. */
      stock: Type.Record(Id, Type.Integer({ minimum: 0, maximum: 1_000_000_000 })),
    }),
    { minItems: 1, maxItems: 500 },
  ),
});
export type ProductInput = Static<typeof ProductInput>;

/** The problems of an import, each naming its product, page or field. */
export class CatalogueInputError extends Error {
  override name = 'CatalogueInputError';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.slice(0, 20).join('\n'));
    this.problems = problems;
  }
}

const validator = Compile(ProductInput);

/** The problems of the input itself; references such as its brand are checked elsewhere. */
export function productProblems(input: ProductInput): string[] {
  // Typed, but it may come from a file.
  const { id } = input;
  if (!validator.Check(input)) {
    return validator.Errors(input).map((error) => `${id}${error.instancePath}: ${error.message}`);
  }
  const problems: string[] = [];
  const combinations = new Set<string>();
  const names = new Set<string>();
  for (const { sku, options } of input.skus) {
    if (names.has(sku)) problems.push(`${input.id}: ${sku} is given twice`);
    names.add(sku);
    const pairs = formatOptionPairs(Object.entries(options));
    if (combinations.has(pairs)) problems.push(`${input.id}: ${sku} has the options of another SKU`);
    combinations.add(pairs);
    for (const option of input.options) {
      const value = options[option.name.en];
      if (!option.values.some((known) => known.name.en === value)) problems.push(`${input.id}: ${sku} has no ${option.name.en}`);
    }
    if (Object.keys(options).length !== input.options.length) problems.push(`${input.id}: ${sku} names an unknown option`);
  }
  return problems;
}

/** A SKU's price in cents: the base price plus the deltas of the chosen values, or the last overriding price. */
export function skuPrice(basePrice: number, options: StoredOptions, chosen: Readonly<Record<string, string>>): number {
  let base = basePrice;
  let added = 0;
  for (const option of options) {
    const value = option.values.find((candidate) => candidate.name.en === chosen[option.name.en]);
    if (!value) continue;
    if (value.overridePriceCents === null) added += value.priceDeltaCents;
    else base = value.overridePriceCents;
  }
  return base + added;
}

/** The texts in all languages, without missing ones. */
export function allTexts(text: LocalText): string[] {
  return localeCodes.flatMap((locale) => text[locale] ?? []);
}
