/** Products as Wix exports them: a row of the product with its price, and a row for each variant with what it costs besides. */
import { parseAmount } from '#contract/money.ts';
import type { Sheet, SheetRow } from '../sheet/read-sheet.ts';
import { descriptionIn, type FoundProduct, type FoundVariant } from './found-product.ts';
import { identitiesOf, type Named } from './identities.ts';
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
} from './kind.ts';
import { factsIn, inOrder, mostUnits, partsOf, skuIn } from './product-rows.ts';
import { combinations, divide } from './woocommerce.ts';

const optionPlaces = [1, 2, 3, 4, 5, 6] as const;
const named = columnNames({
  wixId: 'handleid',
  wixRow: 'fieldtype',
  title: 'name',
  html: 'description',
  picture: 'productimageurl',
  category: 'collection',
  sku: 'sku',
  price: 'price',
  surcharge: 'surcharge',
  published: 'visible',
  discountMode: 'discountmode',
  discount: 'discountvalue',
  units: 'inventory',
  cost: 'cost',
  vendor: 'brand',
});
export const wixFields: readonly string[] = [
  ...named.fields,
  ...optionPlaces.flatMap((place) => [`option${place}Name`, `option${place}Value`]),
];

export function wixFieldOf(column: string): string | null {
  const [, part, place] = /^productoption(name|description)([1-6])$/.exec(nameOfColumn(column)) ?? [];
  return part === undefined ? named.fieldOf(column) : `option${place}${part === 'name' ? 'Name' : 'Value'}`;
}

export function wixScore(columns: readonly string[]): number {
  const found = columns.flatMap((column) => wixFieldOf(column) ?? []);
  return found.includes('wixId') && found.includes('wixRow') ? found.length + 10 : 0;
}

interface Family extends Named {
  skus: string[];
  parent?: SheetRow;
  children: SheetRow[];
}

export function* wixFamilies(sheet: Sheet, mapping: Mapping): Generator<Family | null> {
  const reader = new RowReader(sheet, mapping);
  const families = new Map<string, Family>();
  for (const [at, row] of sheet.rows.entries()) {
    if (at % rowsAtOnce === 0) yield null;
    reader.row = row;
    const key = reader.text('wixId') ?? '';
    const family: Family = families.get(key) ?? { handle: '', name: '', key, skus: [], children: [] };
    if ((reader.text('wixRow') ?? '').toLowerCase() === 'variant') family.children.push(row);
    else Object.assign(family, { parent: row, name: reader.text('title') ?? '' });
    const sku = skuIn(reader);
    if (sku !== undefined) family.skus.push(sku);
    families.set(key, family);
  }
  yield* families.values();
}

export function* readWix(
  sheet: Sheet,
  mapping: Mapping,
  reading: Reading,
  known: Known,
): Generator<Entry<FoundProduct> | null> {
  const families = yield* collected(wixFamilies(sheet, mapping));
  const reader = new RowReader(sheet, mapping, reading);
  const ids = identitiesOf(families, known);
  for (const [at, family] of families.entries())
    yield entryOf(reader, ids[at] ?? '', family, reading.currency);
}

function entryOf(
  reader: RowReader,
  id: string,
  { parent, children, key }: Family,
  currency: string,
): Entry<FoundProduct> {
  const first = parent ?? children[0] ?? { line: 0, cells: [] };
  reader.row = first;
  if (!parent) reader.refuse('wixId', 'problem.sheet.orphan');
  else if (id === '') reader.refuse('title', 'problem.sheet.unnamed');
  const options = optionPlaces.flatMap((place) => {
    const name = reader.text(`option${place}Name`) ?? '';
    return name === ''
      ? []
      : [{ name, place, values: partsOf(reader.text(`option${place}Value`) ?? '', ';').map(valueIn) }];
  });
  const content: FoundProduct = {
    id,
    ...productIn(reader),
    options: options.map(({ name }) => name),
    variants: [],
  };
  const priced = pricesOf(reader);
  if (children.length === 0) {
    const facts = { line: first.line, ...factsIn(reader), ...priced(0), ...stockIn(reader) };
    // Without rows of their own, all combinations cost the same and share the product's units.
    const all = combinations(options.map(({ values }) => values)).map(
      (values): FoundVariant => ({ ...facts, values }),
    );
    if (all.length > 1) divide(reader, all, facts.units);
    content.variants = all.map(({ sku, ...each }) =>
      sku === undefined || all.length > 1 ? each : { ...each, sku },
    );
  }
  for (const child of children) {
    reader.row = child;
    const values = options.map(({ place }) => valueIn(reader.text(`option${place}Value`) ?? ''));
    const missing = values.indexOf('');
    if (missing >= 0) reader.refuse(`option${missing + 1}Value`, 'problem.sheet.optionEmpty');
    content.variants.push({
      line: child.line,
      values,
      ...factsIn(reader),
      ...priced(surchargeIn(reader, currency)),
      ...stockIn(reader),
    });
  }
  const lines = [...(parent ? [parent] : []), ...children].map(({ line }) => line);
  return { subject: id || key || '–', lines, content, problems: reader.problems.splice(0) };
}

/** Colours stand behind their codes: `#ff0000:Red`. */
const valueIn = (text: string) => text.replace(/^#[0-9a-f]{3,8}:/i, '').trim();

function productIn(reader: RowReader): Partial<FoundProduct> {
  const [html, category, picture, visible] = (['html', 'category', 'picture', 'published'] as const).map(
    (field) => reader.text(field),
  );
  const [first, ...others] = partsOf(category ?? '', ';');
  if (others.length > 0) reader.lose('category', 'problem.sheet.lost.categories');
  const pictures = partsOf(picture ?? '', ';').map((name) => ({
    address: name.includes('/') ? name : `https://static.wixstatic.com/media/${name}`,
    line: reader.line,
  }));
  return {
    ...reader.texts('title', 'vendor'),
    ...(html === undefined ? {} : { description: descriptionIn(html) }),
    ...(visible ? { status: flagIn(visible) === true ? ('active' as const) : ('draft' as const) } : {}),
    ...(category === undefined ? {} : { category: first === undefined ? [] : [first] }),
    ...(picture === undefined ? {} : { pictures: inOrder(pictures) }),
  };
}

/** Of the present row's product, what a variant costs. Wix has 0 where somebody gave no price. */
function pricesOf(reader: RowReader): (surcharge: number) => Partial<FoundVariant> {
  const [base, discount, cost] = [
    reader.cents('price') ?? 0,
    reader.number('discount', 1_000_000_000) ?? 0,
    reader.cents('cost'),
  ];
  const isAmount = (reader.text('discountMode') ?? '').toUpperCase() === 'AMOUNT';
  const [percent, amount] = isAmount ? [0, reader.cents('discount') ?? 0] : [Math.min(100, discount), 0];
  return (surcharge) => {
    const regular = base + surcharge;
    const price = Math.round(regular * (1 - percent / 100)) - amount;
    return {
      ...(price > 0 ? { priceCents: price, compareAtCents: price < regular ? regular : null } : {}),
      ...(typeof cost === 'number' ? { costCents: cost } : {}),
    };
  };
}

/** Also less than nothing. */
function surchargeIn(reader: RowReader, currency: string): number {
  const text = reader.text('surcharge') ?? '';
  const amount = text === '' ? 0 : parseAmount(text.replace(/^-/, ''), currency);
  if (amount === null) reader.refuse('surcharge', 'problem.sheet.number');
  return text.startsWith('-') ? -(amount ?? 0) : (amount ?? 0);
}

/** A number, or words; a variant that is hidden is sold out. */
function stockIn(reader: RowReader): Partial<FoundVariant> {
  const text = (reader.text('units') ?? '').toLowerCase().replaceAll(/[\s_-]/g, '');
  const isHidden =
    (reader.text('wixRow') ?? '').toLowerCase() === 'variant' &&
    flagIn(reader.text('published') ?? '') === false;
  if (isHidden || text === 'outofstock') return { counted: true, units: 0 };
  if (text === '') return {};
  if (text === 'instock') return { counted: false };
  const units = reader.number('units', mostUnits);
  return typeof units === 'number' ? { counted: true, units: Math.max(0, Math.floor(units)) } : {};
}
