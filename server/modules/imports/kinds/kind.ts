/** What a kind of file is to the importer. A kind is one file beside this one, with a line in `import-kinds.ts`. */

import { createHash } from 'node:crypto';
import { fnv1a } from '#contract/fnv.ts';
import type { Locale } from '#contract/locales.ts';
import { currencyDigits, parseAmount, plainDecimal } from '#contract/money.ts';
import { type Problem, type ProblemKey, problem, shown } from '#contract/problems.ts';
import type { Difference } from '#contract/rules/patch.ts';
import type { ImportKindId, ImportOutcome, ImportUse } from '#contract/staff/imports.ts';
import type { Permission } from '#contract/staff/permissions.ts';
import type { Reader } from '#db/database.ts';
import type { BulkOutcome, BulkRow, Change, RunChange } from '#server/modules/changes/index.ts';
import { slugOf as addressOf } from '#server/platform/slugs.ts';
import { placeOf, type Sheet, type SheetRow } from '../sheet/read-sheet.ts';
import type { FoundProduct } from './found-product.ts';

/** Fields by the place of a column; what is not in it has no place in the shop. */
export type Mapping = Readonly<Record<number, string>>;

export interface ImportOptions {
  /** Of the texts in the file. */
  language: Locale;
  /** Where the units in the file are counted; null: they are left out. */
  place: string | null;
  /** Where units of the file may be counted: `place`, or if its rows name places, all that whoever sent or changed it reaches. */
  places: readonly string[];
  /** Of texts: permissions of whoever sent or changed it, which say whose texts they are. */
  may: readonly Permission[];
  /** SKUs that the file's products have and the file does not name are removed. */
  dropVariants: boolean;
  /** New customers are sent an email that leads to a password. */
  invite: boolean;
  /** New products without a price become drafts, instead of problems. */
  drafts: boolean;
  /** What divides cents; null: as amounts of the file show. */
  decimal: '.' | ',' | null;
}

/** What is applied or taken back. */
export interface ImportRun extends ImportOptions {
  id: string;
  file: string;
}

/** One thing of the file, such as a product with all of its rows. */
export interface Entry<Content = unknown> {
  subject: string;
  lines: readonly number[];
  content: Content;
  problems: readonly Problem[];
}

export interface Judged {
  outcome: ImportOutcome;
  fields: readonly Difference[];
  problems: readonly Problem[];
  /** What it would look like in the shop, of something new. */
  shows?: Shown | ShownPost;
}

/** Of a post, as a reader would find it. */
export interface ShownPost {
  title: string;
  /** Whether readers see it: at once, or from a date that is still to come. */
  state: 'live' | 'later' | 'draft';
  /** Epoch ms; null for a draft without a date. */
  at: number | null;
  /** Without host. */
  address: string;
  author: string;
  category: string;
  pictures: number;
}

/** Of a product, as a shopper would find it. */
export interface Shown {
  title: string;
  status: NonNullable<FoundProduct['status']>;
  /** The lowest and the highest price of its variants, in the smallest unit of the shop's currency. */
  prices: readonly [number, number];
  /** Null if it does not run out. */
  units: number | null;
  variants: number;
  pictures: number;
}

/** What the shop has of the products that a file may name. */
export interface Known {
  isThere(id: string): boolean;
  /** The product that has a SKU. */
  owner(sku: string): string | undefined;
  /** Empty for a product that is not there. */
  skusOf(id: string): readonly string[];
  /** For files of posts. */
  posts?: KnownPosts;
}

/** The ends of addresses that posts of the shop have. */
export interface KnownPosts {
  linkOf(id: string): string | undefined;
  isTaken(link: string): boolean;
}

/** How cells are understood. */
export interface Reading {
  /** Of amounts, where the file names none. */
  currency: string;
  /** Epoch ms: whether a sale is over. */
  now: number;
  /** What divides cents, if somebody chose it. */
  decimal?: '.' | ',' | null;
  /** Of the shop, where times name none. */
  timeZone: string;
}

/** Of an empty shop. */
export const nothingKnown: Known = { isThere: () => false, owner: () => undefined, skusOf: () => [] };

export interface Judge<Content> {
  /** What would become of them, writing nothing. */
  of(entries: readonly Entry<Content>[]): Promise<Judged[]>;
  /** What would be made besides, for all that were judged. */
  made?(): Promise<Made>;
}

export interface ImportKind<Content = unknown> {
  id: ImportKindId;
  /** The options that count for it. */
  uses: readonly ImportUse[];
  /** What columns can be: `office.imports.field.<name>`. */
  fields: readonly string[];
  /** Null if a column of this name has no place. `columns`: the whole header. */
  fieldOf(column: string, columns: readonly string[]): string | null;
  /** How much of the header it knows; 0: the file is of another kind. */
  score(columns: readonly string[]): number;
  /** Asks the shop before the file is read. */
  known?(sheet: Sheet, mapping: Mapping): Promise<Known>;
  /** Null now and then, so that others have their turn. */
  read(sheet: Sheet, mapping: Mapping, reading: Reading, known: Known): Iterable<Entry<Content> | null>;
  /** One for a whole file: what it has seen counts for what follows. */
  judge(options: ImportOptions): Judge<Content>;
  /** Before the first piece, and again after an interruption. `keep` is told what it makes before it does. */
  prepare?(work: Preparation<Content>, options: ImportOptions): Promise<void>;
  apply(change: Change, rows: readonly PlannedRow<Content>[], run: ImportRun): Promise<BulkOutcome[]>;
  takeBack(change: Change, rows: readonly BulkRow[], run: ImportRun): Promise<BulkOutcome[]>;
  /** What its pieces have left to do after their transactions. */
  finish?(): Promise<void>;
  /** What was made, once the rest is taken back. */
  clear?(run: RunChange, made: Made): Promise<void>;
  /** Of pictures that are fetched once the rest is done, of each. */
  addressesOf?(reader: Reader, contents: readonly Content[]): Promise<string[][]>;
}

export interface Preparation<Content> {
  run: RunChange;
  contents: AsyncIterable<readonly Content[]>;
  keep(made: Made): Promise<void>;
}

/** Ids of what an import makes besides. */
export interface Made {
  brands: string[];
  categories: string[];
  tags: string[];
  /** A blog for the posts of the file, in a shop without one. */
  blogs?: string[];
}

export interface PlannedRow<Content> {
  no: number;
  subject: string;
  content: Content;
  /** What it was judged to change. */
  fields: readonly Difference[];
  /** What an earlier phase of the same import has done with it. */
  earlier?: BulkRow;
}

const mostAmount = 10_000_000_000;

/** Rows that are looked at before others have their turn. */
export const rowsAtOnce = 1000;

/** All that is found, passing the pauses on in which others have their turn. */
export function* collected<T>(found: Iterable<T | null>): Generator<null, T[]> {
  const all: T[] = [];
  for (const each of found)
    if (each === null) yield null;
    else all.push(each);
  return all;
}

/** By which columns are compared: without padding, capitals and marks. */
export const nameOfColumn = (column: string) =>
  column.replace('\ufeff', '').trim().toLowerCase().replace(/\s+/g, ' ');

/** What columns can be, by their names, which are divided by `|`. */
export function columnNames(names: Readonly<Record<string, string>>) {
  const byName = new Map(
    Object.entries(names).flatMap(([field, all]) => all.split('|').map((name) => [name, field] as const)),
  );
  return {
    fields: Object.keys(names),
    fieldOf: (column: string): string | null => byName.get(nameOfColumn(column)) ?? null,
  };
}

/** The cells of a row by field, and what is wrong with them. */
export class RowReader {
  readonly problems: Problem[] = [];
  readonly #columns: Map<string, number[]>;
  readonly #sheet: Sheet;
  readonly #currency: string | undefined;
  readonly #decimal: '.' | ',' | null;
  readonly #decimals = new Map<string, '.' | ',' | null>();
  #row: SheetRow = { line: 0, cells: [] };

  /** Without `reading`, amounts are not read. */
  constructor(sheet: Sheet, mapping: Mapping, reading?: Reading) {
    this.#sheet = sheet;
    this.#currency = reading?.currency;
    this.#decimal = reading?.decimal ?? null;
    const pairs = Object.entries(mapping).map(([at, field]) => [field, Number(at)] as const);
    this.#columns = new Map(
      [...Map.groupBy(pairs, ([field]) => field)].map(([field, all]) => [field, all.map(([, at]) => at)]),
    );
  }

  set row(row: SheetRow) {
    this.#row = row;
  }

  get line(): number {
    return this.#row.line;
  }

  has(field: string): boolean {
    return this.#columns.has(field);
  }

  /** Of the first column of the field that is not empty; undefined if the file has no such column. */
  text(field: string): string | undefined {
    const columns = this.#columns.get(field);
    return columns && (columns.map((at) => this.#row.cells[at] ?? '').find((cell) => cell !== '') ?? '');
  }

  /** Of all columns of the field. */
  all(field: string): string[] {
    return (this.#columns.get(field) ?? []).flatMap((at) => this.#row.cells[at] || []);
  }

  /** Those that the file has columns of. */
  texts<F extends string>(...fields: F[]): Partial<Record<F, string>> {
    const found = fields
      .map((field) => [field, this.text(field)] as const)
      .filter(([, text]) => text !== undefined);
    return Object.fromEntries(found) as Partial<Record<F, string>>;
  }

  /** Of money; null: it is empty. Undefined, too, if it is in another currency, or could be two amounts. */
  cents(field: string, currency = this.#currency): number | null | undefined {
    const text = this.text(field);
    if (currency === undefined) throw new Error('Amounts are read in a currency');
    if (text && isOtherCurrency(text, currency)) {
      this.refuse(field, 'problem.sheet.otherCurrency', { currency });
      return undefined;
    }
    const delimiter = this.#decimalIn(field) === ',' ? ';' : ',';
    if (text && delimiter === ',' && this.#isAmbiguous(text, field, currency)) {
      this.refuse(field, 'problem.sheet.ambiguous');
      return undefined;
    }
    const number = this.number(field, mostAmount, delimiter);
    if (number === null || number === undefined) return number;
    const amount = parseAmount(text ?? '', currency, { delimiter });
    if (amount !== null) return amount;
    if (number < 0) this.refuse(field, 'problem.sheet.number');
    else this.refuse(field, 'problem.sheet.decimals', { currency, digits: currencyDigits(currency) });
    return 0;
  }

  /** Of a row whose currency has a column of its own. */
  refuseCurrency(field: string): void {
    const code = (this.text(field) ?? '').toUpperCase();
    if (/^[A-Z]{3}$/.test(code) && code !== this.#currency)
      this.refuse(field, 'problem.sheet.otherCurrency', { currency: this.#currency ?? '' });
  }

  /** Three digits behind one point are thousands or, in some programs, cents with a zero. Workbooks have numbers. */
  #isAmbiguous(text: string, field: string, currency: string): boolean {
    const isOpen =
      currencyDigits(currency) < 3 && this.#sheet.about.format === 'csv' && this.#decimalIn(field) === null;
    return isOpen && /^\D*\d{1,3}\.\d{3}\D*$/.test(text);
  }

  /** What divides cents in the column, by its other amounts; with semicolons between cells it is a comma. */
  #decimalIn(field: string): '.' | ',' | null {
    const known = this.#decimal ?? this.#decimals.get(field);
    if (known !== undefined) return known;
    const texts = (this.#columns.get(field) ?? []).flatMap((at) =>
      this.#sheet.rows.map(({ cells }) => cells[at] ?? ''),
    );
    const has = (form: RegExp) => texts.some((text) => form.test(text));
    const [isPoint, isComma] = [has(/\d\.\d{1,2}\D*$/), has(/\d,\d{1,2}\D*$|\d\.\d{3},\d/)];
    const decimal =
      isPoint === isComma
        ? this.#sheet.about.delimiter === ';' && !isPoint
          ? ','
          : null
        : isPoint
          ? '.'
          : ',';
    this.#decimals.set(field, decimal);
    return decimal;
  }

  /** `text` of a number field, judged; null: it is empty. */
  number(field: string, most: number, delimiter = this.#sheet.about.delimiter): number | null | undefined {
    const text = this.text(field);
    if (text === undefined || text === '') return text === '' ? null : undefined;
    const number = numberIn(text, delimiter);
    if (number !== null && number <= most) return number;
    this.refuse(field, /^[\d.,]+e\+?\d+$/i.test(text) ? 'problem.sheet.scientific' : 'problem.sheet.number');
    return undefined;
  }

  refuse(field: string, key: ProblemKey, values: Problem['values'] = {}): void {
    this.problems.push(this.at(field, key, values));
  }

  /** The value is left out, and the rest is taken. */
  warn(field: string, key: ProblemKey, values: Problem['values'] = {}): void {
    this.problems.push(this.at(field, key, { ...values, warning: 1 }));
  }

  /** The shop has no place for it. How often that is so is said once for the file. */
  lose(field: string, key: LostKey): void {
    this.problems.push(this.at(field, key, { warning: 1 }));
  }

  at(field: string, key: ProblemKey, values: Problem['values'] = {}): Problem {
    const text = this.text(field);
    return problem(placeOf(this.line, this.columnOf(field)), key, {
      ...(text === undefined || text === '' ? {} : { found: shown(text) }),
      ...values,
    });
  }

  columnOf(field: string): string {
    const columns = this.#columns.get(field) ?? [];
    const at = columns.find((each) => (this.#row.cells[each] ?? '') !== '') ?? columns[0];
    return at === undefined ? field : (this.#sheet.columns[at] ?? field).trim();
  }

  /** Filled beyond the last column of the header. */
  get isLonger(): boolean {
    return this.#row.cells.slice(this.#sheet.columns.length).some((cell) => cell !== '');
  }
}

type LostKey = Extract<ProblemKey, `problem.sheet.lost.${string}`>;
export const isLost = ({ key }: Pick<Problem, 'key'>) => key.startsWith('problem.sheet.lost.');

/** Takes rows back one by one. `back` is false for what somebody has changed since, which stays as it is then. */
export async function takenBackEach(
  rows: readonly BulkRow[],
  back: (row: BulkRow) => Promise<boolean>,
): Promise<BulkOutcome[]> {
  const outcomes: BulkOutcome[] = [];
  for (const row of rows) {
    const problems = (await back(row)) ? [] : [problem([], 'problem.touched')];
    outcomes.push({ no: row.no, subject: row.subject, problems });
  }
  return outcomes;
}

/** What stands in the way, as opposed to what is only left out. */
export const isRefused = (problems: readonly Problem[]) =>
  problems.some(({ values }) => values.warning !== 1);

/** By the signs that stand for few of them. */
const symbols: Readonly<Record<string, string>> = {
  '€': 'EUR',
  '£': 'GBP EGP FKP GIP SHP SYP LBP',
  '¥': 'JPY CNY',
  '￥': 'JPY CNY',
  '₩': 'KRW KPW',
  '₹': 'INR',
  '₽': 'RUB',
  '₺': 'TRY',
  '₴': 'UAH',
  '₪': 'ILS',
  '₫': 'VND',
  '฿': 'THB',
  '₱': 'PHP',
  '₦': 'NGN',
  元: 'CNY TWD HKD',
  円: 'JPY',
  zł: 'PLN',
};
const dollars: Readonly<Record<string, string>> = {
  US: 'USD',
  CA: 'CAD',
  C: 'CAD',
  AU: 'AUD',
  A: 'AUD',
  NZ: 'NZD',
  HK: 'HKD',
  NT: 'TWD',
  S: 'SGD',
  R: 'BRL',
  MX: 'MXN',
};

/** An amount that says that it is not in this currency. A plain dollar sign is anybody's who has dollars. */
function isOtherCurrency(text: string, currency: string): boolean {
  const [, before = '', behind = ''] = /^([A-Z]{3})\s?[\d.,-]|\d\s?([A-Z]{3})$/.exec(text.trim()) ?? [];
  const code = before || behind;
  if (code !== '') return code !== currency;
  const [, country = ''] = /^([A-Z]{1,2})\$/.exec(text.trim()) ?? [];
  if (country !== '') return (dollars[country] ?? currency) !== currency;
  const sign = Object.keys(symbols).find((each) => text.includes(each));
  return sign !== undefined && !(symbols[sign] ?? '').split(' ').includes(currency);
}

/** `12.50`, `1,234.50`, `12,50`, `$ 12`, `12 CAD`; null for what is no number. With semicolons between cells a point divides thousands. */
export function numberIn(text: string, delimiter = ','): number | null {
  const bare = text.replace(/[\s\p{Sc}元円'’]|zł/gu, '').replace(/^[A-Z]{1,3}\$?(?=[\d.,-])|[A-Z]{3}$/g, '');
  const plain = plainDecimal(bare, delimiter);
  return plain === null ? null : Number(plain);
}

/** As Shopify, WooCommerce and people write it; null for anything else. */
export function flagIn(text: string): boolean | null {
  const word = text.toLowerCase();
  if (['true', '1', 'yes', 'y', 'x', 'ja', 'oui', 'si', '是', 'wahr', 'vrai'].includes(word)) return true;
  return ['false', '0', 'no', 'n', 'nein', 'non', '否', 'falsch', 'faux', '-1'].includes(word) ? false : null;
}

/**
 * Of a name, for an address: ASCII, at most so long. Names of other scripts get their characters' hash as well, because many of them are
 * spelt alike.
 */
// Two more show that it is cut, also where it is cut at a hyphen.
export const slugOf = (name: string, most = 100): string => toldApart(addressOf(name, most + 2), name, most);

/** As files that were imported before transliteration have it: what it did not know was left out. */
export function earlierSlugOf(name: string, most = 100): string {
  const words = name
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .replaceAll('đ', 'd')
    .replaceAll('ß', 'ss')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(Boolean)
    .join('-');
  return toldApart(words, name, most);
}

function toldApart(words: string, name: string, most: number): string {
  const isWhole = words !== '' && words.length <= most && !/[^\p{Script=Latin}\P{L}]/u.test(name);
  return isWhole ? words : `${words.slice(0, most - 9)}-${hashOf(name)}`.replace(/^-/, 'x');
}

const hashOf = (text: string) => fnv1a(text).toString(16).padStart(8, '0');

/** Of what an import left: the same as long as nobody has changed it since. */
export const fingerprintOf = (left: unknown): string =>
  createHash('sha256')
    .update(JSON.stringify(left ?? null))
    .digest('hex')
    .slice(0, 20);
