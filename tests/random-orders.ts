/** Random orders and what becomes of them, for tests of the books. */
import type { OrderFacts, PaymentFacts, RefundFacts } from '#server/modules/ledger/entries.ts';
import type { AgreedBill, TaxedPart } from '#server/modules/orders/index.ts';
import { sampleBill } from './sample-bill.ts';

/** A generator of whole numbers that a seed repeats (mulberry32). */
export function randomOf(seed: number) {
  let state = seed >>> 0;
  return (most: number): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * most);
  };
}
export type Random = ReturnType<typeof randomOf>;

const places = [
  ['CA-ON', [['HST', 13_000]]],
  [
    'CA-QC',
    [
      ['GST', 5_000],
      ['QST', 9_975],
    ],
  ],
  [
    'CA-BC',
    [
      ['GST', 5_000],
      ['PST', 7_000],
    ],
  ],
  ['US', []],
] as const;

/** A bill of some lines, with what a table or a parcel adds. Smallest units. */
function randomBill(random: Random, lines: readonly string[]): AgreedBill {
  const [place, rates] = places[random(places.length)] ?? places[0];
  const part = (of: TaxedPart['of'], line: string | null): TaxedPart => {
    const base = random(20_000);
    const discount = random(3) === 0 ? random(500) : 0;
    const isTaxed = rates.length > 0 && random(4) > 0;
    const taxes = isTaxed
      ? rates.map(([name, rate]) => ({
          name,
          label: `${name} ${rate / 1000}%`,
          rate,
          amount: Math.round((base * rate) / 100_000),
        }))
      : [];
    const treatment = isTaxed ? 'taxable' : place === 'US' ? 'export' : 'zeroRated';
    return {
      of,
      line,
      place,
      day: '2026-10-05',
      taxClass: 'standard',
      treatment,
      quantity: line === null ? 0 : 1 + random(5),
      discount: line === null ? 0 : discount,
      base,
      taxes,
    };
  };
  const taxed = [
    ...lines.map((line) => part('line', line)),
    ...(random(2) === 0 ? [part('shipping', null)] : []),
    ...(random(4) === 0 ? [part('serviceCharge', null)] : []),
  ];
  const sum = (of: TaxedPart['of']) =>
    taxed.reduce((all, each) => (each.of === of ? all + each.base + each.discount : all), 0);
  const discount = taxed.reduce((all, each) => all + each.discount, 0);
  const labels = [
    ...Map.groupBy(
      taxed.flatMap(({ taxes }) => taxes),
      ({ label }) => label,
    ),
  ];
  const taxLines = labels.map(([label, own]) => ({
    label,
    amount: own.reduce((all, { amount }) => all + amount, 0),
  }));
  const tax = taxLines.reduce((all, { amount }) => all + amount, 0);
  const tip = random(3) === 0 ? random(900) : 0;
  const [subtotal, shipping, charge] = [sum('line'), sum('shipping'), sum('serviceCharge')];
  return {
    ...sampleBill,
    subtotal,
    discount,
    shipping,
    tip,
    tax,
    taxLines,
    taxed,
    shippingMethod: null,
    ...(charge > 0 ? { serviceCharge: { nameContent: { en: 'Service' }, amount: charge, taxes: [] } } : {}),
    total: subtotal - discount + shipping + charge + tax + tip,
  };
}

/** An order that nobody has placed yet, of one to three lines. */
export function newOrder(random: Random, id: string): OrderFacts {
  const lines = ['a', 'b', 'c'].slice(0, 1 + random(3)).map((line) => `${id}-${line}`);
  return {
    id,
    standing: 'none',
    store: null,
    currency: 'CAD',
    placedAt: null,
    endedAt: null,
    place: 'CA-ON',
    day: '2026-10-05',
    bill: randomBill(random, lines),
    lines: lines.map((line) => ({
      id: line,
      sku: line,
      product: line,
      category: null,
      taxClass: 'standard',
      quantity: 1,
      unitPrice: 100,
    })),
    payments: [],
    refunds: [],
  };
}

/** What an order becomes next, as the shop lets it: it is placed, changed, ended, paid, undone, given back, refused, disputed. */
export function nextOf(random: Random, order: OrderFacts, at: number): OrderFacts {
  const isIn = ({ receivedAt, undoneAt }: PaymentFacts) => receivedAt !== null && undoneAt === null;
  const given = order.refunds.reduce(
    (sum, { state, amount, rounding }) => (state === 'refused' ? sum : sum + amount + rounding),
    0,
  );
  const received = order.payments.reduce((sum, each) => (isIn(each) ? sum + each.amount : sum), 0);
  const lines = order.lines.map(({ id }) => id);
  switch (random(8)) {
    case 0:
      if (order.standing === 'none') return { ...order, standing: 'placed', placedAt: order.placedAt ?? at };
      return order.standing === 'placed' ? { ...order, bill: randomBill(random, lines) } : order;
    case 1:
      return order.standing === 'placed' && random(3) === 0
        ? { ...order, standing: random(2) === 0 ? 'cancelled' : 'lapsed', endedAt: at }
        : order;
    case 2:
    case 3: {
      const amount = 1 + random(order.bill?.total ?? 5000);
      const payment: PaymentFacts = {
        id: `${order.id}-p${at}`,
        way: ['cash', 'terminal', 'Stripe'][random(3)] ?? 'cash',
        amount,
        tip: random(4) === 0 ? random(amount) : 0,
        rounding: random(4) === 0 ? random(5) - 2 : 0,
        receivedAt: at,
        undoneAt: null,
        actor: null,
      };
      return { ...order, payments: [...order.payments, payment] };
    }
    case 4: {
      const open = order.payments.filter(isIn);
      const undone = open[random(open.length || 1)];
      if (!undone || given > received - undone.amount) return order;
      return {
        ...order,
        payments: order.payments.map((each) => (each === undone ? { ...each, undoneAt: at } : each)),
      };
    }
    case 5:
    case 6: {
      const left = Math.min(
        received - given,
        order.standing === 'placed' ? (order.bill?.total ?? 0) - given : received - given,
      );
      if (left <= 0) return order;
      const amount = 1 + random(left);
      const refund: RefundFacts = {
        id: `${order.id}-r${at}`,
        taker: null,
        way: 'Stripe',
        amount,
        tip: 0,
        rounding: random(4) === 0 ? random(5) - 2 : 0,
        corrects: random(4) === 0,
        covers: null,
        reason: `reason ${at}`,
        state: 'done',
        isOwed: false,
        isLostDispute: random(6) === 0,
        createdAt: at,
        updatedAt: at,
      };
      return { ...order, refunds: [...order.refunds, refund] };
    }
    default: {
      const made = order.refunds.filter(({ state }) => state !== 'refused');
      const refused = made[random(made.length || 1)];
      if (!refused) return order;
      const refunds = order.refunds.map((each) =>
        each === refused ? { ...each, state: 'refused', updatedAt: at } : each,
      );
      return { ...order, refunds };
    }
  }
}
