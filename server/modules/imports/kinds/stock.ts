/**
 * Stock in the three forms that Shopify's inventory files have had, which are those of our own: a column for each place, or a row.
 * SKUs are found by their name, else by handle and options; places by their names.
 */
import { warehouse } from '#contract/limits.ts';
import { canonicalText, localeCodes } from '#contract/locales.ts';
import { listed, type Problem, problem, shown } from '#contract/problems.ts';
import type { Difference } from '#contract/rules/patch.ts';
import { staffTranslate } from '#contract/staff/messages.ts';
import type { Database, Reader } from '#db/database.ts';
import type { CatalogueEditor, CatalogueExport, ProductInput } from '#server/modules/catalogue/index.ts';
import type { BulkOutcome, BulkRow, Change } from '#server/modules/changes/index.ts';
import type { StockService } from '#server/modules/inventory/index.ts';
import type { StoresService } from '#server/modules/stores/index.ts';
import { placeOf, type Sheet } from '../sheet/read-sheet.ts';
import type { FoundLevel } from './found-product.ts';
import {
  type Entry,
  type ImportKind,
  type ImportOptions,
  type ImportRun,
  isRefused,
  type Judge,
  type Judged,
  type Mapping,
  nameOfColumn,
  type PlannedRow,
  RowReader,
  rowsAtOnce,
} from './kind.ts';
import { idOf, mostUnits, placeOfCount, productFieldOf } from './product-rows.ts';

export interface FoundStock {
  handle: string;
  sku: string;
  /** By the place of the option. */
  values: string[];
  levels: FoundLevel[];
}

interface Deps {
  db: Database;
  catalogueExport: Pick<CatalogueExport, 'stored'>;
  editor: CatalogueEditor;
  stock: StockService;
  stores: StoresService;
}

export const createStockKind = (deps: Deps): ImportKind<FoundStock> => ({
  id: 'stock',
  uses: ['place', 'places'],
  fields: stockFields,
  fieldOf: stockFieldOf,
  score: stockScore,
  read: readStock,
  judge: (options) => judge(deps, options),
  apply: (change, rows, run) => apply(deps, change, rows, run),
  takeBack: (change, rows, run) => takeBack(deps, change, rows, run),
});

/** On hand is what is counted; a new count stands before the present one. */
const unitFields = ['onHandNew', 'onHand', 'available'];
const finding = [
  'handle',
  'title',
  'sku',
  ...[1, 2, 3].flatMap((place) => [`option${place}Name`, `option${place}Value`]),
];
export const stockFields = [...finding, 'location', ...unitFields, 'levels'];
const own = new Map([
  ...['location', 'standort', 'emplacement', '地点', '仓库'].map((name) => [name, 'location'] as const),
  ...['on hand (new)', 'on hand', 'on hand (current)', 'available', 'available (not editable)'].map(
    (name) =>
      [
        name,
        name.endsWith('(new)') ? 'onHandNew' : name.startsWith('on hand') ? 'onHand' : 'available',
      ] as const,
  ),
]);
const others = ['hs code', 'coo', 'bin name', 'incoming', 'unavailable', 'committed'].flatMap((name) => [
  name,
  `${name} (not editable)`,
]);

export function stockFieldOf(column: string, columns: readonly string[]): string | null {
  const name = nameOfColumn(column);
  const field = own.get(name) ?? productFieldOf(column);
  const hasRows = columns.some((each) => own.get(nameOfColumn(each)) === 'location');
  if (field === 'units') return 'onHand';
  if (field !== null && stockFields.includes(field)) return field;
  // Behind what says which SKU a row is, each column is a place.
  if (columns.some((each) => placeOfCount(each) !== null))
    return placeOfCount(column) === null ? null : 'levels';
  const sku = columns.findIndex((each) => productFieldOf(each) === 'sku');
  return hasRows || sku < 0 || columns.indexOf(column) < sku || others.includes(name) ? null : 'levels';
}

export function stockScore(columns: readonly string[]): number {
  const names = new Set(columns.map(nameOfColumn));
  const fields = new Set(columns.map((column) => stockFieldOf(column, columns)));
  const isPriced = columns.some((column) => productFieldOf(column) === 'price');
  const hasRows = fields.has('location') && unitFields.some((field) => fields.has(field));
  const hasColumns = fields.has('levels') && names.has('hs code') && names.has('coo');
  // Nothing but SKUs and how many there are.
  const known = columns.flatMap((column) => productFieldOf(column) ?? []);
  const isList =
    unitFields.some((field) => fields.has(field)) &&
    !known.some((field) => !['sku', 'units', 'barcode'].includes(field));
  if (isList && !isPriced && fields.has('sku') && columns.length <= 4) return columns.length + 20;
  const isStock = !isPriced && (fields.has('sku') || fields.has('handle')) && (hasRows || hasColumns);
  return isStock ? columns.length + 20 : 0;
}

export function* readStock(sheet: Sheet, mapping: Mapping): Generator<Entry<FoundStock> | null> {
  const { fields: columns, mapping: single } = withPlaceColumns(mapping);
  const reader = new RowReader(sheet, single);
  const isInRows = reader.has('location') || unitFields.some((field) => reader.has(field));
  const locations = new Set(
    sheet.rows.map((row) => {
      reader.row = row;
      return reader.text('location') ?? '';
    }),
  );
  const isOnly = isInRows && locations.size <= 1;
  for (const [at, row] of sheet.rows.entries()) {
    if (at % rowsAtOnce === 0) yield null;
    reader.row = row;
    const sku = (reader.text('sku') ?? '').replace(/^-$/, '');
    const values = [1, 2, 3].map((place) => reader.text(`option${place}Value`) ?? '');
    const handle = reader.has('handle') || reader.has('title') ? idOf(reader) : '';
    const levels = isInRows
      ? levelInRow(reader).map((level) => ({ ...level, isOnly }))
      : columns.flatMap((field) => levelAt(reader, field, field));
    const subject = sku || [handle, ...values].filter(Boolean).join(' · ') || '–';
    yield {
      subject,
      lines: [row.line],
      content: { handle, sku, values, levels },
      problems: reader.problems.splice(0),
    };
  }
}

/** Each column of a place is a field by itself. */
export function withPlaceColumns(mapping: Mapping): { mapping: Mapping; fields: string[] } {
  const single = Object.entries(mapping).map(
    ([at, field]) => [at, field === 'levels' ? `levels ${at}` : field] as const,
  );
  return {
    mapping: Object.fromEntries(single),
    fields: single.flatMap(([, field]) => (field.startsWith('levels ') ? field : [])),
  };
}

function levelInRow(reader: RowReader): FoundLevel[] {
  const field = unitFields.find((each) => (reader.text(each) ?? '') !== '');
  return field === undefined ? [] : levelAt(reader, field, 'location');
}

export function levelAt(reader: RowReader, field: string, named: string): FoundLevel[] {
  const text = reader.text(field) ?? '';
  if (text === '' || text.toLowerCase() === 'not stocked') return [];
  const units = reader.number(field, mostUnits);
  const column = reader.columnOf(reader.has(named) ? named : field);
  const place = named === 'location' ? (reader.text('location') ?? '') : column;
  return typeof units === 'number'
    ? [{ place, units: Math.trunc(units), at: placeOf(reader.line, column) }]
    : [];
}

/** Ids by the names of places, where only one has it. Those that are not reached are unknown. */
async function placeNames({ stores }: Deps, reached: readonly string[]): Promise<Map<string, string>> {
  const words = localeCodes.map((locale) => staffTranslate(locale)('office.papers.warehouse'));
  const all = [
    ...[warehouse, ...words].map((name) => [name, warehouse] as const),
    ...(await stores.all()).flatMap(({ id, name }) =>
      [id, ...Object.values(name)].map((each) => [each, id] as const),
    ),
  ];
  const ids = new Map<string, Set<string>>();
  for (const [name, id] of all)
    ids.set(nameOfColumn(name), (ids.get(nameOfColumn(name)) ?? new Set()).add(id));
  return new Map(
    [...ids].flatMap(([name, [id = '', ...more]]) =>
      more.length === 0 && reached.includes(id) ? [[name, id] as const] : [],
    ),
  );
}

type Levels = ReadonlyMap<string, ReadonlyMap<string, number>>;
/** Also of SKUs that do not run out. */
/** Undefined for a place that never had the SKU. */
const unitsThere = (levels: Levels, sku: string, place: string) => new Map(levels.get(sku)).get(place);

function judge(deps: Deps, { place, places }: ImportOptions): Judge<FoundStock> {
  const { db, stock } = deps;
  const named = placeNames(deps, places);
  const counted = new Set<string>();
  return {
    async of(entries) {
      const skus = await skusOf(
        deps,
        db.read,
        entries.map(({ content }) => content),
      );
      const levels = await stock.levels(
        db.read,
        skus.flatMap((sku) => sku ?? []),
      );
      const names = await named;
      return entries.map((entry, at) =>
        judged(entry, skus[at], {
          names,
          levels,
          places,
          counted,
          only: place ?? (places.length === 1 ? places[0] : undefined),
        }),
      );
    },
  };
}

interface Judging {
  names: ReadonlyMap<string, string>;
  levels: Levels;
  places: readonly string[];
  /** Where units are of a file that names one location, or none. */
  only: string | undefined;
  /** What rows before have counted. */
  counted: Set<string>;
}

function judged(
  { content, lines, problems: read }: Entry<FoundStock>,
  sku: string | undefined,
  judging: Judging,
): Judged {
  const { names, levels, places, counted, only } = judging;
  const problems: Problem[] = [...read];
  const fields: Difference[] = [];
  if (sku === undefined)
    problems.push(problem(placeOf(lines[0] ?? 0, content.sku || content.handle), 'problem.sheet.noSku'));
  for (const { place: name, units, at, isOnly } of sku === undefined ? [] : content.levels) {
    const place = names.get(nameOfColumn(placeOfCount(name) ?? name)) ?? (isOnly ? only : undefined);
    const key = `${sku}\n${place}`;
    if (place === undefined) {
      // What other columns say of the row is taken.
      const warning = content.levels.length > 1 ? { warning: 1 } : {};
      if (name === '') problems.push(problem(at, 'problem.sheet.whichPlace'));
      else
        problems.push(
          problem(at, 'problem.sheet.place', { found: shown(name), allowed: listed(places), ...warning }),
        );
    } else if (counted.has(key)) problems.push(problem(at, 'problem.sheet.countedTwice'));
    else {
      counted.add(key);
      const there = unitsThere(levels, sku ?? '', place);
      const from = there ?? 0;
      const to = units === from ? from : Math.max(0, units);
      if (units < 0 && to !== units)
        problems.push(problem(at, 'problem.sheet.negative', { found: shown(units), warning: 1 }));
      if (from !== to) fields.push({ path: [sku ?? '', place], from: there, to });
    }
  }
  if (isRefused(problems)) return { outcome: 'problem', fields: [], problems };
  return { outcome: fields.length > 0 ? 'changed' : 'unchanged', fields, problems };
}

/** Undefined for what the shop does not have. A SKU that two products of the other shop share is that of the handle's product. */
async function skusOf(
  deps: Deps,
  reader: Reader,
  all: readonly FoundStock[],
): Promise<(string | undefined)[]> {
  const named = [...new Set(all.flatMap(({ sku }) => sku || []))];
  const owners = new Map(
    (await deps.editor.ownersOf(reader, named)).map(({ sku, product }) => [sku, product]),
  );
  const unsure = all.filter(({ sku, handle }) => handle !== '' && owners.get(sku) !== handle);
  const stored = await deps.catalogueExport.stored(reader, [...new Set(unsure.map(({ handle }) => handle))]);
  const products = new Map(stored.map(({ input }) => [input.id, input]));
  return all.map(({ sku, handle, values }) => {
    const product = owners.get(sku) === handle ? undefined : products.get(handle);
    return (product && skuWith(product, values)) ?? (owners.has(sku) ? sku : undefined);
  });
}

function skuWith({ options, skus }: ProductInput, values: readonly string[]): string | undefined {
  const isChosen = ({ options: chosen }: ProductInput['skus'][number]) =>
    options.every(({ name, values: known }, place) => {
      const value = known.find((each) => canonicalText(each.name) === chosen[canonicalText(name)]);
      return value !== undefined && Object.values(value.name).includes(values[place] ?? '');
    });
  const found = skus.filter(isChosen);
  return found.length === 1 ? found[0]?.sku : undefined;
}

const wordsOf = ({ file }: ImportRun) => ({ note: file });
const levelsIn = (fields: readonly Difference[]) =>
  fields.map(({ path: [sku = '', place = ''], from, to }) => ({
    sku,
    place,
    to: Number(to),
    from: from === undefined ? null : Number(from),
  }));

/** Books what it was judged to change, so that what was sold since then stays sold. */
async function apply(
  { editor, stock, stores }: Deps,
  change: Change,
  rows: readonly PlannedRow<FoundStock>[],
  run: ImportRun,
): Promise<BulkOutcome[]> {
  const wanted = rows.map(({ fields }) => levelsIn(fields));
  const skus = wanted.flat().map(({ sku }) => sku);
  const there = new Set((await editor.ownersOf(change.trx, skus)).map(({ sku }) => sku));
  const places = new Set([warehouse, ...(await stores.all()).map(({ id }) => id)]);
  const isGone = wanted.map((levels) =>
    levels.some(({ sku, place }) => !there.has(sku) || !places.has(place)),
  );
  const due = wanted.filter((_, at) => !isGone[at]).flat();
  const counts = due.map(({ sku, place, from, to }) => ({ sku, place, expected: from ?? 0, units: to }));
  const booked = await stock.count(change, counts, wordsOf(run));
  const byKey = new Map(
    booked.map(({ sku, location, before, after }) => [`${sku}\n${location}`, { from: before, to: after }]),
  );
  /** What is booked may differ from what it was judged to be, if there were sales meanwhile. */
  const asBooked = (field: Difference): Difference => {
    const { from, to } = byKey.get(field.path.join('\n')) ?? field;
    return { ...field, from: field.from === undefined && from === 0 ? undefined : from, to };
  };
  return rows.map(({ no, subject, fields }, at) =>
    isGone[at]
      ? { no, subject, outcome: 'problem', problems: [problem([], 'problem.touched')] }
      : { no, subject, outcome: 'changed', fields: fields.map(asBooked) },
  );
}

async function takeBack(
  { stock }: Deps,
  change: Change,
  rows: readonly BulkRow[],
  run: ImportRun,
): Promise<BulkOutcome[]> {
  const set = rows.map(({ fields }) => levelsIn(JSON.parse(fields)));
  const levels = await stock.levels(change.trx, [...new Set(set.flat().map(({ sku }) => sku))]);
  const isTouched = set.map((all) =>
    all.some(({ sku, place, to }) => !levels.has(sku) || (unitsThere(levels, sku, place) ?? 0) !== to),
  );
  const due = set.filter((_, at) => !isTouched[at]).flat();
  await stock.count(
    change,
    due.map(({ sku, place, from, to }) => ({ sku, place, expected: to, units: from })),
    wordsOf(run),
  );
  return rows.map(({ no, subject }, at) => ({
    no,
    subject,
    problems: isTouched[at] ? [problem([], 'problem.touched')] : [],
  }));
}
