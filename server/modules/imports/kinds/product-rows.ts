/**
 * Products in rows, as Shopify writes them and as people make them: the rows of a product share its handle, or without handles its
 * title. The first says what the product is. Each row may hold a variant, and a picture that has nothing to do with it.
 */
import type { ProblemKey } from '#contract/problems.ts';
import { categoryDepth } from '#contract/rules/categories.ts';
import { isGtin } from '#contract/rules/gtin.ts';
import { dayMs } from '#server/platform/time-zone.ts';
import type { Sheet, SheetRow } from '../sheet/read-sheet.ts';
import {
  descriptionIn,
  type FoundPicture,
  type FoundProduct,
  type FoundVariant,
  plainText,
} from './found-product.ts';
import { identitiesOf, type Named, ownerOf } from './identities.ts';
import {
  collected,
  columnNames,
  type Entry,
  flagIn,
  type Known,
  type Mapping,
  nameOfColumn,
  type Reading,
  RowReader,
  rowsAtOnce,
  slugOf,
} from './kind.ts';
import { pricesIn, type SaleTimes } from './sale-prices.ts';

/** The names that shops and people give to the column of a field, compared without capitals and padding. */
const named = columnNames({
  handle: 'handle|url handle|slug|permalink|网址',
  title:
    'title|name|product name|product title|product|produktname|titel|bezeichnung|nom|nombre|nome|名称|商品名称|产品名称|标题|item name|name *|titolo',
  html: 'body (html)|body html|body|description|long description|beschreibung|description longue|descripción|描述|商品描述|产品描述|详情|product description|descrizione',
  summary: 'short description|summary|kurzbeschreibung|简介|简短描述',
  vendor: 'vendor|brand|brands|manufacturer|marke|hersteller|marque|marca|品牌|供应商|brand name',
  category:
    'product category|standardized product type|category|categories|kategorie|kategorien|catégorie|categoría|categoria|分类|类目|google shopping / google product category',
  type: 'type|custom product type|product type|产品类型',
  tags: 'tags|tag|schlagwörter|étiquettes|etiquetas|标签',
  published:
    'published|published on online store|visible|is visible|is active|veröffentlicht|已发布|product visible?|active (0/1)|product online|square online item visibility',
  status: 'status|状态',
  sku: 'variant sku|sku|artikelnummer|article number|item number|part number|référence|referencia|货号|商品编码|product code/sku|reference #',
  grams: 'variant grams|weight value (grams)|weight (g)|grams|gewicht (g)|重量(克)|重量（克）',
  kilograms: 'weight (kg)|gewicht (kg)|poids (kg)|peso (kg)|重量(kg)',
  pounds: 'weight (lbs)|weight (lb)',
  ounces: 'weight (oz)',
  tracker: 'variant inventory tracker|inventory tracker',
  units:
    'variant inventory qty|inventory quantity|quantity|qty|stock|stock quantity|on hand|in stock|bestand|lagerbestand|stock disponible|existencias|quantité|cantidad|quantità|库存|数量|current stock level|inventory level',
  policy: 'variant inventory policy|continue selling when out of stock',
  price:
    'variant price|price|regular price|selling price|preis|prix|precio|prezzo|preço|цена|价格|售价|单价|price tax excluded|price tax included|price tax excluded or price tax included',
  salePrice: 'sale price|special price|discounted price|angebotspreis|prix promo|precio rebajado|促销价|特价',
  discountAmount: 'discount amount',
  discountPercent: 'discount percent',
  onSale: 'on sale',
  saleStarts:
    'sale price start date|special price from date|special from date|date sale price starts|discount from (yyyy-mm-dd)',
  saleEnds:
    'sale price end date|special price to date|special to date|date sale price ends|discount to (yyyy-mm-dd)',
  currency: 'currency|currency code|währung|devise|moneda|valuta|币种|货币',
  compareAt: 'variant compare at price|compare-at price|compare at price|msrp|rrp|uvp|原价|划线价',
  cost: 'cost per item|cost|cost price|einkaufspreis|成本|进价',
  barcode:
    'variant barcode|barcode|gtin|ean|upc|isbn|gtin, upc, ean, or isbn|条码|条形码|ean13|product upc/ean',
  picture:
    'image src|product image url|image|images|image url|image urls|picture|photo|bild|bilder|图片|图片链接|image urls (x,y,z...)|hosted image urls',
  position: 'image position',
  alt: 'image alt text|alt text|图片说明',
  variantPicture: 'variant image|variant image url',
  seoTitle: 'seo title|meta title|page title',
  seoDescription: 'seo description|meta description',
  giftCard: 'gift card',
  taxable: 'variant taxable|charge tax|taxable',
  shipped: 'variant requires shipping|requires shipping',
  option1Name: 'option1 name|option name 1',
  // Some shops give variants a name of their own.
  option1Value: 'option1 value|option value 1|variation name',
  option2Name: 'option2 name|option name 2',
  option2Value: 'option2 value|option value 2',
  option3Name: 'option3 name|option name 3',
  option3Value: 'option3 value|option value 3',
  variations: 'variation 1 values|variation 2 values',
});

export const productFields: readonly string[] = named.fields;

/** `Image 2`, `image_url_3`, `Product Image File - 1`. */
const numberedPicture =
  /^(?:product )?(?:image|img|picture|photo|bild|immagine|图片)[ -]*(?:file|url|src|link)?[ -]*\d{1,2}(?:[ -]*(?:url|src|link))?$/;

export function productFieldOf(column: string): string | null {
  const name = nameOfColumn(column.replaceAll('_', ' '));
  return named.fieldOf(name) ?? (numberedPicture.test(name) ? 'picture' : null);
}

/** Square has a column for each place: that of an only place is the stock; those of several are, by their names, a file of stock. */
export const placeOfCount = (column: string): string | null =>
  /^current quantity (.+)$/i.exec(column.trim())?.[1] ?? null;

export const rowFieldOf = (column: string, columns: readonly string[]): string | null =>
  productFieldOf(column) ??
  (placeOfCount(column) !== null && columns.filter((each) => placeOfCount(each) !== null).length === 1
    ? 'units'
    : null);

const mostGrams = 10_000_000;
export const mostUnits = 1_000_000_000;
const gramsOf = { grams: 1, kilograms: 1000, pounds: 453.592_37, ounces: 28.349_523_125 } as const;

/** The rows of one product. */
interface Group extends Named {
  skus: string[];
  rows: SheetRow[];
}

export function* readProductRows(
  sheet: Sheet,
  mapping: Mapping,
  reading: Reading,
  known: Known,
): Generator<Entry<FoundProduct> | null> {
  const groups = joinedByOwner(yield* collected(productGroups(sheet, mapping)), known);
  const ids = identitiesOf(groups, known);
  const reader = new RowReader(sheet, mapping, reading);
  for (const [at, group] of groups.entries()) yield entryOf(reader, ids[at] ?? '', group, reading.now);
}

/** Rows share a handle. Without one they share a name, if options tell them apart; else each that can be sold is a product. */
export function* productGroups(sheet: Sheet, mapping: Mapping): Generator<Group | null> {
  const reader = new RowReader(sheet, mapping);
  const hasOptions = reader.has('option1Value');
  const groups = new Map<string, Group>();
  let last: Group | undefined;
  for (const [at, row] of sheet.rows.entries()) {
    if (at % rowsAtOnce === 0) yield null;
    reader.row = row;
    const handle = handleIn(reader);
    const name = reader.text('title') ?? '';
    const sku = skuIn(reader) ?? '';
    // A further picture, or a further variant of an export whose products are named once.
    const isVariant = name === '' && reader.has('title') && (reader.text('option1Value') ?? '') !== '';
    const isMore: boolean =
      handle === '' && (isVariant || (name !== '' && last?.name === name && !isSold(reader)));
    const key =
      handle !== '' ? `handle ${handle}` : name !== '' && hasOptions ? `name ${name}` : `row ${row.line}`;
    const group: Group = (isMore ? last : groups.get(key)) ?? { handle, name, key: sku, skus: [], rows: [] };
    group.rows.push(row);
    if (sku !== '') group.skus.push(sku);
    groups.set(key, group);
    last = group;
  }
  yield* new Set(groups.values());
}

/** Rows without handles that have SKUs of one product of the shop are that product. Names that differ are those of its variants. */
function joinedByOwner(groups: readonly Group[], known: Known): Group[] {
  const joined = new Map<string, Group>();
  return groups.filter((group) => {
    const owner = group.handle === '' ? ownerOf(group.skus, known) : undefined;
    if (owner === undefined) return true;
    const first = joined.get(owner);
    if (!first) {
      joined.set(owner, group);
      return true;
    }
    first.rows.push(...group.rows);
    first.skus.push(...group.skus);
    if (first.name !== group.name) first.name = '';
    return false;
  });
}

const longestHandle = 100;

/** Empty: the file names none. */
function handleIn(reader: RowReader): string {
  const handle = reader.text('handle') ?? '';
  if (handle === '' || /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/.test(handle)) return handle;
  return slugOf(handle);
}

export function idOf(reader: RowReader): string {
  const handle = handleIn(reader);
  if (handle !== '') return handle;
  const name = reader.text('title') ?? '';
  if (name !== '') return slugOf(name);
  const sku = reader.text('sku') ?? '';
  return sku === '' ? '' : slugOf(sku);
}

function entryOf(
  reader: RowReader,
  id: string,
  { rows, name, handle }: Group,
  now: number,
): Entry<FoundProduct> {
  const before = reader.problems.length;
  const [first = { line: 0, cells: [] }] = rows;
  reader.row = first;
  if (id === '' && skuIn(reader)) reader.refuse('sku', 'problem.sheet.unknownSku');
  else if (id === '') reader.refuse('title', 'problem.sheet.unnamed');
  if (flagIn(reader.text('giftCard') ?? '') === true) reader.refuse('giftCard', 'problem.sheet.giftCard');
  const { title, ...texts } = productIn(reader);
  const given = reader.text('handle') ?? '';
  const isNamed = title !== undefined && (handle !== '' || name !== '');
  const product: FoundProduct = {
    id,
    ...(given.length > longestHandle ? { longHandle: given } : {}),
    ...(isNamed ? { title } : {}),
    ...texts,
    variants: [],
  };
  const pictures: FoundPicture[] = [];
  const taxed: boolean[] = [];
  let isSent = true;
  for (const row of rows) {
    reader.row = row;
    if (isShifted(reader)) reader.refuse('title', 'problem.sheet.shifted');
    const variant = variantIn(reader, product.options, { isOnly: rows.length === 1 || row === first, now });
    if (variant) {
      product.variants.push(variant);
      const isTaxed = flagIn(reader.text('taxable') ?? '');
      if (isTaxed !== null) taxed.push(isTaxed);
      if (flagIn(reader.text('shipped') ?? '') === false) isSent = false;
    }
    pictures.push(...picturesIn(reader));
  }
  if (reader.has('picture')) product.pictures = inOrder(pictures);
  reader.row = first;
  if (taxed.length > 0) product.untaxed = !taxed.includes(true);
  if (taxed.includes(false) && taxed.includes(true)) reader.lose('taxable', 'problem.sheet.lost.tax');
  if ((product.category?.length ?? 0) > categoryDepth && !product.type)
    reader.lose('category', 'problem.sheet.lost.depth');
  if (reader.text('variations')) reader.lose('variations', 'problem.sheet.lost.variations');
  if (!isSent) reader.lose('shipped', 'problem.sheet.lost.shipping');
  if (/<img\b/i.test(reader.text('html') ?? '') && !/data-file=/.test(reader.text('html') ?? ''))
    reader.lose('html', 'problem.sheet.lost.pictures');
  return {
    subject: id || '–',
    lines: rows.map(({ line }) => line),
    content: product,
    problems: reader.problems.splice(before),
  };
}

/** Several cells that cannot be what their columns say stand beside them. */
function isShifted(reader: RowReader): boolean {
  if (reader.isLonger) return true;
  const isOdd = (field: string, form: RegExp) => {
    const text = reader.text(field) ?? '';
    return text !== '' && !form.test(text);
  };
  const odd = [
    (reader.text('published') ?? '') !== '' && statusNamed(reader.text('published') ?? '') === undefined,
    isOdd('policy', /^(?:deny|continue)$/i),
    isOdd('price', /\d/),
    isOdd('grams', /^[\d.,\s]*$/),
    !isUncounted(reader) && isOdd('units', /^-?[\d.,\s]*$/),
    isOdd('picture', /[./]/),
    isOdd('status', /^(?:\p{L}+|[012])$/iu),
  ];
  return odd.filter(Boolean).length >= 2;
}

const statuses = new Map(
  Object.entries({
    active:
      'active|published|publish|enabled|visible|live|online|for sale|aktiv|veröffentlicht|actif|publié|activo|publicado|attivo|pubblicato|上架|已上架|已发布|销售中',
    draft:
      'draft|unlisted|new|unpublished|private|pending|hidden|disabled|inactive|offline|future|2|entwurf|inaktiv|brouillon|inactif|privé|borrador|inactivo|bozza|下架|已下架|草稿|未发布',
    archived: 'archived|discontinued|deleted|trash|archiviert|archivé|archivado|已归档',
  } satisfies Record<NonNullable<FoundProduct['status']>, string>).flatMap(([status, names]) =>
    names.split('|').map((name) => [name, status as NonNullable<FoundProduct['status']>] as const),
  ),
);

function statusNamed(text: string): FoundProduct['status'] {
  const isShown = flagIn(text);
  return isShown === null ? statuses.get(text.toLowerCase()) : isShown ? 'active' : 'draft';
}

const isNoCategory = /^(?:\d+|uncategori[sz]ed)$/i;

function productIn(reader: RowReader): Partial<FoundProduct> {
  const tags = reader.text('tags');
  const category = reader.text('category');
  return {
    ...reader.texts('title', 'vendor', 'type', 'seoTitle', 'seoDescription'),
    ...textsOf(reader),
    ...statusIn(reader),
    ...(category === undefined
      ? {}
      : { category: isNoCategory.test(category) ? [] : partsOf(category, '>') }),
    ...(tags === undefined ? {} : { tags: partsOf(tags, ',') }),
    ...optionsIn(reader),
  };
}

export function textsOf(reader: RowReader): Partial<FoundProduct> {
  const [html, summary] = [reader.text('html'), reader.text('summary')];
  return {
    ...(html === undefined ? {} : { description: descriptionIn(html) }),
    ...(summary === undefined ? {} : { summary: plainText(summary) }),
  };
}

export const partsOf = (text: string, sign: string) => [
  ...new Set(
    text
      .split(sign)
      .map((part) => part.trim())
      .filter(Boolean),
  ),
];

/** What one column hides is hidden, whatever the other says. What a word hides is not known by it. */
function statusIn(reader: RowReader): Pick<FoundProduct, 'status' | 'isUnsure'> {
  const found = (['status', 'published'] as const).flatMap((field) => {
    const text = reader.text(field) ?? '';
    if (text === '') return [];
    const status = statusNamed(text);
    if (status === undefined) reader.warn(field, 'problem.sheet.status');
    return [status];
  });
  const status = (['archived', 'draft'] as const).find((each) => found.includes(each));
  if (status !== undefined) return { status };
  return found.includes(undefined) ? { isUnsure: true } : found.length > 0 ? { status: 'active' } : {};
}

function optionsIn(reader: RowReader): Pick<FoundProduct, 'options'> {
  if (!reader.has('option1Name') && !reader.has('option1Value')) return {};
  const names = [1, 2, 3].flatMap((place) => {
    const name = reader.text(`option${place}Name`);
    const value = reader.text(`option${place}Value`);
    if (name) return [name];
    // Values without a name: their column is the name.
    return value ? [reader.columnOf(`option${place}Value`)] : [];
  });
  const isDefault =
    names.length === 1 && names[0] === 'Title' && (reader.text('option1Value') ?? '') === 'Default Title';
  return { options: isDefault ? [] : names };
}

const variantFields = ['option1Value', 'price', 'sku', 'units', 'barcode'];

const isSold = (reader: RowReader) => variantFields.some((field) => (reader.text(field) ?? '') !== '');

/** Undefined for a row that only has a picture. */
function variantIn(
  reader: RowReader,
  options: readonly string[] | undefined,
  { isOnly, now }: { isOnly: boolean; now: number },
): FoundVariant | undefined {
  if (!isOnly && !isSold(reader)) return undefined;
  const values = (options ?? []).map((_, place) => reader.text(`option${place + 1}Value`) ?? '');
  const missing = values.indexOf('');
  if (missing >= 0) reader.refuse(`option${missing + 1}Value`, 'problem.sheet.optionEmpty');
  return { line: reader.line, values, ...moneyIn(reader, now), ...factsIn(reader), ...stockIn(reader) };
}

function moneyIn(reader: RowReader, now: number): Partial<FoundVariant> {
  const { compareAtCents: regular, ...price } = pricesIn(reader, saleTimes(reader), now);
  const compareAt = regular ?? reader.cents('compareAt') ?? regular;
  const cost = reader.cents('cost');
  reader.refuseCurrency('currency');
  return {
    ...price,
    ...(compareAt === undefined ? {} : { compareAtCents: compareAt || null }),
    ...(cost === undefined ? {} : { costCents: cost }),
  };
}

/** A day counts to its end. What is not on sale now, a file may say in a column of its own. */
function saleTimes(reader: RowReader): SaleTimes {
  const isOff = flagIn(reader.text('onSale') ?? '') === false;
  const [starts, ends] = [reader.text('saleStarts') ?? '', reader.text('saleEnds') ?? ''];
  const end = ends === '' ? Number.POSITIVE_INFINITY : Date.parse(ends);
  return {
    from: { field: 'saleStarts', at: starts === '' ? Number.NEGATIVE_INFINITY : Date.parse(starts) },
    until: {
      field: isOff ? 'onSale' : 'saleEnds',
      at: isOff ? Number.NEGATIVE_INFINITY : /\d:\d/.test(ends) ? end : end + dayMs,
    },
  };
}

/** Undefined if there is none, or a spreadsheet has rounded it. */
export function skuIn(reader: RowReader): string | undefined {
  const sku = reader.text('sku');
  return sku && !scientific.test(sku) ? sku.slice(0, 100).trim() : undefined;
}

export function factsIn(reader: RowReader): Partial<FoundVariant> {
  const text = reader.text('sku');
  const sku = skuIn(reader);
  const unit = (Object.keys(gramsOf) as (keyof typeof gramsOf)[]).find((each) => reader.has(each));
  const weight = unit && reader.number(unit, mostGrams);
  const picture = reader.text('variantPicture');
  if (text && sku === undefined) reader.warn('sku', 'problem.sheet.scientific');
  return {
    ...(sku === undefined ? {} : { sku }),
    ...(unit === undefined || weight === undefined
      ? {}
      : { grams: Math.round((weight ?? 0) * gramsOf[unit]) || null }),
    ...gtinIn(reader),
    ...(picture === undefined ? {} : { picture: picture || null }),
  };
}

const scientific = /^\d+(?:[.,]\d+)?e\+?\d+$/i;

function gtinIn(reader: RowReader): Pick<FoundVariant, 'gtin'> {
  const text = reader.text('barcode');
  if (text === undefined) return {};
  if (text === '') return { gtin: null };
  const digits = text.replace(/[\s-]/g, '');
  if (isGtin(digits)) return { gtin: digits };
  const warn = (key: ProblemKey, values = {}) => reader.warn('barcode', key, values);
  if (scientific.test(text)) warn('problem.sheet.scientific');
  else if (
    [6, 7, 10, 11].includes(digits.length) &&
    isGtin(digits.padStart(digits.length < 8 ? 8 : 12, '0'))
  ) {
    const restored = digits.padStart(digits.length < 8 ? 8 : 12, '0');
    warn('problem.sheet.zeros', { restored });
    return { gtin: restored };
  } else warn('problem.sheet.gtin');
  return {};
}

const isUncounted = (reader: RowReader) =>
  /^(?:unlimited|unbegrenzt|illimité|ilimitado|不限)$/i.test(reader.text('units') ?? '');

function stockIn(reader: RowReader): Partial<FoundVariant> {
  const tracker = reader.text('tracker');
  const policy = reader.text('policy');
  if (isUncounted(reader)) return { counted: false };
  const units = reader.number('units', mostUnits);
  if (units !== undefined && units !== null && units < 0) reader.warn('units', 'problem.sheet.negative');
  return {
    ...(tracker === undefined ? {} : { counted: tracker !== '' }),
    ...(policy === undefined || policy === '' ? {} : { oversell: policy.toLowerCase() === 'continue' }),
    ...(units === undefined || units === null ? {} : { units: Math.max(0, Math.floor(units)) }),
  };
}

function picturesIn(reader: RowReader): (FoundPicture & { place: number })[] {
  const alt = reader.text('alt');
  const place = Number(reader.text('position') || Number.NaN);
  const addresses = [...new Set(reader.all('picture').flatMap(addressesIn))];
  return addresses.map((address) => ({
    address,
    ...(alt === undefined ? {} : { alt }),
    line: reader.line,
    place,
  }));
}

/** Several in one cell: addresses have no blanks, but may have commas; names of files have neither. */
export function addressesIn(text: string): string[] {
  const divided = text.replace(/[,;|]\s+(?=\S)|\s+/g, '\n').replace(/[,;|](?=(?:https?:)?\/\/)/gi, '\n');
  const parts = divided.split('\n');
  return parts
    .flatMap((part) => (part.includes('/') ? [part.replace(/[,;|]+$/, '')] : part.split(/[,;|]/)))
    .filter(Boolean);
}

/** By their places, each once. */
export function inOrder(pictures: readonly FoundPicture[]): FoundPicture[] {
  const placed = pictures.map((picture, at) => ({ at, place: Number.NaN, ...picture }));
  const byPlace = placed.toSorted((a, b) =>
    Number.isNaN(a.place - b.place) ? a.at - b.at : a.place - b.place || a.at - b.at,
  );
  const seen = new Set<string>();
  return byPlace.flatMap(({ address, alt, line }) => {
    if (seen.has(address)) return [];
    seen.add(address);
    return [{ address, line, ...(alt === undefined ? {} : { alt }) }];
  });
}
