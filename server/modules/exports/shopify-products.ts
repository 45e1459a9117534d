/** Products in the form of Shopify's own exports, in the shop's default language: what other shops and their tools read. */
import type { Cell, Row } from '#contract/csv.ts';
import { canonicalText, inLocale, type LocalText, mainLocale } from '#contract/locales.ts';
import { decimalText } from '#contract/money.ts';
import { imagesOf, type WholeProduct } from '#server/modules/catalogue/index.ts';
import { escapeHtml } from '#server/platform/html.ts';

const quantityColumn = 'Variant Inventory Qty';
/** Its options at most. */
const mostOptions = 3;

const ofProduct = ['Title', 'Body (HTML)', 'Vendor', 'Product Category', 'Type', 'Tags', 'Published'];
const optionColumns = Array.from({ length: mostOptions }, (_, index) => [
  `Option${index + 1} Name`,
  `Option${index + 1} Value`,
]);
const ofVariant = [
  'Variant SKU',
  'Variant Grams',
  'Variant Inventory Tracker',
  quantityColumn,
  'Variant Inventory Policy',
  'Variant Fulfillment Service',
  'Variant Price',
  'Variant Compare At Price',
  'Variant Requires Shipping',
  'Variant Taxable',
  'Variant Barcode',
];
const ofPicture = ['Image Src', 'Image Position', 'Image Alt Text'];
const ofSearch = ['Gift Card', 'SEO Title', 'SEO Description'];
const last = ['Variant Image', 'Variant Weight Unit', 'Variant Tax Code', 'Cost per item', 'Status'];
const columns = [
  'Handle',
  ...ofProduct,
  ...optionColumns.flat(),
  ...ofVariant,
  ...ofPicture,
  ...ofSearch,
  ...last,
];

export interface ShopifyContext {
  brands: ReadonlyMap<string, { name: LocalText }>;
  categories: ReadonlyMap<string, { name: LocalText; parentId: string | null }>;
  tags: ReadonlyMap<string, { name: LocalText }>;
  /** The address of a picture by its file name. */
  addressOf: (file: string) => string | undefined;
  /** The only place with stock; with several, Shopify has it in a file of its own. */
  place: string | null;
  /** Of the prices, ISO 4217. */
  currency: string;
}

/** The header, without a column that this shop's file does not have. */
export const shopifyHeader = ({ place }: Pick<ShopifyContext, 'place'>): string[] =>
  columns.filter((column) => column !== quantityColumn || place !== null);

type Cells = Record<string, Cell>;

/** Files of a product that are alike have one address: what stands behind `#` tells them apart. */
function addressesOf(
  { facts }: WholeProduct,
  addressOf: ShopifyContext['addressOf'],
): ShopifyContext['addressOf'] {
  const files = [...new Set(imagesOf(facts))];
  const alike = Map.groupBy(files, addressOf);
  return (file) => {
    const address = addressOf(file);
    return address !== undefined && (alike.get(address) ?? []).length > 1 ? `${address}#${file}` : address;
  };
}

/** Its first row has the product. Row k has SKU k and picture k, which have nothing to do with each other. */
export function shopifyRows(product: WholeProduct, shop: ShopifyContext): Row[] {
  const { input, facts } = product;
  const context = { ...shop, addressOf: addressesOf(product, shop.addressOf) };
  const options = optionsOf(product);
  const pictures = facts.images.flatMap((file) => {
    const address = context.addressOf(file);
    return address === undefined ? [] : [{ address, text: facts.details.imageTexts?.[file] }];
  });
  const count = Math.max(input.skus.length, pictures.length);
  const header = shopifyHeader(context);
  return Array.from({ length: count }, (_, index) => {
    const picture = pictures[index];
    const cells: Cells = {
      Handle: facts.id,
      ...(index === 0 ? productCells(product, context) : {}),
      ...(index < input.skus.length ? variantCells(product, index, context) : {}),
      ...optionCells(options, index, input.skus.length),
      ...(picture && {
        'Image Src': picture.address,
        'Image Position': index + 1,
        'Image Alt Text': picture.text ? shown(picture.text) : null,
      }),
    };
    return header.map((column) => cells[column] ?? null);
  });
}

const shown = (text: LocalText): string => inLocale(text, mainLocale());

function productCells(
  { input, facts }: WholeProduct,
  { brands, categories, tags, addressOf }: ShopifyContext,
): Cells {
  return {
    Title: shown(facts.name),
    'Body (HTML)': bodyOf(input, addressOf),
    Vendor: shown(brands.get(facts.brand)?.name ?? {}),
    Type: typeOf(facts.category, categories),
    Tags: facts.tags.map((id) => tagName(id, tags)).join(', '),
    Published: facts.status === 'active',
    'Gift Card': false,
    'SEO Title': shown(input.seoTitle ?? {}),
    'SEO Description': shown(input.seoDescription ?? {}),
    Status: facts.status,
  };
}

/** The paragraphs as HTML, if there is nothing in their place. */
function bodyOf(
  { description, descriptionHtml }: WholeProduct['input'],
  addressOf: ShopifyContext['addressOf'],
): string {
  const html = shown(descriptionHtml ?? {});
  if (html !== '')
    return html.replace(/<img\b[^<>]*>/g, (image) =>
      image.replace(/(\ssrc=")([^"]+)"/, (all, before: string, file: string) => {
        const address = addressOf(file);
        return address === undefined ? all : `${before}${address}" data-file="${file}"`;
      }),
    );
  const paragraphs = description[mainLocale()] ?? Object.values(description)[0] ?? [];
  return paragraphs.map((text) => `<p>${escapeHtml(text)}</p>`).join('');
}

/** A name that several categories have is that of its whole path. */
function typeOf(id: string, categories: ShopifyContext['categories']): string {
  const category = categories.get(id);
  if (!category) return '';
  const own = shown(category.name);
  const isUnique = [...categories.values()].filter((each) => shown(each.name) === own).length === 1;
  const above = isUnique || category.parentId === null ? '' : typeOf(category.parentId, categories);
  return above === '' ? own : `${above} > ${own}`;
}

/** A comma would end it. */
function tagName(id: string, tags: ShopifyContext['tags']): string {
  const name = shown(tags.get(id)?.name ?? {});
  return name === '' || name.includes(',') ? id : name;
}

interface FileOption {
  name: string;
  /** Of each SKU. */
  values: string[];
}

/** Those beyond Shopify's three are in the third. */
export function optionsOf({ input }: WholeProduct): FileOption[] {
  const all = input.options.map((option) => ({
    name: shown(option.name),
    values: input.skus.map(({ options: chosen }) => {
      const value = chosen[canonicalText(option.name)] ?? '';
      return shown(option.values.find((each) => canonicalText(each.name) === value)?.name ?? { en: value });
    }),
  }));
  if (all.length === 0) return [{ name: 'Title', values: ['Default Title'] }];
  const rest = all.slice(mostOptions - 1);
  if (rest.length < 2) return all;
  const joined = {
    name: rest.map(({ name }) => name).join(' / '),
    values: input.skus.map((_, index) => rest.map(({ values }) => values[index]).join(' / ')),
  };
  return [...all.slice(0, mostOptions - 1), joined];
}

function optionCells(options: readonly FileOption[], index: number, skus: number): Cells {
  if (index >= skus) return {};
  return Object.fromEntries(
    options.flatMap(({ name, values }, position) => [
      [`Option${position + 1} Name`, index === 0 ? name : null],
      [`Option${position + 1} Value`, values[index] ?? null],
    ]),
  );
}

function variantCells(
  { input, facts }: WholeProduct,
  index: number,
  { addressOf, place, currency }: ShopifyContext,
): Cells {
  const [sku, fact] = [input.skus[index], facts.skus[index]];
  if (!sku || !fact) return {};
  const grams = sku.weightGrams ?? input.weightGrams;
  return {
    'Variant SKU': { code: sku.sku },
    'Variant Grams': grams,
    'Variant Inventory Tracker': (sku.counted ?? true) ? 'shopify' : null,
    [quantityColumn]: place === null ? null : (sku.stock[place] ?? 0),
    'Variant Inventory Policy': sku.oversell ? 'continue' : 'deny',
    'Variant Fulfillment Service': 'manual',
    'Variant Price': decimalText(fact.priceCents, currency),
    'Variant Compare At Price':
      (fact.compareAtCents ?? 0) > fact.priceCents ? decimalText(fact.compareAtCents ?? 0, currency) : null,
    'Variant Requires Shipping': !input.inStoreOnly,
    'Variant Taxable': input.taxClass !== 'zero-rated-grocery',
    'Variant Barcode': sku.gtin === undefined ? null : { code: sku.gtin },
    'Variant Image': (sku.image && addressOf(sku.image)) || null,
    'Variant Weight Unit': grams === null ? null : 'g',
    'Cost per item': sku.costCents === undefined ? null : decimalText(sku.costCents, currency),
  };
}
