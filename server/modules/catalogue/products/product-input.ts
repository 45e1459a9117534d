import Type, { type Static } from 'typebox';
import { Compile } from 'typebox/compile';
import { canonicalText, mainLocale } from '#contract/locales.ts';
import { formatOptionPairs } from '#contract/option-pairs.ts';
import { listed, type Problem, problem, shown } from '#contract/problems.ts';
import { isGtin } from '#contract/rules/gtin.ts';
import { described } from '#contract/schemas/common.ts';
import {
  ProductDetails,
  ProductFields,
  type Status,
  type StoredOption,
  type StoredOptions,
} from '#contract/schemas/product.ts';
import { brand } from '#server/platform/brand.ts';
import { isNamed, schemaProblems } from '#server/platform/schema-problems.ts';
import { imagesOf } from './product.ts';

/** With the details of the brand, which the program stores and does not read. */
export const ProductInput = Type.Object({
  ...ProductFields.properties,
  details: described(
    'Further specifications.',
    Type.Object({ ...ProductDetails.properties, ...brand.productDetails }) as typeof ProductDetails,
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
function lacksPrice({
  priceCents,
  options,
  skus,
}: Pick<ProductInput, 'priceCents' | 'options' | 'skus'>): boolean {
  const index = optionIndex(options);
  return skus.some((sku) => sku.priceCents === undefined && skuPrice(priceCents, index, sku.options) <= 0);
}

const validator = Compile(ProductInput);

export function productProblems(input: ProductInput): Problem[] {
  // Compiled, since imports may have many products; typed, but it may come from a file.
  const problems = validator.Check(input)
    ? ruleProblems(input)
    : schemaProblems(ProductInput, input, { closed: false });
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
      gtin === undefined || isGtin(gtin)
        ? []
        : [problem(['skus', sku, 'gtin'], 'problem.gtin', { found: shown(gtin) })],
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
      : [
          problem(['details', 'scene'], 'problem.image.own', {
            found: shown(scene),
            allowed: listed(images),
          }),
        ]),
    ...unknown.map((file) =>
      problem(['details', 'imageTexts', file], 'problem.image.own', {
        found: shown(file),
        allowed: listed(files),
      }),
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
        .map((name) =>
          problem(path, 'problem.option.unknown', {
            option: shown(name),
            allowed: listed([...known.keys()]),
          }),
        ),
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
export function skuPrice(
  basePrice: number,
  options: OptionIndex,
  chosen: Readonly<Record<string, string>>,
): number {
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
