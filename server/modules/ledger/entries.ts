/**
 * From what is known of an order to its entries. Pure. An order has sources: its bill, each payment, each refund. What a source comes to
 * follows from what it is now, and an event's entries are the difference to what was booked for it before: nothing is ever changed, and
 * whatever happens to an order, its entries sum to what it is.
 *
 * - A bill is a sale from its placement on. Cancelled or lapsed it comes to nothing, but for what is kept of its money: that is a
 *   consideration with its taxes inside (Excise Tax Act, s. 182; the same share of each part and tax of the bill).
 * - A payment moves money against what the buyer owes, from when it arrives until it is found not to have.
 * - A refund moves money back. One of a standing bill lowers the sale as well: units of lines, shipping and the service charge with
 *   their own taxes, a tip, or an amount, of which each part that is left gives its share. One that corrects what was paid, and one of an
 *   order that is cancelled, lowers no sale: the bill did. What a bank takes by a lost dispute is a loss, and the sale stands.
 */
import { taxIn } from '#contract/rules/tax-labels.ts';
import {
  type Account,
  type BookEvent,
  type EntryFields,
  entryFields,
} from '#contract/staff/accounts-of-books.ts';
import type { StockCost } from '#db/before-commit.ts';
import {
  type AgreedBill,
  amountShares,
  coversOf,
  refundShares,
  type TaxedPart,
  taxedOf,
} from '#server/modules/orders/index.ts';
import { allocate } from '#server/modules/pricing/index.ts';

/** What an entry says besides its amount: entries that agree in all of it are one. */
export interface EntryKey extends EntryFields {
  account: Account;
  line: string | null;
  product: string | null;
  sku: string | null;
  category: string | null;
}

export interface Entry extends EntryKey {
  /** Smallest units; a debit is above zero. */
  amount: number;
  /** Of a tax: what it is on. Smallest units; above zero for a sale. */
  base: number;
  /** Of goods. */
  units: number;
}

export interface LineFacts {
  id: string;
  sku: string;
  product: string;
  category: string | null;
  taxClass: string;
  quantity: number;
  unitPrice: number;
}

export interface PaymentFacts {
  id: string;
  way: string;
  /** Smallest units, `tip` included. */
  amount: number;
  tip: number;
  /** What rounding to the smallest coin added, or took off. */
  rounding: number;
  receivedAt: number | null;
  undoneAt: number | null;
  /** Who took it. */
  actor: string | null;
}

export interface RefundFacts {
  id: string;
  /** Who took the payment that it is of. */
  taker: string | null;
  way: string;
  /** Smallest units, `tip` included. */
  amount: number;
  tip: number;
  /** By how much cash that was handed back differs from the amount, since there is no smaller coin. */
  rounding: number;
  corrects: boolean;
  covers: unknown;
  reason: string;
  state: string;
  /** It was refused, and its money is still to be given back. */
  isOwed: boolean;
  isLostDispute: boolean;
  createdAt: number;
  updatedAt: number;
}

export type OrderStanding = 'none' | 'placed' | 'cancelled' | 'lapsed';

export interface OrderFacts {
  id: string;
  standing: OrderStanding;
  store: string | null;
  currency: string;
  /** Null before it was placed. */
  placedAt: number | null;
  /** When it was cancelled or lapsed. */
  endedAt: number | null;
  /** Where and when it was placed, for bills that do not say it. */
  place: string;
  day: string;
  bill: AgreedBill | null;
  lines: readonly LineFacts[];
  payments: readonly PaymentFacts[];
  /** Oldest first. */
  refunds: readonly RefundFacts[];
}

/** The source of an order's bill; those of payments and refunds are their ids. */
export const billSource = 'bill';

export interface NewEvent {
  kind: BookEvent;
  source: string;
  /** Epoch ms; null: now. */
  at: number | null;
  actor: string | null;
  /** Who took the tip that this moves: tips of a person are less what went back of them, whoever gave it back. Left out: `actor`. */
  tipTaker?: string | null;
  entries: Entry[];
}

/** What is booked for the sources of an order, summed: nothing for one that was undone, none for one that never was. */
export type Booked = ReadonlyMap<string, readonly Entry[]>;

const nothing: Omit<Entry, 'account'> = {
  part: '',
  place: '',
  taxClass: '',
  treatment: '',
  tax: '',
  rate: 0,
  way: '',
  line: null,
  product: null,
  sku: null,
  category: null,
  amount: 0,
  base: 0,
  units: 0,
};

/** An entry that is no sale's. Smallest units; `way`: of money. */
export const plainEntry = (account: Account, amount: number, way = ''): Entry => ({
  ...nothing,
  account,
  amount,
  way,
});

const sumOf = (entries: readonly Entry[], account: Account) =>
  entries.reduce((sum, entry) => (entry.account === account ? sum + entry.amount : sum), 0);
const total = (entries: readonly Entry[]) => entries.reduce((sum, { amount }) => sum + amount, 0);

const keyOf = (entry: EntryKey): string =>
  [
    entry.account,
    entry.line,
    entry.product,
    entry.sku,
    entry.category,
    ...entryFields.map((field) => entry[field]),
  ].join('\u0000');

/** One entry for each key; none that says nothing. */
export function summed(...all: (readonly Entry[])[]): Entry[] {
  const sums = new Map<string, Entry>();
  for (const entry of all.flat()) {
    const key = keyOf(entry);
    const known = sums.get(key);
    if (known) {
      known.amount += entry.amount;
      known.base += entry.base;
      known.units += entry.units;
    } else sums.set(key, { ...entry });
  }
  return [...sums.values()].filter(({ amount, base, units }) => amount !== 0 || base !== 0 || units !== 0);
}

export const reversed = (entries: readonly Entry[]): Entry[] =>
  entries.map((entry) => ({ ...entry, amount: -entry.amount, base: -entry.base, units: -entry.units }));

/** The events by which the books follow from what was booked to what is. Each sums to zero. */
export function eventsOf(order: OrderFacts, booked: Booked): NewEvent[] {
  const { payments, refunds } = order;
  const there = new Set([billSource, ...[...payments, ...refunds].map(({ id }) => id)]);
  const gone = [...booked].filter(([source]) => !there.has(source));
  return [
    ...billEvents(order, booked.get(billSource)),
    ...paymentEvents(order, booked),
    ...refundEvents(order, booked),
    // A payment that belongs to another order now.
    ...gone.flatMap(([source, before]) =>
      difference(source, before, [], { kind: 'paymentUndone', at: null, actor: null }),
    ),
  ];
}

/** `after` is summed. */
function difference(
  source: string,
  before: readonly Entry[],
  after: readonly Entry[],
  event: Omit<NewEvent, 'entries' | 'source'>,
) {
  const entries = before.length === 0 ? [...after] : summed(after, reversed(before));
  return entries.length === 0 ? [] : [{ ...event, source, entries }];
}

function billEvents(order: OrderFacts, known: readonly Entry[] | undefined): NewEvent[] {
  const before = known ?? [];
  const { standing, placedAt, endedAt, bill } = order;
  // A bill that cannot be read says nothing: what is booked stands.
  if (!bill && standing !== 'none') return [];
  const wasSold = sumOf(before, 'receivable') !== 0 || before.some(({ account }) => account === 'sales');
  const sold = bill && placedAt !== null ? saleEntries(order, bill) : [];
  if (standing === 'placed') {
    const kind = wasSold ? 'change' : 'sale';
    return difference(billSource, before, sold, { kind, at: wasSold ? null : placedAt, actor: null });
  }
  if (standing === 'none')
    return difference(billSource, before, [], { kind: 'cancellation', at: null, actor: null });
  const kind = standing === 'cancelled' ? 'cancellation' : 'lapse';
  const kept = bill ? keptEntries(order, bill) : [];
  // What has ended before the books began, such as an imported order, was sold before.
  const isLate = known === undefined && placedAt !== null;
  const first = isLate ? difference(billSource, [], sold, { kind: 'sale', at: placedAt, actor: null }) : [];
  const end = { kind, at: isLate ? endedAt : null, actor: null } as const;
  return [...first, ...difference(billSource, isLate ? sold : before, kept, end)];
}

/** A part of a bill, without what its taxes come to. */
function partEntry(
  order: OrderFacts,
  { of, line, place, taxClass, treatment }: TaxedPart,
): Omit<Entry, 'account'> {
  const known = order.lines.find(({ id }) => id === line);
  const goods = known ? { product: known.product, sku: known.sku, category: known.category } : {};
  return { ...nothing, part: of, line, place, taxClass, treatment, ...goods };
}

const incomeOf = { line: 'sales', shipping: 'shipping', serviceCharge: 'service' } as const satisfies Record<
  TaxedPart['of'],
  Account
>;

/** Times what the sale is: -1 for a sale, 1 for what is given back of it. */
function partEntries(order: OrderFacts, taxed: readonly TaxedPart[], sign: 1 | -1): Entry[] {
  return taxed.flatMap((each): Entry[] => {
    const part = partEntry(order, each);
    const account = incomeOf[each.of];
    return [
      {
        ...part,
        account,
        amount: sign * (each.base + each.discount),
        units: each.of === 'line' ? -sign * each.quantity : 0,
      },
      ...(each.discount === 0
        ? []
        : [{ ...part, account: 'discounts' as const, amount: -sign * each.discount }]),
      ...each.taxes.map(
        ({ name, rate, amount }): Entry => ({
          ...part,
          account: 'tax',
          tax: name,
          rate,
          amount: sign * amount,
          base: -sign * each.base,
        }),
      ),
    ];
  });
}

/** The parts of a bill, and as one more what it has beyond its lines, such as one that was brought along without them. */
function taxedParts({ lines, place, day }: OrderFacts, bill: AgreedBill): TaxedPart[] {
  const parts = taxedOf(bill, lines, { place, day });
  const goods = parts.filter(({ of }) => of === 'line');
  const discount = bill.discount - goods.reduce((sum, part) => sum + part.discount, 0);
  const base = bill.subtotal - bill.discount - goods.reduce((sum, part) => sum + part.base, 0);
  const taxed = (label: string) =>
    parts.reduce(
      (sum, { taxes }) => sum + taxes.reduce((all, tax) => (tax.label === label ? all + tax.amount : all), 0),
      0,
    );
  const taxes = bill.taxLines.flatMap(({ label, amount }) => {
    const rest = amount - taxed(label);
    return rest === 0 ? [] : [{ ...taxIn(label), label, amount: rest }];
  });
  if (base === 0 && discount === 0 && taxes.length === 0) return parts;
  const treatment = taxes.length > 0 ? 'taxable' : 'zeroRated';
  return [
    ...parts,
    {
      of: 'line',
      line: null,
      place,
      day,
      taxClass: 'standard',
      treatment,
      quantity: 0,
      discount,
      base,
      taxes,
    },
  ];
}

function saleEntries(order: OrderFacts, bill: AgreedBill): Entry[] {
  const parts = partEntries(order, taxedParts(order, bill), -1);
  const tip: Entry = { ...nothing, account: 'tips', part: 'tip', amount: -bill.tip };
  const owed: Entry = { ...nothing, account: 'receivable', amount: bill.total };
  const known = [...parts, tip, owed];
  return summed([...known, { ...nothing, account: 'suspense', amount: -total(known) }]);
}

/** What is left of a cancelled order's money: nobody waits for it any more. */
function keptEntries(order: OrderFacts, bill: AgreedBill): Entry[] {
  if (order.standing !== 'cancelled') return [];
  const received = order.payments.reduce((sum, payment) => sum + (isIn(payment) ? payment.amount : 0), 0);
  const back = order.refunds.reduce(
    (sum, refund) => sum + (isGiven(refund) || refund.isOwed ? refund.amount : 0),
    0,
  );
  const kept = Math.min(received - back, bill.total);
  if (kept <= 0) return [];
  const taxed = taxedParts(order, bill);
  const cents = [
    ...taxed.flatMap(({ base, taxes }) => [base, ...taxes.map(({ amount }) => amount)]),
    bill.tip,
  ];
  const shares = allocate(kept, cents);
  let at = 0;
  const next = () => shares[at++] ?? 0;
  const parts = taxed.flatMap((each): Entry[] => {
    const part = { ...partEntry(order, each), line: null, product: null, sku: null, category: null };
    const base = next();
    const taxes = each.taxes.map(
      ({ name, rate }): Entry => ({ ...part, account: 'tax', tax: name, rate, amount: -next(), base }),
    );
    return [{ ...part, account: 'kept', amount: -base }, ...taxes];
  });
  const tip: Entry = { ...nothing, account: 'kept', part: 'tip', amount: -next() };
  return summed([...parts, tip, { ...nothing, account: 'receivable', amount: -total([...parts, tip]) }]);
}

const isIn = ({ receivedAt, undoneAt }: PaymentFacts) => receivedAt !== null && undoneAt === null;
const isGiven = ({ state }: RefundFacts) => state !== 'refused';

/** What left the stock, or came back to it, at its cost: the books follow from movements, and no order says it. */
export function costEntries(costs: readonly Pick<StockCost, 'sku' | 'part' | 'units' | 'cents'>[]): Entry[] {
  return summed(
    costs.flatMap(({ sku, part, units, cents }): Entry[] => [
      { ...nothing, account: 'goods', part, sku, amount: cents, units },
      { ...nothing, account: 'inventory', part, sku, amount: 0 - cents, units: 0 - units },
    ]),
  );
}

/** Money, with the tip in it named apart, against what the buyer owes. */
function moneyEntries(way: string, { amount, tip }: { amount: number; tip: number }, sign: 1 | -1): Entry[] {
  const money = { ...nothing, account: 'money', way } as const;
  return summed([
    { ...money, amount: sign * (amount - tip) },
    { ...money, part: 'tip', amount: sign * tip },
    { ...nothing, account: 'receivable', amount: -sign * amount },
  ]);
}

/** What rounding to the smallest coin added to cash. */
const roundingEntries = (way: string, rounding: number): Entry[] => [
  { ...nothing, account: 'money', way, amount: rounding },
  { ...nothing, account: 'rounding', way, amount: 0 - rounding },
];

function paymentEvents({ payments }: OrderFacts, booked: Booked): NewEvent[] {
  return payments.flatMap((payment) => {
    const known = booked.get(payment.id);
    const before = known ?? [];
    const { id, way, rounding, receivedAt, undoneAt, actor } = payment;
    const received = summed([...moneyEntries(way, payment, 1), ...roundingEntries(way, rounding)]);
    const arrival = { kind: 'payment', at: receivedAt, actor } as const;
    if (isIn(payment)) return difference(id, before, received, arrival);
    if (receivedAt === null)
      return difference(id, before, [], { kind: 'paymentUndone', at: null, actor: null, tipTaker: actor });
    const undone = { kind: 'paymentUndone', at: undoneAt, actor: null, tipTaker: actor } as const;
    // One that had come and gone before the books began did both.
    const first = known ? [] : difference(id, [], received, arrival);
    return [...first, ...difference(id, known ?? received, [], undone)];
  });
}

type RefundMode = 'none' | 'money' | 'sale' | 'loss';

function refundEvents(order: OrderFacts, booked: Booked): NewEvent[] {
  if (order.refunds.length === 0) return [];
  const taxed = order.bill ? taxedParts(order, order.bill) : [];
  const given: TaxedPart[] = [];
  const done: ReturnType<typeof coversOf> = [];
  const shares = new Map<string, TaxedPart[]>();
  for (const group of writtenTogether(order.refunds)) {
    const parts = partsGiven(order, group, { taxed, given, done });
    given.push(...parts);
    done.push(...group.flatMap(coversOf));
    for (const [id, own] of divided(parts, group)) shares.set(id, own);
  }
  return order.refunds.flatMap((refund) => {
    const before = booked.get(refund.id) ?? [];
    const mode = modeOf(order, refund);
    const was = bookedMode(before);
    // Its parts were agreed when it was made.
    if (mode === was) return [];
    const { id, way, amount, tip, rounding, createdAt, updatedAt, isLostDispute } = refund;
    const parts = partEntries(order, shares.get(id) ?? [], 1);
    const tips: Entry = { ...nothing, account: 'tips', part: 'tip', amount: tip };
    const credit: Entry = { ...nothing, account: 'receivable', amount: -total([...parts, tips]) };
    const loss: Entry[] = [
      { ...nothing, account: 'disputes', amount },
      { ...nothing, account: 'receivable', amount: -amount },
    ];
    const money = summed([...moneyEntries(way, refund, -1), ...roundingEntries(way, -rounding)]);
    const entries: Record<RefundMode, Entry[]> = {
      none: [],
      money,
      sale: summed([...money, ...parts, tips, credit]),
      loss: summed([...money, ...loss]),
    };
    const made = isLostDispute ? 'dispute' : 'refund';
    const ended = isLostDispute ? 'disputeWon' : 'refundRefused';
    const first = was === 'none';
    const event = {
      kind: mode === 'none' ? ended : made,
      at: mode === 'none' ? updatedAt : first ? createdAt : null,
      actor: null,
      tipTaker: refund.taker,
    } as const;
    return difference(id, before, entries[mode], event);
  });
}

function modeOf({ standing }: OrderFacts, refund: RefundFacts): RefundMode {
  if (!isGiven(refund)) return 'none';
  if (refund.corrects || standing !== 'placed') return 'money';
  return refund.isLostDispute ? 'loss' : 'sale';
}

function bookedMode(entries: readonly Entry[]): RefundMode {
  if (entries.length === 0) return 'none';
  if (entries.some(({ account }) => account === 'disputes')) return 'loss';
  const ofMoney: readonly Account[] = ['money', 'receivable', 'rounding'];
  return entries.every(({ account }) => ofMoney.includes(account)) ? 'money' : 'sale';
}

/** The refunds that lower the sale. What covers lines, and comes from several payments, was written at one time: the first row says what. */
function writtenTogether(refunds: readonly RefundFacts[]): RefundFacts[][] {
  const groups = new Map<string, RefundFacts[]>();
  for (const refund of refunds) {
    if (!isGiven(refund) || refund.corrects || refund.isLostDispute) continue;
    const isTip = refund.tip === refund.amount;
    const key = isTip ? refund.id : `${refund.createdAt} ${refund.reason}`;
    groups.set(key, [...(groups.get(key) ?? []), refund]);
  }
  return [...groups.values()];
}

function partsGiven(
  { bill, lines }: OrderFacts,
  group: readonly RefundFacts[],
  { taxed, given, done }: { taxed: TaxedPart[]; given: TaxedPart[]; done: ReturnType<typeof coversOf> },
): TaxedPart[] {
  const goods = group.reduce((sum, { amount, tip }) => sum + amount - tip, 0);
  if (!bill || goods === 0) return [];
  const [covers] = group.flatMap(coversOf);
  if (!covers) return amountShares(taxed, given, goods);
  const shares = refundShares(bill, lines, done, covers);
  const worth = shares.reduce(
    (sum, { base, taxes }) => sum + base + taxes.reduce((all, { amount }) => all + amount, 0),
    0,
  );
  // The bill was changed since: its parts are others.
  return worth === goods ? shares : amountShares(taxed, given, goods);
}

/** Gives each refund as much of the parts as it gives back besides tips, one after the other. */
function divided(parts: readonly TaxedPart[], group: readonly RefundFacts[]): [string, TaxedPart[]][] {
  const [only, ...others] = group;
  if (!only) return [];
  if (others.length === 0) return [[only.id, [...parts]]];
  const left = parts.map((part) => ({ ...part, taxes: part.taxes.map((tax) => ({ ...tax })) }));
  return group.map((refund): [string, TaxedPart[]] => {
    let open = refund.amount - refund.tip;
    const take = (cents: number) => {
      const taken = Math.min(open, cents);
      open -= taken;
      return taken;
    };
    const own = left.map((part): TaxedPart => {
      const base = take(part.base);
      part.base -= base;
      const taxes = part.taxes.map((tax) => {
        const amount = take(tax.amount);
        tax.amount -= amount;
        return { ...tax, amount };
      });
      const { quantity, discount } = part;
      // Units and discount stand with the first.
      part.quantity = 0;
      part.discount = 0;
      return { ...part, quantity, discount, base, taxes };
    });
    return [refund.id, own];
  });
}
