/** Finds the chosen combination of a product's options. Pure; names and values are in the default language. */
import { inLocale, type Locale } from '#contract/locales.ts';
import { formatOptionPairs, parseOptionPairs } from '#contract/option-pairs.ts';
import type { OptionValue, PriceInfo, Product, ProductOption, SkuInfo } from '#contract/schemas/catalogue.ts';
import type { ImageInfo } from '#contract/schemas/common.ts';
import type { Translate } from '#contract/translate.ts';
import { formatMoney } from '#ui/format.ts';
import { useLocale, useT } from '#ui/i18n.tsx';
import { OptionChips } from '#web/ui/option-chips.tsx';

/** Option name to value; every option of the product has one. */
export type Choice = Record<string, string>;

/** `soldOut`: exists, but no location has stock. `none`: the combination does not exist. */
type Availability = 'available' | 'soldOut' | 'none';

type Choosable = Pick<Product, 'specification' | 'skus' | 'mediaInfo'>;

export function choiceIn(optionPairs: string): Choice {
  return Object.fromEntries(parseOptionPairs(optionPairs) ?? []);
}

/** The text of `#name:value` pairs that the inventory call and the cart accept; '' without options. */
export function pairsOf(choice: Choice): string {
  return formatOptionPairs(Object.entries(choice));
}

export function skuOf({ skus }: Choosable, choice: Choice): SkuInfo | undefined {
  const pairs = pairsOf(choice);
  return skus.find(({ optionPairs }) => optionPairs === pairs);
}

/** The address parameter for a colour, used by links that do not know the product's name for that option. */
const swatchKey = 'swatch';

/** Missing and invalid values are filled from a combination in stock that matches the rest, preferring the one of the first image. */
export function chooseFrom(product: Choosable, asked: Record<string, unknown>): Choice {
  const { options } = product.specification;
  const wanted: Choice = {};
  for (const { name, values } of options) {
    const asWritten = asked[name] ?? (values.some(({ color }) => color) ? asked[swatchKey] : undefined);
    const value = values.find((candidate) => candidate.value === asWritten)?.value;
    if (value !== undefined) wanted[name] = value;
  }
  const agreeing = product.skus.filter((sku) => agrees(choiceIn(sku.optionPairs), wanted));
  const available = agreeing.filter((sku) => sku.inStock);
  const base =
    available.find((sku) => isPictured(product, choiceIn(sku.optionPairs))) ?? available[0] ?? agreeing[0];
  const pairs = base ? choiceIn(base.optionPairs) : {};
  return Object.fromEntries(
    options.map(({ name, values }) => [name, wanted[name] ?? pairs[name] ?? values[0]?.value ?? '']),
  );
}

function isPictured(product: Choosable, choice: Choice): boolean {
  const first = product.mediaInfo.imageInfos[0]?.imageURL;
  return first !== undefined && pictureOf(product, choice)?.imageURL === first;
}

function agrees(pairs: Choice, wanted: Choice): boolean {
  return Object.entries(wanted).every(([name, value]) => pairs[name] === value);
}

export function availabilityOf(
  product: Choosable,
  choice: Choice,
  name: string,
  value: string,
): Availability {
  const sku = skuOf(product, { ...choice, [name]: value });
  if (!sku) return 'none';
  return sku.inStock ? 'available' : 'soldOut';
}

/** The nearest choice in stock: `choice` with another value of one option. Undefined if there is none. */
export function alternativeTo(
  product: Choosable,
  choice: Choice,
): { choice: Choice; value: OptionValue } | undefined {
  for (const { name, values } of product.specification.options) {
    const value = values.find(
      (other) =>
        other.value !== choice[name] && availabilityOf(product, choice, name, other.value) === 'available',
    );
    if (value) return { choice: { ...choice, [name]: value.value }, value };
  }
  return undefined;
}

/** The price of the choice; the product's own price if the combination does not exist. */
export function priceOf(product: Choosable & { priceInfo: PriceInfo }, choice: Choice): PriceInfo {
  return skuOf(product, choice)?.priceInfo ?? product.priceInfo;
}

/** The SKU's own, or that of a value. */
export function pictureOf(product: Choosable, choice: Choice): ImageInfo | undefined {
  const own = skuOf(product, choice)?.image;
  if (own) return own;
  for (const { name, values } of product.specification.options) {
    const image = values.find(({ value }) => value === choice[name])?.image;
    if (image) return image;
  }
  return undefined;
}

/** `choice` with the value whose image it is, or the SKU's, sold out or not. Undefined for an image of neither. */
export function choiceOfPicture(
  product: Choosable,
  choice: Choice,
  { imageURL }: ImageInfo,
): Choice | undefined {
  if (pictureOf(product, choice)?.imageURL === imageURL) return choice;
  const own = product.skus.find(({ image }) => image?.imageURL === imageURL);
  if (own) return choiceIn(own.optionPairs);
  for (const { name, values } of product.specification.options) {
    const value = values.find(({ image }) => image?.imageURL === imageURL);
    if (value) return { ...choice, [name]: value.value };
  }
  return undefined;
}

/** All images of a product without duplicates: the chosen value's, other views of the product, then those of other values. */
export function galleryOf(product: Choosable, choice: Choice): ImageInfo[] {
  const { mediaInfo, specification } = product;
  const ofValues = specification.options.flatMap(({ values }) => values.flatMap(({ image }) => image ?? []));
  const views = mediaInfo.imageInfos.filter((image) => !choiceOfPicture(product, choice, image));
  const images = [pictureOf(product, choice) ?? [], views, mediaInfo.imageInfos, ofValues].flat();
  const seen = new Set<string>();
  return images.filter(({ imageURL }) => !seen.has(imageURL) && seen.add(imageURL));
}

export function labelOf(options: ProductOption[], choice: Choice, locale: Locale, t: Translate): string {
  const labels = options.flatMap(({ name, values }) => {
    const value = values.find((candidate) => candidate.value === choice[name]);
    return value ? [inLocale(value.valueContent, locale)] : [];
  });
  return labels.join(t('ui.listSeparator'));
}

interface OptionPickerProps {
  product: Product;
  choice: Choice;
  onChange: (choice: Choice) => void;
}

/** Every option as a row of buttons. An unavailable value is marked but can be chosen, which shows the reason. */
export function OptionPicker({ product, choice, onChange }: OptionPickerProps) {
  const locale = useLocale();
  const t = useT();
  const { options } = product.specification;
  return options.map((option) => (
    <OptionChips
      key={option.name}
      legend={inLocale(option.nameContent, locale)}
      value={choice[option.name] ?? null}
      onChange={(value) => onChange({ ...choice, [option.name]: value })}
      options={option.values.map(({ value, valueContent, color, priceInfo }) => ({
        value,
        label: inLocale(valueContent, locale),
        color,
        soldOut: availabilityOf(product, choice, option.name, value) !== 'available',
        note: replacesPrice(option)
          ? formatMoney(
              priceOf(product, { ...choice, [option.name]: value }).price,
              locale,
              product.priceInfo.currency,
            )
          : priceInfo.price > 0
            ? t('product.option.adds', {
                price: formatMoney(priceInfo.price, locale, product.priceInfo.currency),
              })
            : undefined,
      }))}
    />
  ));
}

/** Whether values have prices of their own, such as the weights of coffee, rather than surcharges. */
function replacesPrice({ values }: ProductOption): boolean {
  return values.some(({ overridePrice }) => overridePrice !== null);
}
