/** Orders of another shop as an archive, as Shopify exports them: a row for each line, the first with all that is said of the order. */
import { randomUUID } from 'node:crypto';
import { countryName } from '#contract/countries.ts';
import { mainLocale } from '#contract/locales.ts';
import type { Contact } from '#contract/schemas/order.ts';
import type { Database } from '#db/database.ts';
import type { BulkOutcome } from '#server/modules/changes/index.ts';
import type { ImportedCustomers } from '#server/modules/customers/index.ts';
import {
  archivedNumber,
  type ImportedOrder,
  type OrderArchive,
  type WrittenOrder,
} from '#server/modules/orders/index.ts';
import { emailKeyOf, oneLine } from '#server/platform/text.ts';
import type { Sheet, SheetRow } from '../sheet/read-sheet.ts';
import {
  columnNames,
  type Entry,
  type ImportKind,
  isRefused,
  type Mapping,
  type Reading,
  RowReader,
  rowsAtOnce,
  slugOf,
  takenBackEach,
} from './kind.ts';

/** Without ids, which it gets when it is written. */
type Found = Omit<ImportedOrder, 'id' | 'customerId' | 'lines' | 'bill'> & {
  lines: { sku: string; product: string; name: string; quantity: number; unitPrice: number }[];
  /** Cents. */
  amounts: { discount: number; shipping: number; tax: number; tip: number; total: number };
  taxName: string;
  coupon: string | null;
  currency: string;
};

interface Content {
  order: Found;
  /** Of the buyer's email, by which what files say of a person is found. */
  key: string;
  /** For the staff, in the file's words. */
  note: string;
}

export interface OrderKindDeps {
  db: Database;
  accounts: { imported: ImportedCustomers };
  orders: { archive: OrderArchive };
}

const people = ['billing', 'shipping'].flatMap((kind) =>
  ['Name', 'Street', 'City', 'Zip', 'Province', 'Country', 'Phone'].map(
    (part) => [`${kind}${part}`, `${kind} ${part.toLowerCase()}`] as const,
  ),
);
const names = columnNames({
  orderName: 'name',
  email: 'email',
  phone: 'phone',
  createdAt: 'created at',
  fulfilledAt: 'fulfilled at',
  cancelledAt: 'cancelled at',
  paymentStatus: 'financial status',
  fulfillment: 'fulfillment status',
  currency: 'currency',
  shippingCost: 'shipping',
  taxTotal: 'taxes',
  taxName: 'tax 1 name',
  tip: 'tip',
  total: 'total',
  discountCode: 'discount code',
  discount: 'discount amount',
  shippingMethod: 'shipping method',
  lineQuantity: 'lineitem quantity',
  lineName: 'lineitem name',
  linePrice: 'lineitem price',
  lineSku: 'lineitem sku',
  ...Object.fromEntries(people),
  comment: 'notes',
  paymentMethod: 'payment method',
  refunded: 'refunded amount',
  location: 'location',
  tags: 'tags',
});
/** What has no field of an order goes into a note. */
const noted = ['paymentStatus', 'paymentMethod', 'refunded', 'location', 'tags'];
const mostLetters = 200;
const mostLines = 500;
const mostUnits = 1_000_000;

export function createOrderKind({ db, accounts, orders: { archive } }: OrderKindDeps): ImportKind<Content> {
  return {
    id: 'orders',
    uses: ['people', 'decimal'],
    fields: names.fields,
    fieldOf: names.fieldOf,
    score: ordersScore,
    read,
    judge: () => ({
      async of(entries) {
        const known = await archive.known(
          db.read,
          entries.map(({ subject }) => subject),
        );
        return entries.map(({ subject, problems }) => {
          const outcome = isRefused(problems) ? 'problem' : known.has(subject) ? 'unchanged' : 'new';
          return { outcome, fields: [], problems };
        });
      },
    }),
    async apply(change, rows) {
      const owners = await accounts.imported.ownersOf(
        change.trx,
        rows.map(({ content }) => content.key),
      );
      const outcomes: BulkOutcome[] = [];
      for (const { no, subject, content } of rows) {
        const order = orderOf(content, owners.get(content.key) ?? null);
        const written = await archive.add(change, order, content.note);
        outcomes.push({
          no,
          subject,
          outcome: written ? 'new' : 'unchanged',
          ...(written && { undo: written, fields: [] }),
        });
      }
      return outcomes;
    },
    takeBack: (change, rows) =>
      takenBackEach(
        rows,
        async ({ undo }) => undo === null || archive.remove(change, JSON.parse(undo) as WrittenOrder),
      ),
  };
}

export function ordersScore(columns: readonly string[]): number {
  const found = new Set(columns.map(names.fieldOf));
  const isOfOrders = ['orderName', 'createdAt', 'lineName', 'linePrice'].every((field) => found.has(field));
  return isOfOrders ? columns.filter((column) => names.fieldOf(column) !== null).length + 10 : 0;
}

function* read(sheet: Sheet, mapping: Mapping, reading: Reading): Generator<Entry<Content> | null> {
  const reader = new RowReader(sheet, mapping, reading);
  const groups = new Map<string, SheetRow[]>();
  for (const [at, row] of sheet.rows.entries()) {
    reader.row = row;
    const number = archivedNumber(oneLine(reader.text('orderName') ?? '').slice(0, 39));
    const rows = groups.get(number);
    if (rows) rows.push(row);
    else groups.set(number, [row]);
    if (at % rowsAtOnce === 0) yield null;
  }
  for (const [number, rows] of groups) yield entryOf(reader, number, rows);
}

function entryOf(reader: RowReader, number: string, rows: readonly SheetRow[]): Entry<Content> {
  const [first = { line: 0, cells: [] }] = rows;
  reader.row = first;
  const text = (field: string) => oneLine(reader.text(field) ?? '').slice(0, mostLetters);
  if (number === '#') reader.refuse('orderName', 'problem.sheet.orderName');
  const head = headIn(reader, text);
  const notes = noted.flatMap((field) =>
    text(field) === '' ? [] : [`${reader.columnOf(field)}: ${text(field)}`],
  );
  const lines: Found['lines'] = [];
  for (const row of rows.slice(0, mostLines)) {
    reader.row = row;
    const name = text('lineName');
    if (name === '') continue;
    const quantity = Math.floor(reader.number('lineQuantity', mostUnits) ?? 1);
    const product = slugOf(name.split(' - ')[0] ?? name);
    const sku = text('lineSku').slice(0, 100) || product;
    lines.push({ sku, product, name, quantity, unitPrice: reader.cents('linePrice', head.currency) ?? 0 });
  }
  return {
    subject: number,
    lines: rows.map(({ line }) => line),
    problems: reader.problems.splice(0),
    content: {
      order: { ...head, number, lines },
      key: emailKeyOf(head.contact.email),
      note: notes.join('\n'),
    },
  };
}

type TextOf = (field: string) => string;

function headIn(reader: RowReader, text: TextOf): Omit<Found, 'number' | 'lines'> {
  const currency = text('currency').toUpperCase();
  const cents = (field: string) => reader.cents(field, currency) ?? 0;
  const [tax, tip, discount, shipping] = ['taxTotal', 'tip', 'discount', 'shippingCost'].map(cents) as [
    number,
    number,
    number,
    number,
  ];
  const amounts = { discount, shipping, tax, tip, total: cents('total') };
  if (subtotalOf(amounts) < 0) reader.refuse('total', 'problem.sheet.sum');
  const placedAt = timeIn(reader, 'createdAt') ?? 0;
  if (!/^[A-Z]{3}$/.test(currency)) reader.refuse('currency', 'problem.sheet.currency');
  if (placedAt === 0) reader.refuse('createdAt', 'problem.sheet.time');
  const cancelledAt = timeIn(reader, 'cancelledAt');
  const endedAt = Math.max(placedAt, cancelledAt ?? timeIn(reader, 'fulfilledAt') ?? placedAt);
  const isOpen = cancelledAt === undefined && /^(?:unfulfilled|partial|pending)$/i.test(text('fulfillment'));
  if (isOpen) reader.warn('fulfillment', 'problem.sheet.open');
  return {
    method: 'shipping',
    language: mainLocale(),
    storeId: null,
    tableNumber: null,
    pickupAt: null,
    comment: text('comment'),
    contact: contactIn(text),
    shippingAddress: addressIn(text, 'shipping'),
    billingAddress: addressIn(text, 'billing'),
    shippingMethod: text('shippingMethod') || null,
    paidBy: null,
    tipBasisPoints: 0,
    placedAt,
    states: [
      { state: 'placed', at: placedAt },
      { state: cancelledAt === undefined ? 'completed' : 'cancelled', at: endedAt },
    ],
    amounts,
    taxName: text('taxName'),
    coupon: text('discountCode') || null,
    currency,
  };
}

/** Such as `2026-05-01 10:00:00 +0200`. */
function timeIn(reader: RowReader, field: string): number | undefined {
  const found = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d(?::\d\d)?(?:\.\d+)?) ?(Z|UTC|[+-]\d\d:?\d\d)?$/.exec(
    reader.text(field) ?? '',
  );
  if (!found) return undefined;
  const [, day, time, zone = 'Z'] = found;
  const at = Date.parse(`${day}T${time}${zone === 'UTC' ? 'Z' : zone.replace(/(\d\d)(\d\d)$/, '$1:$2')}`);
  return Number.isNaN(at) ? undefined : at;
}

function contactIn(text: TextOf): Contact {
  const [lastName = '', ...others] = (text('shippingName') || text('billingName')).split(' ').toReversed();
  const phoneNumber = text('phone') || text('shippingPhone') || text('billingPhone');
  return { firstName: others.toReversed().join(' '), lastName, email: text('email'), phoneNumber };
}

/** As it was: the other shop has delivered to it. */
function addressIn(text: TextOf, kind: 'billing' | 'shipping'): ImportedOrder['shippingAddress'] {
  const part = (name: string) => text(`${kind}${name}`);
  if (part('Street') === '' && part('City') === '') return null;
  const code = part('Country').toUpperCase();
  return {
    streetNumberAndNameDetails: part('Street'),
    city: part('City'),
    province: part('Province'),
    provinceCode: null,
    postCode: part('Zip'),
    countryISOCode: code,
    country: /^[A-Z]{2}$/.test(code) ? countryName(code, 'en') : code,
    addressDescription: '',
    contactPhone: part('Phone'),
  };
}

/** Of the lines before the discount: what is left of the total, whether prices were with tax or without. */
const subtotalOf = ({ discount, shipping, tax, tip, total }: Found['amounts']) =>
  total - shipping - tax - tip + discount;

function orderOf({ order }: Content, customerId: string | null): ImportedOrder {
  const { lines, amounts, taxName, coupon, currency, ...head } = order;
  const { discount, shipping, tax, tip, total } = amounts;
  return {
    ...head,
    id: randomUUID(),
    customerId,
    bill: {
      subtotal: subtotalOf(amounts),
      discount,
      couponCode: coupon,
      coupon: null,
      shipping,
      shippingSaved: 0,
      final: true,
      taxLines: tax === 0 ? [] : [{ label: taxName, amount: tax }],
      tax,
      tip,
      total,
      currency,
      billVersion: `archive-${head.number}`,
    },
    lines: lines.map(({ sku, product, name, quantity, unitPrice }) => ({
      sku,
      productId: product,
      quantity,
      unitPrice,
      name: { [head.language]: name },
      brand: null,
      optionPairs: '',
      optionText: { [head.language]: '' },
      taxClass: 'standard',
      image: null,
    })),
  };
}
