/** Product feeds as shops send them to Google and Facebook: a row for each variant, those of one product share a group. */
import type { Sheet, SheetRow } from '../sheet/read-sheet.ts';
import { descriptionIn, type FoundProduct, type FoundVariant } from './found-product.ts';
import { identitiesOf, type Named } from './identities.ts';
import {
  collected,
  columnNames,
  type Entry,
  type Known,
  type Mapping,
  nameOfColumn,
  type Reading,
  RowReader,
  rowsAtOnce,
} from './kind.ts';
import { addressesIn, factsIn, inOrder, mostUnits, partsOf, skuIn } from './product-rows.ts';
import { pricesIn, type SaleTimes } from './sale-prices.ts';

const choices = ['color', 'size', 'material', 'pattern', 'flavor', 'scent'] as const;
const feed = columnNames({
  feedId: 'id',
  group: 'item_group_id|item group id',
  title: 'title|name',
  html: 'description',
  picture: 'image_link|image link|image',
  morePictures: 'additional_image_link|additional image link|additional_image_links',
  availability: 'availability',
  units: 'quantity_to_sell_on_facebook|inventory|quantity|quantity to sell on facebook',
  price: 'price',
  salePrice: 'sale_price|sale price',
  saleDates: 'sale_price_effective_date|sale price effective date',
  vendor: 'brand',
  barcode: 'gtin|ean|upc',
  sku: 'sku',
  type: 'product_type|product type',
  category: 'google_product_category|google product category|fb_product_category',
  color: 'color|colour',
  size: 'size',
  material: 'material',
  pattern: 'pattern',
  flavor: 'flavor|flavour',
  scent: 'scent',
});
export const feedFields = feed.fields;
/** Numbers mark repeated columns: `additional_image_link_1`. */
export const feedFieldOf = (column: string): string | null =>
  feed.fieldOf(
    nameOfColumn(column)
      .replace(/^g:/, '')
      .replace(/(additional[_ ]image[_ ]link)[_ -]?\d+$/, '$1'),
  );

/** Columns that only feeds have together. */
export function feedScore(columns: readonly string[]): number {
  const found = new Set(columns.map(feedFieldOf));
  const isFeed =
    ['feedId', 'title', 'price'].every((field) => found.has(field)) &&
    (found.has('availability') || found.has('picture'));
  const isNamed = columns.some((column) =>
    /^(?:g:)?(?:image[_ ]link|item[_ ]group[_ ]id|availability)$/.test(nameOfColumn(column)),
  );
  return isFeed && isNamed ? columns.filter((column) => feedFieldOf(column) !== null).length + 10 : 0;
}

interface Group extends Named {
  skus: string[];
  rows: SheetRow[];
}

/** Rows without a group are products by themselves. */
export function* feedGroups(sheet: Sheet, mapping: Mapping): Generator<Group | null> {
  const reader = new RowReader(sheet, mapping);
  const groups = new Map<string, Group>();
  for (const [at, row] of sheet.rows.entries()) {
    if (at % rowsAtOnce === 0) yield null;
    reader.row = row;
    const [group, id, sku] = [reader.text('group') ?? '', reader.text('feedId') ?? '', skuOf(reader)];
    const key = group === '' ? `row ${row.line}` : `group ${group}`;
    const found: Group = groups.get(key) ?? {
      handle: '',
      name: reader.text('title') ?? '',
      key: group || id,
      skus: [],
      rows: [],
    };
    found.rows.push(row);
    if (sku !== undefined) found.skus.push(sku);
    groups.set(key, found);
  }
  yield* groups.values();
}

const skuOf = (reader: RowReader) =>
  skuIn(reader) ?? (reader.text('feedId')?.slice(0, 100).trim() || undefined);

export function* readFeed(
  sheet: Sheet,
  mapping: Mapping,
  reading: Reading,
  known: Known,
): Generator<Entry<FoundProduct> | null> {
  const groups = yield* collected(feedGroups(sheet, mapping));
  const reader = new RowReader(sheet, mapping, reading);
  const ids = identitiesOf(groups, known);
  for (const [at, group] of groups.entries()) yield entryOf(reader, ids[at] ?? '', group, reading.now);
}

function entryOf(reader: RowReader, id: string, { rows, key }: Group, now: number): Entry<FoundProduct> {
  const valuesOf = (row: SheetRow, field: string) => {
    reader.row = row;
    return reader.text(field) ?? '';
  };
  // What differs between variants, and each of them has.
  const options = choices.filter((field) => {
    const values = rows.map((row) => valuesOf(row, field));
    return rows.length > 1 && values.every((value) => value !== '') && new Set(values).size > 1;
  });
  const [first = { line: 0, cells: [] }] = rows;
  reader.row = first;
  if (id === '') reader.refuse('title', 'problem.sheet.unnamed');
  const [html, category, type] = [
    reader.text('html'),
    reader.text('category') ?? '',
    reader.text('type') ?? '',
  ];
  const content: FoundProduct = {
    id,
    ...reader.texts('title', 'vendor'),
    ...(html === undefined ? {} : { description: descriptionIn(html) }),
    ...(type === '' ? {} : { type: partsOf(type, '\n')[0] ?? '' }),
    ...(category === '' || /^\d+$/.test(category) ? {} : { category: partsOf(category, '>') }),
    options: options.map((field) => reader.columnOf(field).replace(/^g:/, '')),
    variants: [],
  };
  const pictures = rows.flatMap((row) => {
    reader.row = row;
    const more = reader.all('morePictures').flatMap(addressesIn);
    return [...reader.all('picture'), ...more].map((address) => ({ address, line: row.line }));
  });
  if (pictures.length > 0) content.pictures = inOrder(pictures);
  for (const row of rows) {
    reader.row = row;
    const values = options.map((field) => reader.text(field) ?? '');
    content.variants.push({ line: row.line, values, ...variantIn(reader, now) });
  }
  return {
    subject: id || key || '–',
    lines: rows.map(({ line }) => line),
    content,
    problems: reader.problems.splice(0),
  };
}

function variantIn(reader: RowReader, now: number): Omit<FoundVariant, 'line' | 'values'> {
  const [sku, picture] = [skuOf(reader), reader.text('picture')];
  return {
    ...factsIn(reader),
    ...(sku === undefined ? {} : { sku }),
    ...pricesIn(reader, saleTimes(reader), now),
    ...(picture ? { picture } : {}),
    ...stockIn(reader),
  };
}

/** `2026-06-01T00:00-0500/2026-06-30T23:59-0500` */
function saleTimes(reader: RowReader): SaleTimes {
  const [from = '', until = ''] = (reader.text('saleDates') ?? '').split('/').map((text) => text.trim());
  return {
    from: { field: 'saleDates', at: from === '' ? Number.NEGATIVE_INFINITY : Date.parse(from) },
    until: { field: 'saleDates', at: until === '' ? Number.POSITIVE_INFINITY : Date.parse(until) },
  };
}

/** Without a number it is counted only if it is sold out. */
function stockIn(reader: RowReader): Partial<FoundVariant> {
  const units = reader.number('units', mostUnits);
  const state = (reader.text('availability') ?? '').toLowerCase().replaceAll(/[\s-]/g, '_');
  if (typeof units === 'number') return { counted: true, units: Math.max(0, Math.floor(units)) };
  if (state === '') return {};
  if (state === 'preorder' || state === 'backorder' || state === 'available_for_order')
    return { counted: true, units: 0, oversell: true };
  return state === 'in_stock' ? { counted: false } : { counted: true, units: 0 };
}
