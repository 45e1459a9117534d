/** Every place that shows what a line or an order costs says the same cents, over random orders with modifiers and sets. */
import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { formatMoney } from '#contract/formatters.ts';
import { chooseModifiers, defaultSelections, type Selection } from '#contract/rules/modifiers.ts';
import type { Order } from '#contract/schemas/order.ts';
import type { StoredGroup } from '#server/modules/catalogue/index.ts';
import { shownGroups } from '#server/modules/catalogue/modifiers/modifier-groups.ts';
import { allocate, mulDivHalfUp } from '#server/modules/pricing/cents.ts';
import { foodCharges } from '#server/modules/pricing/food-tax/food-tax.ts';
import { type CouponStatus, foodRules, linePartsOf, priceOrder } from '#server/modules/pricing/index.ts';
import type { OrderToPrice } from '#server/modules/pricing/price-order.ts';
import { plainCoupon } from '#tests/coupons.ts';
import { repeats } from '#tests/long.ts';
import { plainGroup, plainModifier } from '#tests/modifiers.ts';
import { createTestApp } from '#tests/test-app.ts';
import { receipt } from '../emails/order-parts.ts';
import { billOf } from './billing.ts';
import { chosenLine, pricedLine, type TakenSku } from './line-units.ts';
import type { OrderHead, OrderLine } from './order.ts';
import { agreedColumns } from './order-lines.repository.ts';
import { viewOrder } from './order-presenter.ts';
import type { OrderSettings } from './order-settings.ts';

/** Drawn anew each time; more in `npm run test:all`. */
const runs = repeats(1000, 10_000);
const sum = (amounts: readonly number[]) => amounts.reduce((total, each) => total + each, 0);
const taxClass = fc.constantFrom(
  'standard',
  'prepared-food',
  'zero-rated-grocery',
  'sweetened-baked-goods',
  'dispensed-beverage',
);
const cents = fc.oneof(fc.constantFrom(0, 1, 99, 100), fc.integer({ min: 0, max: 5000 }));

/** Products that sets are made of. */
const skus = new Map<string, TakenSku>([
  ['TEA', { price: 599, taxClass: 'dispensed-beverage', singleServings: 1 }],
  ['CAKE', { price: 450, taxClass: 'sweetened-baked-goods', singleServings: 2 }],
  ['TIN', { price: 1, taxClass: 'zero-rated-grocery', singleServings: 1 }],
  ['GIFT', { price: 0, taxClass: 'standard', singleServings: 1 }],
]);

/** Three groups: one of a set or not, one with quantities and free choices, and one that the first opens. */
const groups: fc.Arbitrary<StoredGroup[]> = fc
  .record({
    setParts: fc.boolean(),
    prices: fc.array(cents, { minLength: 8, maxLength: 8 }),
    classes: fc.array(fc.option(taxClass), { minLength: 8, maxLength: 8 }),
    free: fc.integer({ min: 0, max: 2 }),
    chosen: fc.array(fc.boolean(), { minLength: 4, maxLength: 4 }),
  })
  .map(({ setParts, prices, classes, free, chosen }) => {
    const modifier = (id: string, n: number, changes: object = {}) => ({
      ...plainModifier(id, { taxClass: setParts && n < 4 ? null : (classes[n] ?? null), ...changes }),
      nameContent: { en: id },
      price: prices[n] ?? 0,
      prices: n === 5 ? [{ optionPair: '#Size:Large', price: (prices[n] ?? 0) + 7 }] : [],
      defaultQuantity: n < 4 && chosen[n] ? 1 : 0,
      soldOutAt: [],
    });
    const group = (id: string, changes: object, modifiers: ReturnType<typeof modifier>[]) => ({
      ...plainGroup(id, []),
      nameContent: { en: id },
      textContent: null,
      opened: false,
      ...changes,
      modifiers,
    });
    const sku = (name: string) => (setParts ? { sku: name, opens: ['c'] } : { opens: ['c'] });
    return [
      group(
        'a',
        { setParts, quantities: true, max: 12 },
        [...skus.keys()].map((name, n) => modifier(name.toLowerCase(), n, sku(name))),
      ),
      group('b', { quantities: true, free, max: 9 }, [modifier('pearls', 4), modifier('jelly', 5)]),
      group('c', { opened: true, quantities: true, max: 3 }, [modifier('sugar', 6), modifier('oat', 7)]),
    ];
  });

const quantity = fc.integer({ min: 1, max: 3 });
const inner: fc.Arbitrary<Selection[]> = fc
  .uniqueArray(fc.constantFrom('sugar', 'oat'), { maxLength: 2 })
  .map((ids) => ids.map((modifier) => ({ group: 'c', modifier })));
const selections: fc.Arbitrary<Selection[]> = fc
  .tuple(
    fc.uniqueArray(fc.tuple(fc.constantFrom('tea', 'cake', 'tin', 'gift'), inner, quantity), {
      selector: ([id]) => id,
      maxLength: 4,
    }),
    fc.uniqueArray(fc.tuple(fc.constantFrom('pearls', 'jelly'), quantity), {
      selector: ([id]) => id,
      maxLength: 2,
    }),
  )
  .map(([first, second]) => [
    ...first.map(([modifier, modifiers, count]) => ({ group: 'a', modifier, modifiers, quantity: count })),
    ...second.map(([modifier, count]) => ({ group: 'b', modifier, quantity: count })),
  ]);

const ordered = fc.record({
  quantity: fc.oneof(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 98 })),
  price: cents,
  taxClass,
  singleServings: fc.integer({ min: 1, max: 6 }),
  optionPairs: fc.constantFrom('', '#Size:Large'),
  groups: fc.option(groups),
  /** Null: the defaults. */
  selections: fc.option(selections),
});
type Ordered = typeof ordered extends fc.Arbitrary<infer O> ? O : never;

const discount: fc.Arbitrary<CouponStatus | null> = fc
  .option(
    fc.oneof(
      fc
        .integer({ min: 0, max: 100_000 })
        .map((percent) => ({ ...plainCoupon, kind: 'percent' as const, percent })),
      fc
        .integer({ min: 1, max: 20_000 })
        .map((amount) => ({ ...plainCoupon, kind: 'amount' as const, amount })),
    ),
  )
  .map(
    (coupon) => coupon && ({ code: 'C', coupon: { ...coupon, code: 'C' }, state: 'applied' } as CouponStatus),
  );

const blank: OrderLine = {
  id: '',
  identity: '',
  sku: 'X',
  productId: 'x',
  category: null,
  quantity: 1,
  name: { en: 'X' },
  brand: null,
  optionPairs: '',
  optionText: { en: '' },
  modifiers: [],
  choice: null,
  note: '',
  unitPrice: 0,
  listPrice: null,
  taxClass: 'standard',
  singleServings: 1,
  parts: [],
  image: null,
  inStoreOnly: false,
  offered: true,
};

/** The line of a cart, as the repository makes it. */
function lineOf({ price, groups: own, selections: chosen, ...line }: Ordered, index: number): OrderLine {
  const place = { storeId: null, soldOut: new Map() };
  const fresh = { ...blank, ...line, id: `line-${index}`, unitPrice: price, quantity: 0 };
  const wish = { place, ...(chosen ? { modifiers: chosen } : {}) };
  const made = chosenLine(fresh, own ?? [], { modifiers: [], note: '' }, own ? wish : undefined);
  return { ...pricedLine(made.line, made.chosen, skus), quantity: line.quantity };
}

let settings: OrderSettings;
const table = () => settings.taxesOn(settings.today(null));
let head: OrderHead;
beforeAll(async () => {
  const testApp = await createTestApp({ engine: 'sqlite', demo: true });
  settings = await testApp.container.orders.settings();
  const session = testApp.shopper();
  const { orderID } = await testApp.call('updateCustomerComment', { session, body: { value: 'x' } });
  const found = await testApp.container.orders.findById(testApp.db.read, orderID ?? '');
  if (!found) throw new Error('There is no cart');
  head = found;
});

it('the sheet, the cart, the bill, the order, its mail and its refunds have the same cents', () => {
  const shop = {
    name: '',
    contactEmail: '',
    publicUrl: null,
    demonstration: null,
    mark: null,
    texts: {},
    colours: {} as never,
  };
  const clock = { locale: 'en' as const, timeZone: 'UTC' };
  const tip = fc.oneof(
    fc.integer({ min: 0, max: 10_000 }).map((tipBasisPoints) => ({ tipBasisPoints, tipCents: null })),
    fc.integer({ min: 1, max: 5000 }).map((tipCents) => ({ tipBasisPoints: 0, tipCents })),
  );
  const orders = fc.record({
    lines: fc.array(ordered, { minLength: 1, maxLength: 4 }),
    method: fc.constantFrom('pickup' as const, 'instore' as const),
    discount,
    tip,
    refunds: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 3 }),
  });
  const rules = (order: typeof orders extends fc.Arbitrary<infer O> ? O : never) => {
    const lines = order.lines.map(lineOf);
    // What the browser shows before it is added: of the groups as the product answers with them.
    order.lines.forEach(({ price, groups: own, selections: chosen, optionPairs }, index) => {
      const product = { groups: shownGroups(own ?? [], new Map()), optionPairs, storeId: null };
      const shown = own ? chooseModifiers(product, chosen ?? defaultSelections(product), 'en').price : 0;
      expect(lines[index]?.unitPrice).toBe(price + shown);
    });
    for (const { unitPrice, parts } of lines)
      if (parts.length > 0) expect(sum(parts.map(({ price }) => price))).toBe(unitPrice);

    const cartHead = { ...head, method: order.method, storeId: settings.stores[0]?.id ?? null, ...order.tip };
    const known = {
      stock: new Map(),
      images: new Map(),
      coupon: order.discount,
      money: { payment: null },
      now: 0,
    };
    const cart = viewOrder({ ...known, head: cartHead, lines }, settings, 'en');
    const { bill, shippingMethod } = billOf(cartHead, lines, settings, order.discount, 'en');
    expect(cart.bill).toEqual(bill);
    expect(sum(cart.lineItems.map(({ lineTotal }) => lineTotal))).toBe(bill.subtotal);
    const { subtotal, shipping, tax, tip: tips, total } = bill;
    expect(subtotal - bill.discount + shipping + (bill.serviceCharge?.amount ?? 0) + tax + tips).toBe(total);
    const taxes = [...(bill.lineTaxes ?? []), ...(bill.serviceCharge ? [bill.serviceCharge] : [])];
    expect(sum(taxes.flatMap((each) => each.taxes.map(({ amount }) => amount)))).toBe(tax);

    // Placed: what is stored, read back.
    const frozen = lines.map((line) => {
      const columns = agreedColumns(line);
      const modifiers = JSON.parse(columns.modifiers ?? '[]');
      return { ...line, choice: null, parts: [], modifiers, unitPrice: columns.unit_price_cents };
    });
    const agreed = JSON.parse(JSON.stringify({ ...bill, shippingMethod: shippingMethod?.id ?? null }));
    const refunds = refundsOf(total, order.refunds);
    const view = viewOrder(
      { ...known, head: { ...cartHead, state: 'placed', bill: agreed }, lines: frozen },
      settings,
      'en',
    );
    const paid = total - sum(refunds.map(({ amount }) => amount));
    const placed: Order = { ...view, refunds, paid, due: 0 };
    expect(placed.bill).toEqual(bill);
    const amounts = ({ lineItems }: Order) =>
      lineItems.map(({ unitPrice, lineTotal, modifiers }) => [unitPrice, lineTotal, modifiers]);
    expect(amounts(placed)).toEqual(amounts(cart));

    const money = (amount: number) => formatMoney(amount, 'en', bill.currency);
    const rows = receipt(placed, clock, shop).flatMap((part) => (part.kind === 'rows' ? part.rows : []));
    expect(rows.slice(0, lines.length).map(({ amount }) => amount)).toEqual(
      placed.lineItems.map(({ lineTotal }) => money(lineTotal)),
    );
    expect(rows.find(({ label }) => label === 'Total')?.amount).toBe(money(total));
    if (paid !== total)
      expect(rows.find(({ label }) => label === 'Total after refund')?.amount).toBe(money(paid));
  };
  fc.assert(fc.property(orders, rules), { numRuns: runs });
});

/** Refunds of shares of what is left of a payment. */
function refundsOf(total: number, shares: readonly number[]): NonNullable<Order['refunds']> {
  let left = total;
  return shares.map((share) => {
    const amount = Math.floor(left * share);
    left -= amount;
    return { amount, tip: 0, done: true, at: 0 };
  });
}

it('a bill whose lines have one part is what it was before lines had parts', () => {
  const lines = fc.array(
    fc.record({
      quantity: fc.integer({ min: 1, max: 98 }),
      price: cents,
      taxClass,
      singleServings: quantity,
    }),
    {
      maxLength: 8,
    },
  );
  const off = fc.option(
    fc.oneof(
      fc.record({
        code: fc.constant('P'),
        kind: fc.constant('percent' as const),
        percent: fc.integer({ min: 0, max: 100_000 }),
      }),
      fc.record({
        code: fc.constant('A'),
        kind: fc.constant('amount' as const),
        cents: fc.integer({ min: 0, max: 100_000 }),
      }),
    ),
  );
  const provinces = fc.constantFrom('ON', 'QC', 'AB', 'BC', 'NS', 'YT');
  const rules = (
    ordered: typeof lines extends fc.Arbitrary<infer L> ? L : never,
    off_: OrderToPrice['discount'],
    provinceCode: string,
  ) => {
    const whole = ordered.map(({ price, ...line }) => ({ sku: 'x', unitPrice: price, ...line }));
    const destination = { countryISOCode: 'CA', provinceCode };
    const order = { discount: off_, shipping: null, destination, tip: { cents: 0 } };
    const parted = whole.map((line) => ({
      ...line,
      parts: linePartsOf({ ...line, price: line.unitPrice }, []),
    }));
    const plain = plainBill(whole, off_, provinceCode);
    for (const each of [whole, parted])
      expect(priceOrder({ ...order, lines: each }, table())).toMatchObject(plain);
  };
  fc.assert(fc.property(lines, off, provinces, rules), { numRuns: runs });
});

/** How lines of one part were priced: taxed one by one, after their share of the discount. */
function plainBill(
  lines: { unitPrice: number; quantity: number; taxClass: string; singleServings: number }[],
  off: OrderToPrice['discount'],
  provinceCode: string,
) {
  const totals = lines.map(({ unitPrice, quantity: count }) => unitPrice * count);
  const subtotal = sum(totals);
  const shares =
    off?.kind === 'percent'
      ? totals.map((total) => Math.min(total, mulDivHalfUp(total, off.percent, 100_000)))
      : allocate(off?.kind === 'amount' ? Math.min(subtotal, off.cents) : 0, totals);
  const items = lines.map((line, index) => ({
    ...line,
    amount: (totals[index] ?? 0) - (shares[index] ?? 0),
  }));
  const takenOut = { eatenIn: false, eatingEstablishment: false };
  const rules = foodRules.get('CA');
  if (!rules) throw new Error('Food has rules in Canada');
  const general = table().get(provinceCode) ?? [];
  const federal = general.some(({ kind }) => kind === 'hst')
    ? [rules.federal]
    : general.filter(({ kind }) => kind === 'gst');
  const rates = { nothing: [], federal, rebated: federal, everything: general };
  const charges = foodCharges(items, provinceCode, takenOut, rules);
  const taxes = items.map(({ amount, taxClass: each }, index) =>
    (each === 'zero-rated-grocery' ? [] : rates[charges[index] ?? 'everything']).map(({ label, rate }) => ({
      label,
      amount: mulDivHalfUp(amount, rate, 100_000),
    })),
  );
  const tax = sum(taxes.flat().map(({ amount }) => amount));
  return {
    subtotal,
    discount: sum(shares),
    tax,
    total: subtotal - sum(shares) + tax,
    lines: lines.map((_, index) => ({
      lineTotal: totals[index],
      discount: shares[index],
      taxes: (taxes[index] ?? []).filter(({ amount }) => amount > 0),
    })),
  };
}
