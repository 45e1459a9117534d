import Type, { type Static } from 'typebox';
import { Compile } from 'typebox/compile';
import { canonicalText, mainLocale } from '#contract/locales.ts';
import { formatOptionPairs } from '#contract/option-pairs.ts';
import { listed, type Problem, problem, shown } from '#contract/problems.ts';
import { isGtin } from '#contract/rules/gtin.ts';
import {
  Cents,
  described,
  EpochMs,
  Id,
  inLanguages,
  LocalName,
  LocalText as LocalTextSchema,
  Nullable,
  Sku,
} from '#contract/schemas/common.ts';
import { taxClasses } from '#contract/taxes.ts';
import { brand } from '#server/platform/brand.ts';
import { isNamed, schemaProblems } from '#server/platform/schema-problems.ts';
import { ProductModifierGroup } from '../modifiers/modifier-group-input.ts';
import { imagesOf } from './product.ts';

/** Of one product. */
export const mostSkus = 2048;

/** Names and values become part of option pairs, so they must not contain their separators. */
const optionName = inLanguages(Type.String({ pattern: '^(?!\\s)[^#:]{1,255}(?<!\\s)$', problem: 'problem.option.name' }));
const valueName = inLanguages(Type.String({ pattern: '^(?!\\s)[^#]{1,255}(?<!\\s)$', problem: 'problem.option.valueName' }));

export const StoredOptions = Type.Array(
  Type.Object({
    name: described('The name of the option, such as Colour.', optionName),
    values: described(
      'The values to choose from, such as Sand and Ink.',
      Type.Array(
        Type.Object({
          name: described('The name of the value.', valueName),
          priceDeltaCents: described('Added to the price of the product, in cents.', Cents),
          overridePriceCents: described('Replaces the price of the product, in cents; null to keep it.', Nullable(Cents)),
          skuSuffix: described('The part of the SKU that stands for the value.', Type.String({ maxLength: 40 })),
          color: described(
            'The colour of the swatch, such as `#d9c7a3`; null for none.',
            Nullable(Type.String({ pattern: '^#[0-9a-fA-F]{6}$', problem: 'problem.colour' })),
          ),
          image: described('The file name of the image that shows the value; null for none.', Nullable(Type.String())),
        }),
        { minItems: 1, maxItems: mostSkus },
      ),
    ),
  }),
  { maxItems: 4 },
);
export type StoredOptions = Static<typeof StoredOptions>;
export type StoredOption = StoredOptions[number];

const dimension = (description: string) => Type.Optional(described(description, Nullable(Type.Number())));

const OwnDetails = Type.Object({
  materials: Type.Optional(described('Materials or ingredients.', LocalTextSchema)),
  keyFact: Type.Optional(
    described(
      'The one fact that cards of lists show, such as `Set of 4 · 45 ml`. Left out, it is an amount among the options, the capacity, or the height.',
      LocalTextSchema,
    ),
  ),
  care: Type.Optional(described('How to care for the product.', LocalTextSchema)),
  dimensions: Type.Optional(
    described(
      'Measurements. Those left out are not shown.',
      Type.Object({
        lengthCm: dimension('Length in centimetres.'),
        widthCm: dimension('Width in centimetres.'),
        heightCm: dimension('Height in centimetres.'),
        diameterCm: dimension('Diameter in centimetres.'),
        capacityMl: dimension('Capacity in millilitres.'),
      }),
    ),
  ),
  scene: Type.Optional(
    described(
      'The file name of the image, among `images`, that shows the product in use: the product page shows it large. null for none.',
      Nullable(Type.String()),
    ),
  ),
  imageTexts: Type.Optional(
    described(
      'What an image shows, by its file name, for people who cannot see it. An image without a text takes the name of the product, and its colour.',
      Type.Record(Type.String(), LocalTextSchema),
    ),
  ),
});
export type ProductDetails = Static<typeof OwnDetails>;

/** With those of the brand, which the program stores and does not read. */
export const ProductDetails = Type.Object({ ...OwnDetails.properties, ...brand.productDetails }) as typeof OwnDetails;

const LocalParagraphs = inLanguages(Type.Array(Type.String()));
export type LocalParagraphs = Static<typeof LocalParagraphs>;

export const statuses = ['draft', 'active', 'archived'] as const;
export type Status = (typeof statuses)[number];

const units = Type.Integer({ minimum: 0, maximum: 1_000_000_000 });

export const ProductInput = Type.Object({
  id: described('Identifies the product, and is the end of its address: `/product/river-mug`.', Id),
  status: Type.Optional(
    described(
      'An `active` product is for sale; a `draft` is not yet, and one that is `archived` is no longer, and stays in old orders. Left out, it is active.',
      Type.Enum(statuses),
    ),
  ),
  published: Type.Optional(
    described('The older form of `status`, which it yields to: true is `active`, false is `draft`.', Type.Boolean()),
  ),
  publishAt: Type.Optional(described('When an active product goes on sale, epoch ms; null: at once.', Nullable(EpochMs))),
  unpublishAt: Type.Optional(described('When an active product is taken off sale, epoch ms; null: it stays.', Nullable(EpochMs))),
  name: described('The name of the product.', LocalName),
  shortDescription: described('A sentence for lists and search engines.', LocalTextSchema),
  description: described('The paragraphs of the product page.', LocalParagraphs),
  descriptionHtml: Type.Optional(
    described(
      'A formatted description in HTML, which the product page shows in place of the paragraphs. What is not safe is left out; `<img src>` is the file name of an image of the shop.',
      inLanguages(Type.String({ maxLength: 100_000 })),
    ),
  ),
  seoTitle: Type.Optional(
    described(
      'The whole title in search engines, in place of the name of the product and that of the shop.',
      inLanguages(Type.String({ maxLength: 300 })),
    ),
  ),
  seoDescription: Type.Optional(
    described(
      'The description in search engines, in place of the short description.',
      inLanguages(Type.String({ maxLength: 1000 })),
    ),
  ),
  brand: described('The id of a brand.', Id),
  category: described('The id of a category. The product is in the parents of the category as well.', Id),
  tags: described('The ids of tags.', Type.Array(Id, { maxItems: 50 })),
  priceCents: described(
    'The price in cents, before tax. With 0 the product is not for sale: a SKU that is given away has the price 0 of its own.',
    Cents,
  ),
  compareAtCents: described(
    'The price before a reduction, in cents: the product is on sale if it is higher than the price. null for none.',
    Nullable(Cents),
  ),
  clearance: described('Whether the product is on clearance.', Type.Boolean()),
  newArrival: described('Whether the product is among the new arrivals.', Type.Boolean()),
  inStoreOnly: described('Whether the product is sold in stores only, and never shipped.', Type.Boolean()),
  taxClass: described(
    'The tax class: `standard`, `zero-rated-grocery` (no tax), `prepared-food` (with the rebate of Ontario), or a class of food, whose tax follows the rules of the country: `docs/how-to/tax-on-food.md`.',
    Type.Enum<string[]>([...taxClasses]),
  ),
  weightGrams: described(
    'The weight in grams, for the specifications; null if it is not shown.',
    Nullable(Type.Integer({ minimum: 0, maximum: 10_000_000 })),
  ),
  details: described('Further specifications.', ProductDetails),
  options: described('The options to choose from, such as colour and size.', StoredOptions),
  images: described('File names of images. The first is the leading image.', Type.Array(Type.String(), { maxItems: 50 })),
  modifierGroups: Type.Optional(
    described(
      'The modifier groups to choose from when the product is ordered, in this order.',
      Type.Array(ProductModifierGroup, { maxItems: 20 }),
    ),
  ),
  related: described(
    'The ids of related products, which may be imported later. If there are none, the shop selects some.',
    Type.Array(Id, { maxItems: 50 }),
  ),
  createdAt: described('When the product was created, epoch ms. The newest come first in lists.', EpochMs),
  skus: described(
    'What can be bought: a SKU for each combination of option values that exists, or one in all; at most 2,048.',
    Type.Array(
      Type.Object({
        sku: described('Identifies the SKU. It is unique in the shop.', Sku),
        options: described(
          'The value of each option, by the names in the default language: `{ "Colour": "Sand" }`.',
          Type.Record(Type.String(), Type.String()),
        ),
        gtin: Type.Optional(
          described(
            'The GTIN that its bar code (EAN or UPC) carries, with the check digit, for search engines and product feeds. Left out, it has none.',
            Type.String(),
          ),
        ),
        priceCents: Type.Optional(
          described('Its own price, in cents before tax, in place of what the product and its options make.', Cents),
        ),
        compareAtCents: Type.Optional(
          described(
            'Its own price before a reduction, in cents; null for none. Left out, its price is reduced by as much as that of the product.',
            Nullable(Cents),
          ),
        ),
        costCents: Type.Optional(described('What a unit costs the merchant, in cents. No customer sees it.', Cents)),
        weightGrams: Type.Optional(
          described(
            'The weight of a unit in grams, where it is not that of the product.',
            Type.Integer({ minimum: 0, maximum: 10_000_000 }),
          ),
        ),
        image: Type.Optional(
          described(
            'The file name of the image that shows it, in place of that of its options; null for none.',
            Nullable(Type.String()),
          ),
        ),
        counted: Type.Optional(
          described('Whether its stock is counted; one that is not never runs out. Left out, it is.', Type.Boolean()),
        ),
        oversell: Type.Optional(
          described(
            'Whether it is sold beyond stock: it can be ordered when nothing is left, and ships later. Left out, it is not.',
            Type.Boolean(),
          ),
        ),
        singleServings: Type.Optional(
          described(
            'How many single servings of food a unit holds, for its tax: 6 for a box of six muffins, 2 or more for a bottle of 600 ml or a pack of cans. Left out, 1.',
            Type.Integer({ minimum: 1, maximum: 1000 }),
          ),
        ),
        stock: described(
          'Units by location, `warehouse` or the id of a store. Applied only if the SKU has no stock there yet.',
          Type.Record(Id, units),
        ),
      }),
      { minItems: 1, maxItems: mostSkus },
    ),
  ),
});
export type ProductInput = Static<typeof ProductInput>;

interface StatusInput {
  status?: Status | undefined;
  published?: boolean | undefined;
}

export function statusOf({ status, published = true }: StatusInput): Status {
  return status ?? (published ? 'active' : 'draft');
}

/** At a time, epoch ms. What has no price is not for sale. */
export function isPublished(input: ProductInput, now: number): boolean {
  const { publishAt, unpublishAt } = input;
  const isDue = (publishAt ?? 0) <= now && now < (unpublishAt ?? Number.POSITIVE_INFINITY);
  return statusOf(input) === 'active' && isDue && !lacksPrice(input);
}

/** Whether one of the SKUs costs nothing without saying so: only a price of its own that is 0 makes it a gift. */
function lacksPrice({ priceCents, options, skus }: Pick<ProductInput, 'priceCents' | 'options' | 'skus'>): boolean {
  const index = optionIndex(options);
  return skus.some((sku) => sku.priceCents === undefined && skuPrice(priceCents, index, sku.options) <= 0);
}

const validator = Compile(ProductInput);

export function productProblems(input: ProductInput): Problem[] {
  // Compiled, since imports may have many products; typed, but it may come from a file.
  const problems = validator.Check(input) ? ruleProblems(input) : schemaProblems(ProductInput, input, { closed: false });
  return problems.map((each) => ({ ...each, path: ['products', input.id, ...each.path] }));
}

function ruleProblems(input: ProductInput): Problem[] {
  const names = Map.groupBy(input.skus, ({ sku }) => sku);
  const repeated = [...names].flatMap(([sku, all]) => (all.length > 1 ? sku : []));
  return [
    // Not by the schema, which is compiled here.
    ...(isNamed(input.name) ? [] : [problem(['name', mainLocale()], 'problem.required')]),
    ...repeated.map((sku) => problem(['skus', sku], 'problem.repeated')),
    ...input.skus.flatMap(({ sku, gtin }) =>
      gtin === undefined || isGtin(gtin) ? [] : [problem(['skus', sku, 'gtin'], 'problem.gtin', { found: shown(gtin) })],
    ),
    ...((input.publishAt ?? 0) < (input.unpublishAt ?? Number.POSITIVE_INFINITY)
      ? []
      : [problem(['unpublishAt'], 'problem.unpublishAt')]),
    ...imageProblems(input),
    ...skuOptionProblems(input),
  ];
}

function imageProblems(input: ProductInput): Problem[] {
  const { scene, imageTexts = {} } = input.details;
  const { images } = input;
  const files = new Set(imagesOf(input));
  const unknown = Object.keys(imageTexts).filter((file) => !files.has(file));
  return [
    ...(!scene || images.includes(scene)
      ? []
      : [problem(['details', 'scene'], 'problem.image.own', { found: shown(scene), allowed: listed(images) })]),
    ...unknown.map((file) =>
      problem(['details', 'imageTexts', file], 'problem.image.own', { found: shown(file), allowed: listed(files) }),
    ),
  ];
}

/** Options and values by their names in the default language: a product may have thousands of values, and as many SKUs. */
export type OptionIndex = ReadonlyMap<string, ReadonlyMap<string, StoredOption['values'][number]>>;

export const optionIndex = (options: StoredOptions): OptionIndex =>
  new Map(
    options.map(({ name, values }) => [
      canonicalText(name),
      // The first of those with the same name.
      new Map(values.toReversed().map((value) => [canonicalText(value.name), value])),
    ]),
  );

/** Also used for products in the database. */
export function skuOptionProblems({
  options,
  skus,
}: {
  options: StoredOptions;
  skus: readonly { sku: string; options: Readonly<Record<string, string>> }[];
}): Problem[] {
  const combinations = new Set<string>();
  const known = optionIndex(options);
  return skus.flatMap(({ sku, options: chosen }) => {
    const path = ['skus', sku];
    const pairs = formatOptionPairs(Object.entries(chosen));
    const isRepeated = combinations.has(pairs);
    combinations.add(pairs);
    return [
      ...(isRepeated ? [problem(path, 'problem.option.repeated')] : []),
      ...[...known].flatMap(([option, values]) => valueProblems(path, { option, values }, chosen[option])),
      ...Object.keys(chosen)
        .filter((name) => !known.has(name))
        .map((name) => problem(path, 'problem.option.unknown', { option: shown(name), allowed: listed([...known.keys()]) })),
    ];
  });
}

function valueProblems(
  path: readonly string[],
  { option, values }: { option: string; values: ReadonlyMap<string, unknown> },
  value: string | undefined,
): Problem[] {
  if (value !== undefined && values.has(value)) return [];
  const allowed = listed([...values.keys()].toReversed());
  return [
    value === undefined
      ? problem(path, 'problem.option.missing', { option, allowed })
      : problem(path, 'problem.option.value', { option, value: shown(value), allowed }),
  ];
}

/** Cents: the base price plus the deltas of the chosen values, or the last overriding price. */
export function skuPrice(basePrice: number, options: OptionIndex, chosen: Readonly<Record<string, string>>): number {
  let base = basePrice;
  let added = 0;
  for (const [name, values] of options) {
    const value = values.get(chosen[name] ?? '');
    if (!value) continue;
    if (value.overridePriceCents === null) added += value.priceDeltaCents;
    else base = value.overridePriceCents;
  }
  return base + added;
}
