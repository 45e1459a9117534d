/** Products as WooCommerce exports them: parents with lists of values, and variations that name their parent. */
import { dayMs } from '#server/platform/time-zone.ts';
import type { Sheet, SheetRow } from '../sheet/read-sheet.ts';
import { descriptionIn, type FoundProduct, type FoundVariant, plainText } from './found-product.ts';
import { identitiesOf, type Named } from './identities.ts';
import {
  type Entry,
  flagIn,
  type Known,
  type Mapping,
  type Reading,
  RowReader,
  rowsAtOnce,
  slugOf,
} from './kind.ts';
import { factsIn, mostUnits, partsOf, skuIn } from './product-rows.ts';
import { pricesIn, type SaleTimes } from './sale-prices.ts';
import { attributePlaces } from './woo-columns.ts';
import { seoText, wordpressHtml } from './wordpress-texts.ts';

interface Family extends Named {
  parent: SheetRow;
  children: SheetRow[];
  types: readonly string[];
}

/** Of other kinds several rows may be one product, or nothing is sold. */
const supported = ['simple', 'variable', 'variation', 'virtual', 'downloadable', ''];

/** What the shop is asked for before the rows are read. */
export function* wooNames(sheet: Sheet, mapping: Mapping): Generator<Named | null> {
  for (const each of familiesIn(sheet, mapping)) yield each !== null && 'parent' in each ? each : null;
}

/** Rows of variations whose parent the file does not have stand alone. */
function* familiesIn(sheet: Sheet, mapping: Mapping): Generator<Family | SheetRow | null> {
  const reader = new RowReader(sheet, mapping);
  const typesOf = (row: SheetRow) => {
    reader.row = row;
    return partsOf((reader.text('wooType') ?? '').toLowerCase(), ',');
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
    const [id, sku, name] = [
      reader.text('wooId') ?? '',
      reader.text('sku') ?? '',
      reader.text('title') ?? '',
    ];
    // An empty id is no id.
    const keys = [sku, id === '' ? '' : `id:${id}`].filter((key) => key !== '');
    const own = keys.flatMap((key) => children.get(key) ?? []).toSorted((a, b) => a.line - b.line);
    for (const key of keys) children.delete(key);
    const skus = [row, ...own].flatMap((each) => {
      reader.row = each;
      return skuIn(reader) ?? [];
    });
    const sold = own.length > 0 ? skus.filter((each) => each !== sku) : skus;
    yield { handle: '', name, key: sku || id, skus: sold, parent: row, children: own, types };
  }
  yield* [...children.values()].flat();
}

export function* readWoo(
  sheet: Sheet,
  mapping: Mapping,
  reading: Reading,
  known: Known,
): Generator<Entry<FoundProduct> | null> {
  const reader = new RowReader(sheet, mapping, reading);
  const families: Family[] = [];
  for (const each of familiesIn(sheet, mapping)) {
    if (each === null) yield null;
    else if ('parent' in each) families.push(each);
    else {
      reader.row = each;
      const problems = [reader.at('parent', 'problem.sheet.orphan')];
      yield {
        subject: reader.text('sku') || '–',
        lines: [each.line],
        content: { id: '', variants: [] },
        problems,
      };
    }
  }
  const ids = identitiesOf(families, known);
  for (const [at, family] of families.entries()) yield entryOf(reader, ids[at] ?? '', family, reading.now);
}

function entryOf(
  reader: RowReader,
  id: string,
  { parent, children, types, key }: Family,
  now: number,
): Entry<FoundProduct> {
  const before = reader.problems.length;
  reader.row = parent;
  if (id === '') reader.refuse('title', 'problem.sheet.unnamed');
  if (types.some((type) => type.includes('gift'))) reader.refuse('wooType', 'problem.sheet.giftCard');
  else if (types.some((type) => !supported.includes(type)))
    reader.refuse('wooType', 'problem.sheet.kindOfProduct');
  if (types.includes('downloadable')) reader.lose('wooType', 'problem.sheet.lost.download');
  else if (types.includes('virtual')) reader.lose('wooType', 'problem.sheet.lost.shipping');
  const described = attributesIn(reader);
  const attributes = choicesIn(reader, children, described);
  reader.row = parent;
  const facts = described.filter(({ name }) => !attributes.some((each) => isSameName(each.name, name)));
  const product: FoundProduct = {
    id,
    ...productIn(reader),
    ...factsOf(reader, facts),
    options: attributes.map(({ name }) => name),
    variants: [],
  };
  if (children.length === 0)
    product.variants.push({ line: parent.line, values: [], ...variantIn(reader, now) });
  const sharing: FoundVariant[] = [];
  for (const child of children) {
    reader.row = child;
    const chosen = attributes.map(({ name, values }) => {
      const own = attributesIn(reader).find((each) => isSameName(each.name, name));
      // Of what a variation names, an empty value stands for each.
      return own?.text ? [own.text] : values;
    });
    const [{ sku, ...facts }, all] = [variantIn(reader, now), combinations(chosen)];
    const isParents = (reader.text('units') ?? '').toLowerCase() === 'parent';
    const made = all.map((values, at): FoundVariant => {
      const own =
        sku === undefined
          ? {}
          : { sku: at === 0 ? sku : `${sku}-${slugOf(values.join(' '), 60)}`.slice(0, 100) };
      return { line: child.line, values, ...facts, ...own };
    });
    if (isParents) sharing.push(...made);
    else if (made.length > 1) divide(reader, made, facts.units);
    product.variants.push(...made);
  }
  reader.row = parent;
  const units = children.length === 0 ? undefined : unitsIn(reader);
  divide(reader, sharing, units);
  return {
    subject: id || key || '–',
    lines: [parent, ...children].map(({ line }) => line),
    content: product,
    problems: reader.problems.splice(before),
  };
}

/** Units that several variants share are divided, so that no more are sold than there are. */
export function divide(reader: RowReader, variants: FoundVariant[], units: number | undefined): void {
  if (variants.length > 1 && units !== undefined) reader.lose('units', 'problem.sheet.lost.sharedStock');
  for (const [at, variant] of variants.entries()) {
    if (units === undefined) continue;
    variant.counted = true;
    variant.units = Math.floor(units / variants.length) + (at < units % variants.length ? 1 : 0);
  }
}

export function combinations(lists: readonly (readonly string[])[]): string[][] {
  return lists
    .reduce<string[][]>(
      (all, values) => all.flatMap((each) => values.map((value) => [...each, value])).slice(0, 2048),
      [[]],
    )
    .slice(0, 2048);
}

interface Attribute {
  name: string;
  /** As the cell has it. */
  text: string;
  values: string[];
}

/** Of the present row. */
const attributesIn = (reader: RowReader): Attribute[] =>
  attributePlaces.flatMap((place) => {
    const name = reader.text(`attribute${place}Name`) ?? '';
    const text = reader.text(`attribute${place}Values`) ?? '';
    return name === '' ? [] : [{ name, text: text.replaceAll('\\,', ','), values: listIn(text) }];
  });

const isSameName = (one: string, other: string) => one.trim().toLowerCase() === other.trim().toLowerCase();

/** What the variations name, in the order of the parent; the parent's other attributes only describe it. */
function choicesIn(
  reader: RowReader,
  children: readonly SheetRow[],
  described: readonly Attribute[],
): Attribute[] {
  const named = children.flatMap((child) => {
    reader.row = child;
    return attributesIn(reader);
  });
  const choices = described.filter(({ name }) => named.some((each) => isSameName(each.name, name)));
  for (const each of named) {
    if (each.text === '') continue;
    const choice = choices.find(({ name }) => isSameName(name, each.name));
    if (!choice) choices.push({ ...each, values: [each.text] });
    else if (!choice.values.includes(each.text)) choice.values.push(each.text);
  }
  return choices;
}

/** Values are divided by commas, or by bars; one inside a value is escaped. */
const listIn = (text: string) =>
  partsOf(text.replaceAll('\\,', '\u0000').replaceAll(/,|\|/g, '\u0001'), '\u0001').map((part) =>
    part.replaceAll('\u0000', ','),
  );

const materials =
  /^(?:materials?|materialien|matières?|matériaux|materiales?|materiaal|materiał|材质|材料)$/i;

/** What the shop has a place for; the rest is said to be lost. */
function factsOf(reader: RowReader, attributes: readonly Attribute[]): Pick<FoundProduct, 'facts'> {
  const made = attributes.find(({ name }) => materials.test(name.replace(/^pa_/, '').trim()));
  if (attributes.some((each) => each !== made && each.text !== ''))
    reader.lose('attribute1Name', 'problem.sheet.lost.attributes');
  const sizes = (['length', 'width', 'height'] as const).flatMap((field) => {
    const number = reader.number(field, 100_000);
    return number ? [[`${field}Cm`, number] as const] : [];
  });
  if (!made?.text && sizes.length === 0) return {};
  return {
    facts: {
      ...(made?.text ? { materials: made.values.join(', ') } : {}),
      ...(sizes.length > 0 ? { dimensions: Object.fromEntries(sizes) } : {}),
    },
  };
}

function productIn(reader: RowReader): Partial<FoundProduct> {
  const [published, tags, category, pictures, html, summary] = (
    ['published', 'tags', 'category', 'picture', 'html', 'summary'] as const
  ).map((field) => reader.text(field));
  const paths = category === undefined ? [] : listIn(category);
  // The deepest says most. Those above it are its parents.
  const [deepest = '', ...others] = paths.toSorted((a, b) => b.split('>').length - a.split('>').length);
  if (others.some((path) => !`${deepest} `.startsWith(`${path} `)))
    reader.lose('category', 'problem.sheet.lost.categories');
  const isHidden = (reader.text('visibility') ?? '').toLowerCase() === 'hidden';
  if (isHidden && flagIn(published ?? '1') === true) reader.lose('visibility', 'problem.sheet.lost.hidden');
  const [title, description] = [seoText(reader.text('seoTitle')), seoText(reader.text('seoDescription'))];
  if (html !== undefined && /<img\b/i.test(html)) reader.lose('html', 'problem.sheet.lost.pictures');
  const tax = (reader.text('taxStatus') ?? '').toLowerCase();
  return {
    ...reader.texts('title', 'vendor'),
    ...(html === undefined ? {} : { description: descriptionIn(wordpressHtml(html)) }),
    ...(summary === undefined ? {} : { summary: plainText(wordpressHtml(summary)) }),
    ...(title === undefined ? {} : { seoTitle: title }),
    ...(description === undefined ? {} : { seoDescription: description }),
    ...(published === undefined
      ? {}
      : { status: flagIn(published) === true && !isHidden ? ('active' as const) : ('draft' as const) }),
    ...(tags === undefined ? {} : { tags: listIn(tags) }),
    ...(category === undefined ? {} : { category: partsOf(deepest, '>') }),
    ...(tax === 'none' || tax === 'shipping'
      ? { untaxed: true }
      : tax === 'taxable'
        ? { untaxed: false }
        : {}),
    ...(pictures === undefined
      ? {}
      : { pictures: listIn(pictures).map((address) => ({ address, line: reader.line })) }),
  };
}

function variantIn(reader: RowReader, now: number): Omit<FoundVariant, 'line' | 'values'> {
  const backorders = (reader.text('backorders') ?? '').toLowerCase();
  const [picture] = listIn(reader.text('picture') ?? '');
  return {
    ...factsIn(reader),
    ...pricesIn(reader, saleTimes(reader), now),
    ...stockIn(reader),
    ...(backorders === '' ? {} : { oversell: backorders !== '0' && backorders !== 'no' }),
    ...(picture === undefined ? {} : { picture }),
  };
}

/** A day counts to its end. */
function saleTimes(reader: RowReader): SaleTimes {
  const [starts, ends] = [reader.text('saleStarts') ?? '', reader.text('saleEnds') ?? ''];
  const end = ends === '' ? Number.POSITIVE_INFINITY : timeIn(ends);
  return {
    from: { field: 'saleStarts', at: starts === '' ? Number.NEGATIVE_INFINITY : timeIn(starts) },
    until: { field: 'saleEnds', at: /\d:\d/.test(ends) ? end : end + dayMs },
  };
}

const timeIn = (text: string) =>
  Date.parse(/^\d{4}-\d{2}-\d{2} \d/.test(text) ? text.replace(' ', 'T') : text);

/** Without a number it is counted only if it is sold out; units of the parent are divided among those that share them. */
function stockIn(reader: RowReader): Partial<FoundVariant> {
  const [stock, inStock] = [reader.text('units'), (reader.text('inStock') ?? '').toLowerCase()];
  if (stock?.toLowerCase() === 'parent') return {};
  const units = unitsIn(reader);
  if (units !== undefined) return { counted: true, units };
  if (inStock !== '' && flagIn(inStock) === false) return { counted: true, units: 0 };
  return stock === undefined && inStock === '' ? {} : { counted: false };
}

/** Whole, from 0; undefined if there is no number. */
function unitsIn(reader: RowReader): number | undefined {
  const units = reader.number('units', mostUnits) ?? undefined;
  return units === undefined ? undefined : Math.max(0, Math.floor(units));
}
