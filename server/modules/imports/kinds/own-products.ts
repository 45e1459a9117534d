/**
 * Products with everything that the shop knows of them, in every language: a row for each SKU, the product on its first. What is an
 * id, or counts only together with options, is named so that an importer of other shops' files does not take it for a name or a price.
 * When such a file is read, a cell that says what would be written now leaves the shop as it is.
 */

import { type Cell, cellText, type Row, unguarded } from '#contract/csv.ts';
import { warehouse } from '#contract/limits.ts';
import { type LocalText, localeCodes, mainLocale } from '#contract/locales.ts';
import { currencyDigits, decimalText, parseAmount } from '#contract/money.ts';
import { formatOptionPairs, parseOptionPairs } from '#contract/option-pairs.ts';
import { listed, type Problem, type ProblemKey, problem, shown } from '#contract/problems.ts';
import type { Database } from '#db/database.ts';
import {
  type CatalogueEditor,
  imagesOf,
  type ProductInput,
  productProblems,
  statusOf,
  type WholeProduct,
} from '#server/modules/catalogue/index.ts';
import type { MediaService } from '#server/modules/media/index.ts';
import type { StoresService } from '#server/modules/stores/index.ts';
import { safeHtml } from '#server/platform/html.ts';
import { placeOf, type Sheet, type SheetRow } from '../sheet/read-sheet.ts';
import type { FoundProduct, OwnProduct, OwnRow } from './found-product.ts';
import { type Entry, flagIn, type Mapping, nameOfColumn, numberIn, RowReader, rowsAtOnce } from './kind.ts';
import type { MergeContext, Merged } from './product-merge.ts';
import { idOf } from './product-rows.ts';
import { levelAt, withPlaceColumns } from './stock.ts';

type SkuInput = ProductInput['skus'][number];
/** `read`: the field with what a text says, undefined to leave it out. `currency`: of amounts. @throws {Unreadable} */
type Column<T> = readonly [
  header: string,
  cell: (of: T, currency: string) => Cell,
  field: keyof T & string,
  read: (text: string, of: T, currency: string) => unknown,
];

class Unreadable extends Error {
  readonly key: ProblemKey;
  readonly values: Problem['values'];
  constructor(key: ProblemKey, values: Problem['values'] = {}) {
    super(key);
    this.key = key;
    this.values = values;
  }
}

type Texts = Readonly<Record<string, unknown>>;
/** A column for each language. */
const inEach = (
  header: string,
  field: keyof ProductInput & string,
  cell: (value: unknown) => Cell,
  read: (text: string) => unknown,
): Column<ProductInput>[] =>
  localeCodes.map((locale) => {
    const all = (product: ProductInput) => product[field] as Texts | undefined;
    return [
      `${header} (${locale})`,
      (product) => cell(all(product)?.[locale]),
      field,
      (text, product) => {
        const { [locale]: _before, ...others } = all(product) ?? {};
        const value = read(text);
        if (value !== undefined) return { ...others, [locale]: value };
        return Object.keys(others).length > 0 ? others : undefined;
      },
    ];
  });
const textIn = (
  header: string,
  field: 'name' | 'shortDescription',
  read = (text: string): string | undefined => text,
) => inEach(header, field, (text) => (text as string | undefined) ?? null, read);
const optionalIn = (
  header: string,
  field: 'seoTitle' | 'seoDescription' | 'descriptionHtml',
  read = (text: string) => text,
) => textIn(header, field as 'name', (text) => read(text) || undefined);

const money = (cents: number | null | undefined, currency: string): Cell =>
  cents == null ? null : decimalText(cents, currency);
const time = (at: number | null | undefined): Cell => (at == null ? null : new Date(at).toISOString());
/** What has more parts than a cell shows. */
const json = (value: unknown): Cell => {
  const text = JSON.stringify(value);
  return text === undefined || text === '[]' || text === '{}' ? null : text;
};

/** Empty cells are undefined. */
const readAs = <T>(key: ProblemKey, read: (text: string) => T | null) => {
  return (text: string): T | undefined => {
    if (text === '') return undefined;
    const value = read(text);
    if (value === null) throw new Unreadable(key);
    return value;
  };
};
const numberOf = readAs('problem.sheet.number', (text) => {
  const number = numberIn(text);
  return number === null || number < 0 ? null : number;
});
const centsOf = (text: string, currency: string): number | undefined => {
  if (numberOf(text) === undefined) return undefined;
  const amount = parseAmount(text, currency);
  if (amount === null)
    throw new Unreadable('problem.sheet.decimals', { currency, digits: currencyDigits(currency) });
  return amount;
};
const flagOf = readAs('problem.sheet.boolean', flagIn);
const timeOf = readAs('problem.sheet.time', (text) => {
  const at = Date.parse(text);
  return Number.isNaN(at) ? null : at;
});
const jsonOf = readAs('problem.sheet.json', (text): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
});
const textOf = (text: string) => text || undefined;
const idsOf = (text: string) => text.split(/[,\s]+/).filter(Boolean);

const productColumns: readonly Column<ProductInput>[] = [
  ['Status', statusOf, 'status', textOf],
  ['Publish at', ({ publishAt }) => time(publishAt), 'publishAt', timeOf],
  ['Unpublish at', ({ unpublishAt }) => time(unpublishAt), 'unpublishAt', timeOf],
  ...textIn('Name', 'name'),
  ...textIn('Short description', 'shortDescription'),
  // An empty line ends a paragraph.
  ...inEach(
    'Description',
    'description',
    (paragraphs) => (paragraphs as string[] | undefined)?.join('\n\n') ?? null,
    (text) => text.split(/(?:\r?\n){2,}/).filter(Boolean),
  ),
  ...optionalIn('Description HTML', 'descriptionHtml', safeHtml),
  ...optionalIn('SEO title', 'seoTitle'),
  ...optionalIn('SEO description', 'seoDescription'),
  ['Brand id', ({ brand }) => brand, 'brand', (text) => text],
  ['Category id', ({ category }) => category, 'category', (text) => text],
  ['Tag ids', ({ tags }) => tags.join(', '), 'tags', idsOf],
  [
    'Base price',
    ({ priceCents }, currency) => money(priceCents, currency),
    'priceCents',
    // Where there is none, each SKU needs one: see `isPriced`.
    (text, _before, currency) => centsOf(text, currency) ?? 0,
  ],
  [
    'Base compare-at price',
    ({ compareAtCents }, currency) => money(compareAtCents, currency),
    'compareAtCents',
    (text, _before, currency) => centsOf(text, currency) ?? null,
  ],
  ['Clearance', ({ clearance }) => clearance, 'clearance', (text) => flagOf(text) ?? false],
  ['New arrival', ({ newArrival }) => newArrival, 'newArrival', (text) => flagOf(text) ?? false],
  ['In stores only', ({ inStoreOnly }) => inStoreOnly, 'inStoreOnly', (text) => flagOf(text) ?? false],
  ['Tax class', ({ taxClass }) => taxClass, 'taxClass', (text) => text || 'standard'],
  ['Base weight (g)', ({ weightGrams }) => weightGrams, 'weightGrams', (text) => numberOf(text) ?? null],
  ['Picture files', ({ images }) => images.join(', '), 'images', idsOf],
  ['Related ids', ({ related }) => related.join(', '), 'related', idsOf],
  [
    'Created at',
    ({ createdAt }) => time(createdAt),
    'createdAt',
    (text, { createdAt }) => timeOf(text) ?? createdAt,
  ],
  ['Options (JSON)', ({ options }) => json(options), 'options', (text) => jsonOf(text) ?? []],
  [
    'Modifier groups (JSON)',
    ({ modifierGroups }) => json(modifierGroups),
    'modifierGroups',
    (text) => jsonOf(text) ?? [],
  ],
  ['Details (JSON)', ({ details }) => json(details), 'details', (text) => jsonOf(text) ?? {}],
];

/** Empty: as the product's. */
const skuColumns: readonly Column<SkuInput>[] = [
  [
    'SKU options',
    ({ options }) => formatOptionPairs(Object.entries(options)),
    'options',
    (text) => Object.fromEntries(readAs('problem.sheet.options', parseOptionPairs)(text) ?? []),
  ],
  ['Barcode', ({ gtin }) => (gtin === undefined ? null : { code: gtin }), 'gtin', textOf],
  [
    'SKU price',
    ({ priceCents }, currency) => money(priceCents, currency),
    'priceCents',
    (text, _before, currency) => centsOf(text, currency),
  ],
  [
    'SKU compare-at price',
    ({ compareAtCents }, currency) => (compareAtCents === null ? 'none' : money(compareAtCents, currency)),
    'compareAtCents',
    (text, _before, currency) => (text.toLowerCase() === 'none' ? null : centsOf(text, currency)),
  ],
  [
    'SKU cost',
    ({ costCents }, currency) => money(costCents, currency),
    'costCents',
    (text, _before, currency) => centsOf(text, currency),
  ],
  ['SKU weight (g)', ({ weightGrams }) => weightGrams ?? null, 'weightGrams', numberOf],
  ['SKU picture file', ({ image }) => image ?? null, 'image', textOf],
  ['Servings', ({ singleServings }) => singleServings ?? null, 'singleServings', numberOf],
  [
    'Counted',
    ({ counted }) => counted ?? true,
    'counted',
    (text) => (flagOf(text) === false ? false : undefined),
  ],
  [
    'Sold beyond stock',
    ({ oversell }) => oversell ?? false,
    'oversell',
    (text) => (flagOf(text) ? true : undefined),
  ],
];

const stockPrefix = 'Stock: ';
/** With a column for the stock at each place. */
export const ownHeader = (places: readonly string[]): string[] => [
  'Handle',
  ...productColumns.map(([header]) => header),
  'SKU',
  ...skuColumns.map(([header]) => header),
  ...places.map((place) => stockPrefix + place),
];

export function ownRows({ input }: WholeProduct, places: readonly string[], currency: string): Row[] {
  return input.skus.map((sku, index) => [
    input.id,
    ...productColumns.map(([, cell]) => (index === 0 ? cell(input, currency) : null)),
    { code: sku.sku },
    ...skuColumns.map(([, cell]) => cell(sku, currency)),
    ...places.map((place) => sku.stock[place] ?? null),
  ]);
}

/** Columns are fields of their own names. */
const headers = [...productColumns, ...skuColumns].map(([header]) => header);
export const ownFields: readonly string[] = ['handle', 'sku', ...headers, 'levels'];
const byName = new Map([
  ['handle', 'handle'],
  ['sku', 'sku'],
  ...headers.map((header) => [nameOfColumn(header), header] as const),
]);

export const ownFieldOf = (column: string): string | null =>
  byName.get(nameOfColumn(column)) ??
  (nameOfColumn(column).startsWith(stockPrefix.toLowerCase()) ? 'levels' : null);

export function ownScore(columns: readonly string[]): number {
  const fields = new Set(columns.map(ownFieldOf));
  const isOwn =
    fields.has('handle') && fields.has('sku') && (fields.has('SKU options') || fields.has('Base price'));
  return isOwn ? columns.filter((column) => ownFieldOf(column) !== null).length + 10 : 0;
}

export function* readOwn(sheet: Sheet, mapping: Mapping): Generator<Entry<FoundProduct> | null> {
  const { fields, mapping: single } = withPlaceColumns(mapping);
  const reader = new RowReader(sheet, single);
  const groups = new Map<string, SheetRow[]>();
  for (const [at, row] of sheet.rows.entries()) {
    reader.row = row;
    const id = idOf(reader);
    groups.set(id, [...(groups.get(id) ?? []), row]);
    if (at % rowsAtOnce === 0) yield null;
  }
  const cellsOf = (columns: readonly (readonly [string, ...unknown[]])[]) =>
    reader.texts(...columns.map(([header]) => header));
  for (const [id, rows] of groups) {
    const skus = rows.map((row) => {
      reader.row = row;
      if (id === '') reader.refuse('handle', 'problem.sheet.unnamed');
      if (reader.isLonger) reader.refuse('handle', 'problem.sheet.shifted');
      const levels = fields.flatMap((field) => levelAt(reader, field, field));
      return {
        line: row.line,
        sku: reader.text('sku') ?? '',
        cells: cellsOf(skuColumns) as OwnRow['cells'],
        levels,
      };
    });
    const [first = { line: 0, cells: [] }] = rows;
    reader.row = first;
    const own: OwnProduct = { line: first.line, cells: cellsOf(productColumns) as OwnRow['cells'], skus };
    const problems = reader.problems.splice(0);
    yield {
      subject: id || '–',
      lines: rows.map(({ line }) => line),
      content: { id, variants: [], own },
      problems,
    };
  }
}

const written = (cell: Cell) => unguarded(cellText(cell).trim());
const isSame = (one: string, other: string) =>
  one === other || one.replaceAll('\r\n', '\n') === other.replaceAll('\r\n', '\n');

/** With the cells that say something else than what is there. */
function withCells<T extends object>(
  before: T,
  columns: readonly Column<T>[],
  { cells, line }: OwnRow,
  { problems, currency }: { problems: Problem[]; currency: string },
): T {
  let after = before;
  for (const [header, cell, field, read] of columns) {
    const text = cells[header];
    if (text === undefined || isSame(text, written(cell(after, currency)))) continue;
    try {
      const { [field]: _before, ...others } = after;
      const value = read(text, after, currency);
      after = (value === undefined ? others : { ...others, [field]: value }) as T;
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      problems.push(problem(placeOf(line, header), error.key, { ...error.values, found: shown(text) }));
    }
  }
  return after;
}

const noText: LocalText = {};

export function ownMerged(
  before: ProductInput | undefined,
  id: string,
  own: OwnProduct,
  context: MergeContext,
): Merged {
  const { currency, dropVariants, isTaken, now, places } = context;
  const problems: Problem[] = [];
  const reading = { problems, currency };
  const empty: ProductInput = {
    id,
    name: noText,
    shortDescription: { [mainLocale()]: '' },
    description: { [mainLocale()]: [] },
    brand: '',
    category: '',
    tags: [],
    priceCents: 0,
    compareAtCents: null,
    clearance: false,
    newArrival: false,
    inStoreOnly: false,
    taxClass: 'standard',
    weightGrams: null,
    details: {},
    options: [],
    images: [],
    related: [],
    createdAt: now,
    skus: [],
  };
  const product = withCells(before ?? empty, productColumns, own, reading);
  const there = new Map(product.skus.map((sku) => [sku.sku, sku]));
  const named = new Map<string, SkuInput>();
  const units: Merged['units'] = [];
  for (const { sku, levels, ...row } of own.skus) {
    const refuse = (key: ProblemKey) =>
      problems.push(problem(placeOf(row.line, 'SKU'), key, { found: shown(sku) }));
    if (sku === '') refuse('problem.sheet.noSku');
    else if (named.has(sku)) refuse('problem.sheet.variantTwice');
    else if (isTaken(sku, id)) refuse('problem.sheet.skuTaken');
    named.set(sku, withCells(there.get(sku) ?? { sku, options: {}, stock: {} }, skuColumns, row, reading));
    for (const { place: column, units: count, at } of levels) {
      const place = column.slice(stockPrefix.length).trim();
      if (count === there.get(sku)?.stock[place]) continue;
      if (places.includes(place)) units.push({ sku, place, units: Math.max(0, count) });
      else
        problems.push(
          problem(at, 'problem.sheet.place', { found: shown(place), allowed: listed(places), warning: 1 }),
        );
    }
  }
  const skus = [
    ...product.skus.flatMap((sku) => named.get(sku.sku) ?? (dropVariants ? [] : [sku])),
    ...[...named.values()].filter(({ sku }) => !there.has(sku)),
  ];
  // A column that is missing leaves what is there; an empty cell takes it away.
  const hasBase = (own.cells['Base price'] ?? (before ? 'as it was' : '')) !== '';
  const isPriced = hasBase || skus.every(({ priceCents }) => priceCents !== undefined);
  if (!isPriced && statusOf(product) === 'active')
    problems.push(problem(placeOf(own.line, 'Base price'), 'problem.sheet.noPrice'));
  return { after: { ...product, skus }, problems, units };
}

interface OwnProblemsDeps {
  db: Database;
  editor: CatalogueEditor;
  media: MediaService;
  stores: StoresService;
}

/** Of products in our own form, whose brands and the like are there already. By product. */
export async function ownProblems(
  { db, editor, media, stores }: OwnProblemsDeps,
  products: readonly ProductInput[],
) {
  if (products.length === 0) return new Map<string, Problem[]>();
  const none = new Set<string>();
  const also = { brands: none, categories: none, tags: none, modifierGroups: none, skus: none };
  const locations = new Set([warehouse, ...(await stores.all()).map(({ id }) => id)]);
  const parts = { brands: [], categories: [], tags: [], modifierGroups: [], stock: {} };
  const images = await media.images(products.flatMap(imagesOf), db.read);
  const unknown = products.flatMap((product) =>
    imagesOf(product)
      .filter((file) => !images.has(file))
      .map((file) =>
        problem(['products', product.id, 'images'], 'problem.reference', {
          kind: 'image',
          found: shown(file),
        }),
      ),
  );
  const fit = products.filter((product) => productProblems(product).length === 0);
  const others = await editor.problemsOf({ ...parts, products: fit }, { ...also, locations });
  return Map.groupBy([...others, ...unknown], ({ path: [, id = ''] }) => id);
}
