/**
 * Products with everything that the shop knows of them, in every language: a row for each SKU, the product on its first. What is an
 * id, or counts only together with options, is named so that an importer of other shops' files does not take it for a name or a price.
 */
import { type LocalText, localeCodes } from '#contract/locales.ts';
import { formatOptionPairs } from '#contract/option-pairs.ts';
import { type ProductInput, statusOf, type WholeProduct } from '#server/modules/catalogue/index.ts';
import { amount, type Cell, type Row } from '#server/platform/csv.ts';

type SkuInput = ProductInput['skus'][number];
type Column<T> = readonly [header: string, cell: (of: T) => Cell];

const inEach = <T>(header: string, cell: (of: T, locale: (typeof localeCodes)[number]) => Cell): Column<T>[] =>
  localeCodes.map((locale) => [`${header} (${locale})`, (of) => cell(of, locale)]);
const textIn = (header: string, text: (product: ProductInput) => LocalText | undefined): Column<ProductInput>[] =>
  inEach(header, (product, locale) => text(product)?.[locale] ?? null);
const money = (cents: number | null | undefined): Cell => (cents == null ? null : amount(cents));
const time = (at: number | null | undefined): Cell => (at == null ? null : new Date(at).toISOString());
/** What has more parts than a cell shows. */
const json = (value: unknown): Cell =>
  value === undefined || JSON.stringify(value) === '[]' || JSON.stringify(value) === '{}' ? null : JSON.stringify(value);

const productColumns: readonly Column<ProductInput>[] = [
  ['Status', statusOf],
  ['Publish at', ({ publishAt }) => time(publishAt)],
  ['Unpublish at', ({ unpublishAt }) => time(unpublishAt)],
  ...textIn('Name', ({ name }) => name),
  ...textIn('Short description', ({ shortDescription }) => shortDescription),
  // An empty line ends a paragraph.
  ...inEach<ProductInput>('Description', ({ description }, locale) => description[locale]?.join('\n\n') ?? null),
  ...textIn('Description HTML', ({ descriptionHtml }) => descriptionHtml),
  ...textIn('SEO title', ({ seoTitle }) => seoTitle),
  ...textIn('SEO description', ({ seoDescription }) => seoDescription),
  ['Brand id', ({ brand }) => brand],
  ['Category id', ({ category }) => category],
  ['Tag ids', ({ tags }) => tags.join(', ')],
  ['Base price', ({ priceCents }) => money(priceCents)],
  ['Base compare-at price', ({ compareAtCents }) => money(compareAtCents)],
  ['Clearance', ({ clearance }) => clearance],
  ['New arrival', ({ newArrival }) => newArrival],
  ['In stores only', ({ inStoreOnly }) => inStoreOnly],
  ['Tax class', ({ taxClass }) => taxClass],
  ['Base weight (g)', ({ weightGrams }) => weightGrams],
  ['Picture files', ({ images }) => images.join(', ')],
  ['Related ids', ({ related }) => related.join(', ')],
  ['Created at', ({ createdAt }) => time(createdAt)],
  ['Options (JSON)', ({ options }) => json(options)],
  ['Modifier groups (JSON)', ({ modifierGroups }) => json(modifierGroups)],
  ['Details (JSON)', ({ details }) => json(details)],
];

/** Empty: as the product's. */
const skuColumns: readonly Column<SkuInput>[] = [
  ['SKU', ({ sku }) => ({ code: sku })],
  ['SKU options', ({ options }) => formatOptionPairs(Object.entries(options))],
  ['Barcode', ({ gtin }) => (gtin === undefined ? null : { code: gtin })],
  ['SKU price', ({ priceCents }) => money(priceCents)],
  ['SKU compare-at price', ({ compareAtCents }) => (compareAtCents === null ? 'none' : money(compareAtCents))],
  ['SKU cost', ({ costCents }) => money(costCents)],
  ['SKU weight (g)', ({ weightGrams }) => weightGrams ?? null],
  ['SKU picture file', ({ image }) => image ?? null],
  ['Servings', ({ singleServings }) => singleServings ?? null],
  ['Counted', ({ counted }) => counted ?? true],
  ['Sold beyond stock', ({ oversell }) => oversell ?? false],
];

/** With a column for the stock at each place. */
export const ownHeader = (places: readonly string[]): string[] => [
  'Handle',
  ...productColumns.map(([header]) => header),
  ...skuColumns.map(([header]) => header),
  ...places.map((place) => `Stock: ${place}`),
];

export function ownRows({ input }: WholeProduct, places: readonly string[]): Row[] {
  return input.skus.map((sku, index) => [
    input.id,
    ...productColumns.map(([, cell]) => (index === 0 ? cell(input) : null)),
    ...skuColumns.map(([, cell]) => cell(sku)),
    ...places.map((place) => sku.stock[place] ?? null),
  ]);
}
