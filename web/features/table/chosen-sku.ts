/** Finds the SKU of chosen option values. */
import type { Product, SkuInfo } from '#contract/schemas/catalogue.ts';

/** The chosen value of each option, by the option's name. */
export type Choices = Readonly<Record<string, string>>;

type Optioned = Pick<Product, 'skus'> & { specification: Pick<Product['specification'], 'options'> };

/** The values of the first SKU in stock, or of the first one. */
export function firstChoices({ skus, specification: { options } }: Optioned): Choices {
  const sku = skus.find(({ inStock }) => inStock) ?? skus[0];
  return Object.fromEntries(
    options.map(({ name, values }) => [name, values.find(({ value }) => sku && hasPair(sku, name, value))?.value ?? '']),
  );
}

/** Undefined if no SKU has exactly these values. */
export function chosenSku({ skus }: Pick<Product, 'skus'>, choices: Choices): SkuInfo | undefined {
  return skus.find((sku) => Object.entries(choices).every(([name, value]) => hasPair(sku, name, value)));
}

/** `optionPairs` is text such as `#Size:Large#Milk:Oat`. */
function hasPair({ optionPairs }: SkuInfo, name: string, value: string): boolean {
  return `${optionPairs}#`.includes(`#${name}:${value}#`);
}
