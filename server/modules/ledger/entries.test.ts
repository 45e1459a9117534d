/** Worked examples: what each thing that happens to an order writes into the books. */
import { describe, expect, it } from 'vitest';
import type { AgreedBill, TaxedPart } from '#server/modules/orders/index.ts';
import { sampleBill } from '#tests/sample-bill.ts';
import {
  billSource,
  type Entry,
  eventsOf,
  type NewEvent,
  type OrderFacts,
  type PaymentFacts,
  type RefundFacts,
  summed,
} from './entries.ts';

const tax = (name: string, rate: number, amount: number) => ({
  name,
  label: `${name} ${rate / 1000}%`,
  rate,
  amount,
});

const part = (
  of: TaxedPart['of'],
  base: number,
  taxes: TaxedPart['taxes'],
  more: Partial<TaxedPart> = {},
): TaxedPart => ({
  of,
  line: of === 'line' ? 'pot' : null,
  place: 'CA-ON',
  day: '2026-10-05',
  taxClass: 'standard',
  treatment: 'taxable',
  quantity: of === 'line' ? 2 : 0,
  discount: 0,
  base,
  taxes,
  ...more,
});

function billOf(taxed: TaxedPart[], tip = 0): AgreedBill {
  const sum = (of: TaxedPart['of']) =>
    taxed.filter((each) => each.of === of).reduce((all, { base, discount }) => all + base + discount, 0);
  const discount = taxed.reduce((all, each) => all + each.discount, 0);
  const taxes = taxed.flatMap((each) => each.taxes);
  const all = taxes.reduce((total, { amount }) => total + amount, 0);
  const charge = sum('serviceCharge');
  return {
    ...sampleBill,
    subtotal: sum('line'),
    discount,
    shipping: sum('shipping'),
    tip,
    tax: all,
    taxed,
    shippingMethod: null,
    taxLines: [...Map.groupBy(taxes, ({ label }) => label)].map(([label, own]) => ({
      label,
      amount: own.reduce((total, { amount }) => total + amount, 0),
    })),
    ...(charge > 0 ? { serviceCharge: { nameContent: { en: 'Service' }, amount: charge, taxes: [] } } : {}),
    total: sum('line') - discount + sum('shipping') + charge + all + tip,
  };
}

/** Two pots at $50 in Ontario, and $10 shipping: 13 % of both. */
const pots = billOf([
  part('line', 10_000, [tax('HST', 13_000, 1300)]),
  part('shipping', 1000, [tax('HST', 13_000, 130)]),
]);
const pot = {
  id: 'pot',
  sku: 'POT',
  product: 'teapot',
  category: 'teapots',
  taxClass: 'standard',
  quantity: 2,
  unitPrice: 5000,
};

const order: OrderFacts = {
  id: 'o',
  standing: 'placed',
  store: null,
  currency: 'CAD',
  placedAt: 1000,
  endedAt: null,
  place: 'CA-ON',
  day: '',
  bill: pots,
  lines: [pot],
  payments: [],
  refunds: [],
};

const paid = (amount: number, more: Partial<PaymentFacts> = {}): PaymentFacts => ({
  id: 'p',
  way: 'Stripe',
  amount,
  tip: 0,
  rounding: 0,
  receivedAt: 2000,
  undoneAt: null,
  actor: null,
  ...more,
});

const back = (amount: number, more: Partial<RefundFacts> = {}): RefundFacts => ({
  id: 'r',
  taker: null,
  way: 'Stripe',
  amount,
  tip: 0,
  rounding: 0,
  corrects: false,
  covers: null,
  reason: '',
  state: 'done',
  isOwed: false,
  isLostDispute: false,
  createdAt: 3000,
  updatedAt: 3000,
  ...more,
});

/** The events of one state of an order after another, and what is booked in the end. */
function play(...states: OrderFacts[]): { events: NewEvent[][]; booked: Map<string, Entry[]> } {
  const booked = new Map<string, Entry[]>();
  const events = states.map((state) => {
    const fresh = eventsOf(state, booked);
    for (const { source, entries } of fresh) booked.set(source, summed(booked.get(source) ?? [], entries));
    return fresh;
  });
  for (const { entries } of events.flat())
    expect(entries.reduce((sum, { amount }) => sum + amount, 0)).toBe(0);
  return { events, booked };
}

/** `sales POT -10000`, `tax HST 13% on 10000 -1300`. */
const shown = (entries: readonly Entry[] = []) =>
  entries.map(({ account, tax: name, rate, base, way, sku, part: of, amount }) =>
    [
      account,
      sku ?? (of === 'line' ? '' : of),
      way,
      ...(name ? [`${name} ${rate / 1000}% on ${base}`] : []),
      amount,
    ]
      .filter((word) => word !== '')
      .join(' '),
  );

const last = (...states: OrderFacts[]) =>
  play(...states)
    .events.at(-1)
    ?.map(({ kind, at, entries }) => ({ kind, at, entries: shown(entries) }));

/** What the books hold in the end, by account. */
function balances(...states: OrderFacts[]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const { account, amount } of [...play(...states).booked.values()].flat())
    sums[account] = (sums[account] ?? 0) + amount;
  return Object.fromEntries(Object.entries(sums).filter(([, amount]) => amount !== 0));
}

describe('entries of the books', () => {
  it('an order that is placed is a sale: goods, shipping, each tax on its base, and what the buyer owes', () => {
    expect(last(order)).toEqual([
      {
        kind: 'sale',
        at: 1000,
        entries: [
          'sales POT -10000',
          'tax POT HST 13% on 10000 -1300',
          'shipping shipping -1000',
          'tax shipping HST 13% on 1000 -130',
          'receivable 12430',
        ],
      },
    ]);
  });

  it('a discount stands apart from the goods that it is on, and their tax is on the rest', () => {
    const bill = billOf([part('line', 9000, [tax('HST', 13_000, 1170)], { discount: 1000 })]);
    expect(last({ ...order, bill })?.[0]?.entries).toEqual([
      'sales POT -10000',
      'discounts POT 1000',
      'tax POT HST 13% on 9000 -1170',
      'receivable 10170',
    ]);
  });

  it('a tip is owed to the staff, and a service charge is earned', () => {
    const bill = billOf([part('line', 2000, []), part('serviceCharge', 360, [tax('HST', 13_000, 47)])], 300);
    expect(last({ ...order, bill })?.[0]?.entries).toEqual([
      'sales POT -2000',
      'service serviceCharge -360',
      'tax serviceCharge HST 13% on 360 -47',
      'tips tip -300',
      'receivable 2707',
    ]);
  });

  it('a payment moves money against what the buyer owes, with the tip in it apart', () => {
    expect(last(order, { ...order, payments: [paid(12_430, { tip: 430 })] })).toEqual([
      {
        kind: 'payment',
        at: 2000,
        entries: ['money Stripe 12000', 'money tip Stripe 430', 'receivable -12430'],
      },
    ]);
  });

  it('cash that is rounded to the smallest coin pays all of the bill, and the difference is an account of its own', () => {
    const bill = billOf([part('line', 1002, [])]);
    const cash = paid(1002, { way: 'cash', rounding: -2 });
    expect(last({ ...order, bill, payments: [cash] })?.[1]?.entries).toEqual([
      'money cash 1000',
      'receivable -1002',
      'rounding cash 2',
    ]);
  });

  it('cash goes back in coins, and the difference is an account of its own', () => {
    const bill = billOf([part('line', 1002, [])]);
    const taken = { ...order, bill, payments: [paid(1002, { way: 'cash', rounding: -2 })] };
    const given = { ...taken, refunds: [back(1002, { way: 'cash', rounding: -2 })] };
    expect(last(taken, given)?.[0]?.entries).toEqual(
      expect.arrayContaining(['money cash -1000', 'rounding cash -2', 'sales POT 1002']),
    );
    expect(balances(taken, given)).toEqual({});
  });

  it('a tip that is undone or goes back counts against whoever took it', () => {
    const tipped = paid(12_430, { tip: 430, actor: 'staff:li' });
    const taken = { ...order, payments: [tipped] };
    const given = { ...taken, refunds: [back(430, { tip: 430, taker: 'staff:li' })] };
    expect(play(taken, given).events.at(-1)?.[0]).toMatchObject({
      kind: 'refund',
      actor: null,
      tipTaker: 'staff:li',
    });
    const undone = { ...taken, payments: [{ ...tipped, undoneAt: 9000 }] };
    expect(play(taken, undone).events.at(-1)?.[0]).toMatchObject({
      kind: 'paymentUndone',
      actor: null,
      tipTaker: 'staff:li',
    });
  });

  it('cash that was recorded by mistake is undone when that is noticed, and its day keeps it', () => {
    const taken = { ...order, payments: [paid(12_430, { way: 'cash' })] };
    const undone = { ...order, payments: [paid(12_430, { way: 'cash', undoneAt: 9000 })] };
    expect(last(order, taken, undone)).toEqual([
      { kind: 'paymentUndone', at: 9000, entries: ['money cash -12430', 'receivable 12430'] },
    ]);
    expect(play(order, taken, undone, undone).events.at(-1)).toEqual([]);
  });

  it('an order that is changed writes only the difference, when it is changed', () => {
    const more = billOf([
      part('line', 15_000, [tax('HST', 13_000, 1950)], { quantity: 3 }),
      part('shipping', 1000, [tax('HST', 13_000, 130)]),
    ]);
    expect(last(order, { ...order, bill: more })).toEqual([
      {
        kind: 'change',
        at: null,
        entries: ['sales POT -5000', 'tax POT HST 13% on 5000 -650', 'receivable 5650'],
      },
    ]);
  });

  it('a rate that changed meanwhile takes the old tax back and writes the new one', () => {
    const fresh = billOf([
      part('line', 10_000, [tax('HST', 14_000, 1400)]),
      part('shipping', 1000, [tax('HST', 13_000, 130)]),
    ]);
    expect(last(order, { ...order, bill: fresh })?.[0]?.entries).toEqual([
      'tax POT HST 14% on 10000 -1400',
      'receivable 100',
      'tax POT HST 13% on -10000 1300',
    ]);
  });

  it('a cancelled order is taken off the sales when it is cancelled, and its refund lowers no sale again', () => {
    const sold = { ...order, payments: [paid(12_430)] };
    const over = { ...sold, standing: 'cancelled' as const, refunds: [back(12_430)] };
    expect(last(order, sold, over)?.map(({ kind }) => kind)).toEqual(['cancellation', 'refund']);
    expect(balances(order, sold, over)).toEqual({});
  });

  it('money that is kept of a cancelled order has its taxes inside: 182 of the Excise Tax Act', () => {
    const sold = { ...order, payments: [paid(12_430)] };
    const over = { ...sold, standing: 'cancelled' as const, refunds: [back(11_300)] };
    // 1130 kept: 1000 and its 130.
    expect(balances(sold, over)).toEqual({ kept: -1000, tax: -130, money: 1130 });
  });

  it('money of a cancelled order that a provider refused to return is owed, not kept', () => {
    const sold = { ...order, payments: [paid(12_430)] };
    const over = {
      ...sold,
      standing: 'cancelled' as const,
      refunds: [back(12_430, { state: 'refused', isOwed: true })],
    };
    expect(balances(sold, over)).toEqual({ receivable: -12_430, money: 12_430 });
  });

  it('an order that nobody came for leaves nothing', () => {
    expect(balances(order, { ...order, standing: 'lapsed' })).toEqual({});
    expect(last(order, { ...order, standing: 'lapsed' })?.[0]?.kind).toBe('lapse');
  });

  it('a refund of a unit gives back its own tax', () => {
    const sold = { ...order, payments: [paid(12_430)] };
    const covers = { lines: [{ line: 'pot', quantity: 1 }] };
    expect(last(sold, { ...sold, refunds: [back(5650, { covers })] })).toEqual([
      {
        kind: 'refund',
        at: 3000,
        entries: ['money Stripe -5650', 'sales POT 5000', 'tax POT HST 13% on -5000 650'],
      },
    ]);
  });

  it('a refund of an amount gives back a share of each part and its tax', () => {
    const sold = { ...order, payments: [paid(12_430)] };
    expect(balances(sold, { ...sold, refunds: [back(1243)] })).toEqual({
      sales: -9000,
      tax: -1287,
      shipping: -900,
      money: 11_187,
    });
  });

  it('a refund that corrects what was paid moves money only, as the difference of a changed order does', () => {
    const sold = { ...order, payments: [paid(12_430)] };
    expect(last(sold, { ...sold, refunds: [back(1000, { corrects: true })] })).toEqual([
      { kind: 'refund', at: 3000, entries: ['money Stripe -1000', 'receivable 1000'] },
    ]);
  });

  it('a refund of lines from two payments gives back each tax once', () => {
    const sold = { ...order, payments: [paid(5000), paid(7430, { id: 'q', way: 'cash' })] };
    const covers = { lines: [{ line: 'pot', quantity: 2 }], shipping: true };
    const refunds = [back(7430, { way: 'cash', covers }), back(5000, { id: 's' })];
    expect(balances(sold, { ...sold, refunds })).toEqual({});
  });

  it('a refund that its provider refuses is taken back, and one that follows it is a new one', () => {
    const sold = { ...order, payments: [paid(12_430)] };
    const due = { ...sold, refunds: [back(1243, { state: 'due' })] };
    const refused = { ...sold, refunds: [back(1243, { state: 'refused', updatedAt: 5000 })] };
    expect(last(sold, due, refused)?.map(({ kind, at }) => ({ kind, at }))).toEqual([
      { kind: 'refundRefused', at: 5000 },
    ]);
    expect(balances(sold, due, refused)).toEqual(balances(sold));
  });

  it('the parts of a refund stay as they were agreed when the order is changed later', () => {
    const sold = { ...order, payments: [paid(12_430)] };
    const given = { ...sold, refunds: [back(1243)] };
    const bill = billOf([part('line', 5000, [tax('HST', 13_000, 650)], { quantity: 1 })]);
    expect(
      play(sold, given, { ...given, bill })
        .events.at(-1)
        ?.map(({ source }) => source),
    ).toEqual([billSource]);
  });

  it('a lost dispute is a loss, and the sale stands; a won one takes it back', () => {
    const sold = { ...order, payments: [paid(12_430)] };
    const lost = { ...sold, refunds: [back(12_430, { isLostDispute: true })] };
    expect(balances(sold, lost)).toEqual({ sales: -10_000, shipping: -1000, tax: -1430, disputes: 12_430 });
    const won = { ...sold, refunds: [back(12_430, { isLostDispute: true, state: 'refused' })] };
    expect(balances(sold, lost, won)).toEqual(balances(sold));
  });

  it('a payment that arrived too late is owed to its buyer until it is back', () => {
    const late = { ...order, standing: 'none' as const, placedAt: null, payments: [paid(12_430)] };
    expect(balances(late)).toEqual({ receivable: -12_430, money: 12_430 });
    expect(balances(late, { ...late, refunds: [back(12_430, { corrects: true })] })).toEqual({});
  });

  it('an order that had ended before there were books is booked with its past', () => {
    const ended = {
      ...order,
      standing: 'cancelled' as const,
      endedAt: 4000,
      payments: [paid(12_430)],
      refunds: [back(12_430)],
    };
    expect(last(ended)?.map(({ kind, at }) => [kind, at])).toEqual([
      ['sale', 1000],
      ['cancellation', 4000],
      ['payment', 2000],
      ['refund', 3000],
    ]);
    expect(balances(ended)).toEqual({});
  });

  it('a bill without lines is sold and given back as one part', () => {
    const { taxed: _, ...untold } = pots;
    const bill = {
      ...untold,
      shipping: 0,
      taxLines: [{ label: 'HST 13%', amount: 1300 }],
      tax: 1300,
      total: 11_300,
    };
    const bare = { ...order, bill, lines: [], payments: [paid(11_300)] };
    expect(balances(bare)).toEqual({ sales: -10_000, tax: -1300, money: 11_300 });
    expect(balances(bare, { ...bare, refunds: [back(1130)] })).toEqual({
      sales: -9000,
      tax: -1170,
      money: 10_170,
    });
  });

  it('a bill that does not add up is booked, and the difference is named', () => {
    expect(balances({ ...order, bill: { ...pots, total: 12_431 } }).suspense).toBe(-1);
  });
});
