/** What becomes of the SKUs of a product when its options change. SKUs name options and values in the main language. */
import { mainLocale } from '#contract/locales.ts';
import type { OptionDocument, ProductDocument, SkuDocument } from '#contract/staff/goods.ts';

export type Varied = Pick<ProductDocument, 'id' | 'options' | 'skus'>;

export const mostOptions = 4;
const mostSkus = 2048;

export const nameOf = ({ name }: Pick<OptionDocument, 'name'>): string => name[mainLocale()] ?? '';

export const newValue = (name: string): OptionDocument['values'][number] => ({
  ...{ name: { [mainLocale()]: name }, priceDeltaCents: 0, overridePriceCents: null },
  ...{ skuSuffix: suffixOf(name), color: null, image: null },
});

const suffixOf = (name: string) =>
  name
    .normalize('NFKD')
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, '')
    .slice(0, 8);

/** SKUs that are there get its first value. */
export function withOption({ options, skus, ...rest }: Varied, name: string, value: string): Varied {
  return {
    ...rest,
    options: [...options, { name: { [mainLocale()]: name }, values: [newValue(value)] }],
    skus: skus.map((sku) => ({ ...sku, options: { ...sku.options, [name]: value } })),
  };
}

/** Of the SKUs that are the same without it, the first stays. */
export function withoutOption({ options, skus, ...rest }: Varied, option: string): Varied {
  const left = options.filter((each) => nameOf(each) !== option);
  const fewer = skus.map(({ options: { [option]: _gone, ...chosen }, ...sku }) => ({ ...sku, options: chosen }));
  const firsts = new Map(fewer.toReversed().map((sku) => [combination(left, sku.options), sku.sku]));
  return { ...rest, options: left, skus: fewer.filter((sku) => firsts.get(combination(left, sku.options)) === sku.sku) };
}

export function renamedOption({ options, skus, ...rest }: Varied, from: string, to: string): Varied {
  return {
    ...rest,
    options: options.map((each) => (nameOf(each) === from ? { ...each, name: { ...each.name, [mainLocale()]: to } } : each)),
    skus: skus.map((sku) => ({
      ...sku,
      options: Object.fromEntries(Object.entries(sku.options).map(([name, value]) => [name === from ? to : name, value])),
    })),
  };
}

export function renamedValue(varied: Varied, option: string, from: string, to: string): Varied {
  return {
    ...varied,
    options: varied.options.map((each) =>
      nameOf(each) === option
        ? {
            ...each,
            values: each.values.map((value) =>
              nameOf(value) === from ? { ...value, name: { ...value.name, [mainLocale()]: to } } : value,
            ),
          }
        : each,
    ),
    skus: varied.skus.map((sku) => (sku.options[option] === from ? { ...sku, options: { ...sku.options, [option]: to } } : sku)),
  };
}

/** With the SKUs that have it. An option without values is none. */
export function withoutValue(varied: Varied, option: string, value: string): Varied {
  const options = varied.options.map((each) =>
    nameOf(each) === option ? { ...each, values: each.values.filter((other) => nameOf(other) !== value) } : each,
  );
  if (options.some(({ values }) => values.length === 0)) return withoutOption(varied, option);
  return { ...varied, options, skus: varied.skus.filter((sku) => sku.options[option] !== value) };
}

export function missingSkus({ id, options, skus }: Varied): SkuDocument[] {
  const known = new Set(skus.map((sku) => combination(options, sku.options)));
  const taken = new Set(skus.map(({ sku }) => sku));
  const combinations = options.reduce<{ options: Record<string, string>; suffix: string }[]>(
    (all, option) =>
      all
        .flatMap((each) =>
          option.values.map((value) => ({
            options: { ...each.options, [nameOf(option)]: nameOf(value) },
            suffix: `${each.suffix}-${value.skuSuffix || suffixOf(nameOf(value)) || option.values.indexOf(value) + 1}`,
          })),
        )
        .slice(0, mostSkus * 2),
    [{ options: {}, suffix: '' }],
  );
  const missing = combinations.filter((each) => !known.has(combination(options, each.options)));
  return missing.slice(0, Math.max(0, mostSkus - skus.length)).map((each) => {
    const wanted = `${id}${each.suffix}`.slice(0, 90);
    let sku = wanted;
    for (let number = 2; taken.has(sku); number++) sku = `${wanted}-${number}`;
    taken.add(sku);
    return { sku, options: each.options, stock: {} };
  });
}

const combination = (options: readonly OptionDocument[], chosen: Readonly<Record<string, string>>): string =>
  JSON.stringify(options.map((option) => chosen[nameOf(option)] ?? null));
