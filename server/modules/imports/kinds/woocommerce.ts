/** Products as WooCommerce exports them: parents with lists of values, and variations that name their parent. */
import type { Sheet, SheetRow } from '../sheet/read-sheet.ts';
import type { FoundProduct, FoundVariant } from './found-product.ts';
import { type Entry, flagIn, type Mapping, nameOfColumn, numberIn, RowReader, rowsAtOnce, slugOf } from './kind.ts';
import { factsIn, partsOf, productFieldOf, textsOf } from './product-rows.ts';

const names: Readonly<Record<string, string>> = {
  wooId: 'id',
  wooType: 'type|typ|tipo|类型',
  parent: 'parent|übergeordnet|übergeordnetes produkt|superior|父级',
  salePrice: 'sale price|angebotspreis|tarif promo|precio rebajado|促销价格',
  backorders: 'backorders allowed?|lieferrückstände erlaubt?|autoriser les commandes de produits en rupture ?|允许缺货下单？',
};
const attributes = [1, 2, 3, 4].flatMap((place) => [
  [`attribute ${place} name`, `attribute${place}Name`] as const,
  [`attribute ${place} value(s)`, `attribute${place}Values`] as const,
  [`attribut ${place} name`, `attribute${place}Name`] as const,
  [`attribut ${place} wert(e)`, `attribute${place}Values`] as const,
]);
const byName = new Map([
  ...Object.entries(names).flatMap(([field, all]) => all.split('|').map((name) => [name, field] as const)),
  ...attributes,
]);

const plain = ['title', 'html', 'summary', 'published', 'sku', 'grams', 'kilograms', 'pounds', 'ounces', 'units', 'price'];
export const wooFields: readonly string[] = [
  ...plain,
  ...['category', 'tags', 'barcode', 'picture', 'vendor', 'cost', 'seoTitle', 'seoDescription'],
  ...new Set(byName.values()),
];

export function wooFieldOf(column: string): string | null {
  const own = byName.get(nameOfColumn(column));
  const field = own ?? productFieldOf(column);
  return field !== null && wooFields.includes(field) ? field : null;
}

export function wooScore(columns: readonly string[]): number {
  const found = new Set(columns.map(wooFieldOf));
  const isWoo =
    ['wooId', 'wooType', 'price'].every((field) => found.has(field)) && (found.has('parent') || found.has('salePrice'));
  return isWoo ? columns.filter((column) => wooFieldOf(column) !== null).length + 10 : 0;
}

/** Of such rows several may be one product. */
const skipped = ['grouped', 'external'];

export function* readWoo(sheet: Sheet, mapping: Mapping, currency: string): Generator<Entry<FoundProduct> | null> {
  const reader = new RowReader(sheet, mapping, currency);
  const typesOf = (row: SheetRow) => {
    reader.row = row;
    return partsOf((reader.text('wooType') ?? 'simple').toLowerCase(), ',');
  };
  const children = new Map<string, SheetRow[]>();
  const tops: SheetRow[] = [];
  for (const [at, row] of sheet.rows.entries()) {
    if (at % rowsAtOnce === 0) yield null;
    if (!typesOf(row).includes('variation')) tops.push(row);
    else {
      const parent = reader.text('parent') ?? '';
      const siblings = children.get(parent);
      if (siblings) siblings.push(row);
      else children.set(parent, [row]);
    }
  }
  for (const row of tops) {
    const types = typesOf(row);
    const keys = [reader.text('sku') ?? '', `id:${reader.text('wooId') ?? ''}`].filter((key) => key !== '');
    const own = keys.flatMap((key) => children.get(key) ?? []).toSorted((a, b) => a.line - b.line);
    for (const key of keys) children.delete(key);
    yield entryOf(reader, row, { children: own, types });
  }
  for (const row of [...children.values()].flat()) {
    reader.row = row;
    const problems = [reader.at('parent', 'problem.sheet.orphan')];
    yield { subject: reader.text('sku') || '–', lines: [row.line], content: { id: '', variants: [] }, problems };
  }
}

interface Family {
  children: readonly SheetRow[];
  types: readonly string[];
}

function entryOf(reader: RowReader, row: SheetRow, { children, types }: Family): Entry<FoundProduct> {
  const before = reader.problems.length;
  reader.row = row;
  const id = slugOf(reader.text('title') || reader.text('sku') || '');
  if (types.some((type) => skipped.includes(type))) reader.refuse('wooType', 'problem.sheet.kindOfProduct');
  const attributes = children.length === 0 ? [] : attributesIn(reader);
  const product: FoundProduct = { id, ...productIn(reader), options: attributes.map(({ name }) => name), variants: [] };
  if (children.length === 0) product.variants.push({ line: row.line, values: [], ...variantIn(reader, undefined) });
  const parentUnits = reader.number('units', 1_000_000_000) ?? undefined;
  for (const child of children) {
    reader.row = child;
    const facts = variantIn(reader, parentUnits);
    const chosen = attributes.map(({ name, values }) => {
      const place = [1, 2, 3, 4].find((each) => reader.text(`attribute${each}Name`) === name);
      const own = (reader.text(`attribute${place ?? 1}Values`) ?? '').replaceAll('\\,', ',');
      // An empty attribute stands for each of its values.
      return place !== undefined && own !== '' ? [own] : values;
    });
    const all = combinations(chosen);
    for (const [at, values] of all.entries()) {
      const { sku, ...others } = facts;
      const own = sku === undefined ? {} : { sku: at === 0 ? sku : `${sku}-${slugOf(values.join(' '), 60)}`.slice(0, 100) };
      product.variants.push({ line: child.line, values, ...others, ...own });
    }
  }
  return {
    ...{ subject: id || '–', lines: [row, ...children].map(({ line }) => line), content: product },
    problems: id === '' ? [reader.at('title', 'problem.sheet.unnamed')] : reader.problems.splice(before),
  };
}

function combinations(lists: readonly (readonly string[])[]): string[][] {
  return lists
    .reduce<string[][]>((all, values) => all.flatMap((each) => values.map((value) => [...each, value])), [[]])
    .slice(0, 2048);
}

function attributesIn(reader: RowReader): { name: string; values: string[] }[] {
  return [1, 2, 3, 4].flatMap((place) => {
    const name = reader.text(`attribute${place}Name`) ?? '';
    return name === '' ? [] : [{ name, values: listIn(reader.text(`attribute${place}Values`) ?? '') }];
  });
}

/** Values are divided by commas; one inside a value is escaped. */
const listIn = (text: string) =>
  partsOf(text.replaceAll('\\,', '\u0000').replaceAll(',', '\u0001'), '\u0001').map((part) => part.replaceAll('\u0000', ','));

function productIn(reader: RowReader): Partial<FoundProduct> {
  const [published, tags, category, pictures] = ['published', 'tags', 'category', 'picture'].map((field) => reader.text(field));
  const paths = category === undefined ? [] : listIn(category);
  // The deepest says most.
  const [deepest = ''] = paths.toSorted((a, b) => b.split('>').length - a.split('>').length);
  return {
    ...{ ...reader.texts('title', 'vendor', 'seoTitle', 'seoDescription'), ...textsOf(reader) },
    ...(published === undefined ? {} : { status: flagIn(published) === true ? ('active' as const) : ('draft' as const) }),
    ...(tags === undefined ? {} : { tags: listIn(tags) }),
    ...(category === undefined ? {} : { category: partsOf(deepest, '>') }),
    ...(pictures === undefined ? {} : { pictures: listIn(pictures).map((address) => ({ address, line: reader.line })) }),
  };
}

/** `parentUnits`: of variations that share the stock of their parent. */
function variantIn(reader: RowReader, parentUnits: number | undefined): Omit<FoundVariant, 'line' | 'values'> {
  const [regular, sale] = [reader.cents('price') ?? undefined, reader.cents('salePrice') ?? undefined];
  const isOnSale = regular !== undefined && sale !== undefined && sale < regular;
  const stock = reader.text('units');
  const isParents = stock?.toLowerCase() === 'parent';
  const units = stock === undefined || stock === '' || isParents ? null : numberIn(stock);
  if (stock && !isParents && units === null) reader.refuse('units', 'problem.sheet.number');
  const counted = isParents ? parentUnits : (units ?? undefined);
  const price = isOnSale ? sale : (regular ?? sale);
  const backorders = reader.text('backorders');
  const [picture] = listIn(reader.text('picture') ?? '');
  return {
    ...factsIn(reader),
    ...(price === undefined ? {} : { priceCents: price }),
    ...(reader.has('salePrice') ? { compareAtCents: isOnSale ? regular : null } : {}),
    ...(stock === undefined ? {} : { counted: counted !== undefined }),
    ...(counted === undefined ? {} : { units: Math.max(0, Math.floor(counted)) }),
    ...(backorders === undefined || backorders === '' ? {} : { oversell: backorders !== '0' }),
    ...(picture === undefined ? {} : { picture }),
  };
}
