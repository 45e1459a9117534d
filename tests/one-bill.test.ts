/**
 * One bill, many places: shops, carts, addresses and moments are drawn at random, and every place that names a price or makes a promise
 * is compared with the bill and the payments. A failure prints the seed; `BILL_SEED=…` repeats it, `BILL_RUNS=500` draws more shops.
 */
import { randomInt } from 'node:crypto';
import fc from 'fast-check';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { formatMoney } from '#contract/formatters.ts';
import type { Order } from '#contract/schemas/order.ts';
import { dayMs, hourMs, wallClock } from '#server/platform/time-zone.ts';
import { mailsFor } from './accounts.ts';
import { type Agent, approveAgent } from './agents.ts';
import { amountIn, decimal, expectInFile, expectTakings, origin, sum } from './bill-places.ts';
import { enter, issueCoupon } from './coupons.ts';
import { repeats } from './long.ts';
import { plainGroup, plainModifier } from './modifiers.ts';
import { sellProduct } from './products.ts';
import { jsonLdOf, renderedPage, renderFromSources, unescapeHtml } from './rendered.ts';
import { add, card, contact, visit } from './shop-actions.ts';
import { askStaff, joinStaff } from './staff.ts';
import { createTestApp, type Shopper, type TestApp } from './test-app.ts';

const seed = Number(process.env.BILL_SEED ?? randomInt(2 ** 31));
const runs = Number(process.env.BILL_RUNS ?? repeats(2, 60));

const cents = fc.integer({ min: 1, max: 9000 });
const method = fc.record({
  price: fc.integer({ min: 0, max: 2500 }),
  freeOver: fc.option(fc.integer({ min: 500, max: 20_000 })),
  days: fc.tuple(fc.nat({ max: 5 }), fc.nat({ max: 6 })),
});
const product = fc.record({
  price: cents,
  reducedFrom: fc.option(fc.integer({ min: 1, max: 3000 })),
  modifier: fc.option(fc.integer({ min: 0, max: 300 })),
  taxClass: fc.constantFrom('standard', 'zero-rated-grocery', 'prepared-food'),
  quantity: fc.integer({ min: 1, max: 4 }),
});
const coupon = fc.oneof(
  fc.record({ kind: fc.constant('percent' as const), percent: fc.integer({ min: 1, max: 90_000 }) }),
  fc.record({ kind: fc.constant('amount' as const), amount: fc.integer({ min: 1, max: 4000 }) }),
  fc.record({ kind: fc.constant('freeShipping' as const) }),
);
const addresses = [
  { city: 'Waterloo', province: 'Ontario', postCode: 'N2L 0A1', region: 'ON' },
  { city: 'Montréal', province: 'Quebec', postCode: 'H2X 1Y4', region: 'QC' },
  { city: 'Vancouver', province: 'British Columbia', postCode: 'V6B 1A1', region: 'BC' },
  { city: 'Calgary', province: 'Alberta', postCode: 'T2P 1J9', region: 'AB' },
] as const;
const drawn = fc.record({
  currency: fc.constantFrom('CAD', 'CAD', 'USD', 'JPY', 'KWD'),
  methods: fc.array(method, { minLength: 2, maxLength: 3 }),
  packingDays: fc.nat({ max: 3 }),
  products: fc.array(product, { minLength: 1, maxLength: 3 }),
  coupon: fc.option(coupon),
  /** Whether the coupon is for the first product alone. */
  limited: fc.boolean(),
  charge: fc.option(fc.integer({ min: 1, max: 20 })),
  address: fc.constantFrom(...addresses),
  unit: fc.constantFrom('', 'Unit 5, buzzer 12', 'c/o Ærø & Søn'),
  chosen: fc.nat({ max: 2 }),
  hours: fc.nat({ max: 40 }),
  refunded: fc.nat({ max: 2 }),
});
type Drawn = typeof drawn extends fc.Arbitrary<infer T> ? T : never;

/** A shop whose product costs just what makes a parcel free, by one of two methods with such an amount. */
const onTheEdge: Drawn = {
  currency: 'CAD',
  packingDays: 1,
  coupon: null,
  charge: 10,
  address: addresses[0],
  unit: 'Unit 5, buzzer 12',
  hours: 3,
  methods: [
    { price: 900, freeOver: 3200, days: [2, 3] },
    { price: 1900, freeOver: 6000, days: [1, 1] },
  ],
  products: [
    { price: 3200, reducedFrom: null, modifier: null, taxClass: 'standard', quantity: 1 },
    { price: 1005, reducedFrom: 500, modifier: 50, taxClass: 'zero-rated-grocery', quantity: 2 },
  ],
  chosen: 1,
  refunded: 0,
  limited: false,
};

describe(`one bill (BILL_SEED=${seed})`, () => {
  let testApp: TestApp;
  let agent: Agent;
  let owner: Shopper;
  let shops = 0;
  beforeAll(async () => {
    testApp = await createTestApp({
      engine: 'sqlite',
      demo: true,
      env: { PUBLIC_URL: origin },
      app: { web: renderFromSources },
    });
    await testApp.services.settings.update({ agents: 'all' });
  });

  /** The shop as it was drawn. Returns the SKUs of its products, and the code of its coupon. */
  async function open(shop: Drawn): Promise<{ skus: string[]; code: string | null }> {
    shops += 1;
    // One agent may ask only so much, and the days between two shops end a session.
    agent = await approveAgent(testApp, `https://agent-${shops}.example/profile`);
    owner = await joinStaff(testApp, `owner-${shops}@one-bill.example`);
    const { settings, editor } = testApp.services;
    const { serviceCharge } = await testApp.container.settings.all();
    await settings.update({
      currency: shop.currency,
      // Whatever was drawn can be paid at the store.
      payAtStoreLimits: {
        customers: { totalCents: null, units: null, lines: null },
        guests: { totalCents: null, units: null, lines: null },
      },
      packing: { packingDays: shop.packingDays, holidays: ['2026-05-18'] },
      serviceCharge: {
        ...serviceCharge,
        percent: shop.charge ?? 0,
        methods: { shipping: false, pickup: shop.charge !== null, instore: true },
      },
      shippingMethods: shop.methods.map(({ price, freeOver, days: [min, more] }, index) => ({
        id: `way-${index}`,
        name: { en: `Way ${index} by canoe`, zh: `独木舟 ${index}` },
        description: { en: '' },
        countries: ['CA'],
        provinceCodes: [],
        priceCents: price,
        freeOverCents: freeOver,
        minBusinessDays: min,
        maxBusinessDays: min + more,
      })),
    });
    const skus: string[] = [];
    for (const [index, { price, reducedFrom, modifier, taxClass }] of shop.products.entries()) {
      const sku = `BILL-${shops}-${index}`;
      const group = `group-${shops}-${index}`;
      if (modifier !== null)
        await editor.upsertModifierGroups([
          plainGroup(group, [plainModifier('oat', { priceCents: modifier, default: 1 })], { min: 1 }),
        ]);
      await sellProduct(testApp, sku, {
        priceCents: price,
        compareAtCents: reducedFrom === null ? null : price + reducedFrom,
        taxClass,
        name: { en: `Tea ${sku}`, zh: `茶 ${sku}` },
        modifierGroups: modifier === null ? [] : [{ group }],
      });
      skus.push(sku);
    }
    const products = shop.limited ? skus.slice(0, 1).map((sku) => sku.toLowerCase()) : [];
    const code = shop.coupon && (await issueCoupon(testApp, { ...shop.coupon, products }));
    return { skus, code };
  }

  const addressOf = ({ address: { city, province, postCode }, unit }: Drawn) => ({
    streetNumberAndNameDetails: '100 Demonstration Road',
    addressDescription: unit,
    city,
    province,
    postCode,
    countryISOCode: 'CA',
  });
  const emailOf = () => `buyer-${shops}@one-bill.example`;
  const cartOf = (session: Shopper) => testApp.call('myCart', { session });

  async function cartWith(shop: Drawn, skus: readonly string[], code: string | null): Promise<Shopper> {
    const session = testApp.shopper(`198.51.100.${shops % 250}`);
    for (const [index, sku] of skus.entries())
      expect((await add(testApp, session, sku, shop.products[index]?.quantity)).status).toBe(200);
    if (code) await enter(testApp, session, code);
    return session;
  }
  const ship = (session: Shopper, shop: Drawn, shippingMethod?: string) =>
    testApp.call('orderDeliverInfo', {
      session,
      body: {
        contact: { ...contact, email: emailOf() },
        address: addressOf(shop),
        ...(shippingMethod ? { shippingMethod } : {}),
      },
    });

  const feedOf = async (name: string) => (await testApp.app.inject(`/feeds/products.en.${name}`)).body;

  /** A unit costs the same on its page, card, in structured data, feeds, and for agents, as in the cart. */
  async function pricesAre(order: Order): Promise<void> {
    // A busy machine takes long for a feed, which may then be a little older than the catalogue.
    const [xml, jsonl] = await vi.waitFor(
      async () => {
        const feeds = await Promise.all([feedOf('xml'), feedOf('jsonl')]);
        for (const { sku } of order.lineItems) for (const feed of feeds) expect(feed).toContain(sku);
        return feeds;
      },
      { timeout: 30_000 },
    );
    for (const { sku, product: id, unitPrice } of order.lineItems) {
      const { html } = await renderedPage(testApp.app, `/product/${id}`);
      const data = jsonLdOf(html);
      const offer = data.find((thing) => thing['@type'] === 'Product')?.offers as Record<string, unknown>;
      expect([offer.price, offer.priceCurrency], `structured data of ${sku}`).toEqual([
        decimal(unitPrice, order.bill.currency),
        order.bill.currency,
      ]);
      const shown = unescapeHtml(html.slice(html.indexOf('</h1>')).replaceAll(/<[^>]*>/g, ' '));
      expect(shown, `page of ${sku}`).toContain(formatMoney(unitPrice, 'en', order.bill.currency));
      const item = xml.split('<item>').find((each) => each.includes(`<g:id>${sku}</g:id>`)) ?? '';
      const ofFeed = /<g:sale_price>([^<]*)/.exec(item)?.[1] ?? /<g:price>([^<]*)/.exec(item)?.[1];
      expect(amountIn(ofFeed ?? '', order.bill.currency), `feed of ${sku}`).toBe(unitPrice);
      const line = jsonl.split('\n').find((each) => each.includes(`"item_id":"${sku}"`)) ?? '{}';
      const { price, sale_price: sale } = JSON.parse(line) as Record<string, string>;
      expect(amountIn(sale ?? price ?? '', order.bill.currency), `JSON feed of ${sku}`).toBe(unitPrice);
      const { products } = await testApp.call('products', { query: { nameLike: sku, numberToLoad: 1 } });
      expect(products[0]?.priceInfo.price, `card of ${sku}`).toBe(unitPrice);
      const found = (await agent.ask('POST', '/catalog/lookup', { ids: [sku] })).body.products[0];
      const [variant] = found?.variants ?? [];
      expect([variant?.price.amount, variant?.price.currency], `agents' price of ${sku}`).toEqual([
        unitPrice,
        order.bill.currency,
      ]);
      await ratesAre(data, offer, { sku, unitPrice, currency: order.bill.currency });
    }
  }

  /** Structured data names for each method what one unit alone would cost to send. */
  async function ratesAre(
    data: ReturnType<typeof jsonLdOf>,
    offer: Record<string, unknown>,
    one: { sku: string; unitPrice: number; currency: string },
  ) {
    const session = testApp.shopper();
    await add(testApp, session, one.sku, 1);
    const methods = await testApp.call('shippingMethods', {
      session,
      query: { country: 'CA', province: 'Ontario' },
    });
    const ids = (offer.shippingDetails as { '@id': string }[]).map((each) => each['@id']);
    const rates = ids.map(
      (id) => data.find((thing) => thing['@id'] === id)?.shippingRate as { value: string },
    );
    expect(
      rates.map(({ value }) => amountIn(value, one.currency)).toSorted(),
      `shipping of ${one.sku} in structured data`,
    ).toEqual(methods.map(({ price }) => price).toSorted());
  }

  /** From the amount of the header on, and not below it, a parcel within the country is free by some method that has a price. */
  async function headerIs(shop: Drawn): Promise<void> {
    const { html } = await renderedPage(testApp.app, '/');
    const text = unescapeHtml(html.replaceAll(/<[^>]*>/g, ' '));
    const limits = shop.methods.flatMap(({ freeOver }) => freeOver ?? []);
    const money = (amount: number) => formatMoney(amount, 'en', shop.currency);
    const named = /[Ff]ree shipping (?:over|on orders over|from) ((?:[A-Z]{3}\s)?\S*\d)/.exec(text)?.[1];
    if (limits.length === 0) return expect(named).toBeUndefined();
    const amount = Math.min(...limits);
    expect(named, 'the header').toBe(money(amount));
    const prices = await Promise.all(
      [amount, amount - 1].map(async (value) => {
        const sku = `EDGE-${shops}-${value}`;
        await sellProduct(testApp, sku, { priceCents: value });
        const session = testApp.shopper();
        await add(testApp, session, sku, 1);
        return testApp.call('shippingMethods', { session, query: { country: 'CA', province: 'Ontario' } });
      }),
    );
    const free = prices.map(
      (methods) => methods.filter(({ id, price }) => price === 0 && priceOf(shop, id) > 0).length,
    );
    const some = shop.methods.some(({ price, freeOver }) => price > 0 && freeOver === amount);
    expect(free, 'free at the amount of the header, and below').toEqual([some ? expect.any(Number) : 0, 0]);
    if (some) expect(free[0]).toBeGreaterThan(0);
    // The strip above the cart counts down to the amount of the cheapest method.
    const promise = await testApp.call('deliveryPromise');
    expect(shop.methods.map(({ freeOver }) => freeOver)).toContain(promise?.freeOver ?? null);
  }
  const priceOf = (shop: Drawn, id: string) => shop.methods[Number(id.split('-')[1])]?.price ?? 0;

  /** Each way of sending costs in the bill what was offered, to shoppers and agents alike, and arrives when it was promised. */
  async function deliveryIs(
    session: Shopper,
    shop: Drawn,
    skus: readonly string[],
    code: string | null,
  ): Promise<Order> {
    const { address } = shop;
    await ship(session, shop);
    const methods = await testApp.call('shippingMethods', {
      session,
      query: { country: 'CA', province: address.province },
    });
    const destination = {
      id: 'home',
      street_address: '100 Demonstration Road',
      extended_address: shop.unit,
      address_locality: address.city,
      address_region: address.region,
      postal_code: address.postCode,
      address_country: 'CA',
    };
    const withOption = (option?: string) => ({
      line_items: skus.map((id, index) => ({ item: { id }, quantity: shop.products[index]?.quantity })),
      buyer: { first_name: 'Jordan', last_name: 'Lin', email: emailOf(), phone_number: contact.phoneNumber },
      ...(code ? { discounts: { codes: [code] } } : {}),
      fulfillment: {
        methods: [
          {
            type: 'shipping',
            destinations: [destination],
            selected_destination_id: 'home',
            ...(option ? { groups: [{ selected_option_id: option }] } : {}),
          },
        ],
      },
    });
    const { body: opened } = await agent.ask('POST', '/checkout-sessions', withOption());
    const options = opened.fulfillment.methods[0]?.groups[0]?.options ?? [];
    const dayOf = (time: string) => wallClock(Date.parse(time), 'America/Toronto').date;
    expect(
      options.map(({ id, totals, ...times }) => [
        id,
        totals.find(({ type }) => type === 'total')?.amount,
        dayOf(times.earliest_fulfillment_time),
        dayOf(times.latest_fulfillment_time),
      ]),
      "agents' options",
    ).toEqual(methods.map(({ id, price, arrival }) => [id, price, arrival?.earliest, arrival?.latest]));
    for (const { id, price } of methods) {
      const { bill } = await ship(session, shop, id);
      expect(bill.shipping, `shipping by ${id}`).toBe(price);
      const { body } = await agent.ask('PUT', `/checkout-sessions/${opened.id}`, withOption(id));
      const ofAgent = (kind: string) =>
        sum(body.totals.map(({ type, amount }) => (type === kind ? amount : 0)));
      expect(ofAgent('total'), `agents' total by ${id}`).toBe(bill.total);
      expect(
        sum(body.totals.map(({ type, amount }) => (type === 'total' ? 0 : amount))),
        `agents' parts by ${id}`,
      ).toBe(bill.total);
      expect([ofAgent('fulfillment'), ofAgent('tax')], `agents' shipping and tax by ${id}`).toEqual([
        bill.shipping + bill.shippingSaved,
        bill.tax,
      ]);
    }
    const chosen = methods[shop.chosen % methods.length];
    const order = await ship(session, shop, chosen?.id);
    taxIs(order);
    const placed = await place(session, order);
    expect(placed.arrival, 'the promise').toEqual(chosen?.arrival);
    return placed;
  }

  /** Each rate on each line is rounded once, half up, on the amount after its share of the discount. */
  function taxIs({ bill, lineItems }: Order): void {
    expect(bill.total).toBe(
      bill.subtotal - bill.discount + bill.shipping + (bill.serviceCharge?.amount ?? 0) + bill.tax + bill.tip,
    );
    expect(bill.subtotal).toBe(sum(lineItems.map(({ unitPrice, quantity }) => unitPrice * quantity)));
    const shares = bill.coupon?.shares;
    if (shares) expect(sum(shares.map(({ amount }) => amount))).toBe(bill.discount);
    if (bill.discount > 0) return;
    for (const { sku, taxes } of bill.lineTaxes ?? []) {
      const line = lineItems.find((each) => each.sku === sku);
      if (line && line.modifiers.length > 0) continue;
      // Of a mixed parcel, shipping is taxed in part.
      if (!line && bill.lineTaxes?.some((each) => each.sku !== null && each.taxes.length === 0)) continue;
      const net = line ? line.lineTotal : bill.shipping;
      for (const { label, amount } of taxes) {
        const thousandths = Math.round(Number(/([\d.]+)%/.exec(label)?.[1]) * 1000);
        const exact = (2n * BigInt(net) * BigInt(thousandths) + 100_000n) / 200_000n;
        expect(amount, `${label} on ${sku ?? 'shipping'}`).toBe(Number(exact));
      }
    }
  }

  async function place(session: Shopper, { bill }: Order): Promise<Order> {
    const { orderID } =
      bill.total === 0
        ? await testApp.call('reserve', { session, body: {} })
        : await testApp.call('postBilling', {
            session,
            params: { gatewayName: '{host}' },
            body: { paymentInstrucment: card(), billingAddress: { ...addressOfDemo } },
          });
    const order = await testApp.call('order', { session, params: { id: orderID ?? '' } });
    expect({ ...order.bill, coupon: null, billVersion: '' }).toEqual({
      ...bill,
      coupon: null,
      billVersion: '',
    });
    return order;
  }
  const addressOfDemo = {
    streetNumberAndNameDetails: '100 Demonstration Road',
    city: 'Waterloo',
    province: 'Ontario',
    postCode: 'N2L 0A1',
    countryISOCode: 'CA',
  };

  const nameOf = ({ shippingMethod }: Order) =>
    shippingMethod ? `Way ${shippingMethod.split('-')[1]} by canoe` : '';
  const money =
    ({ bill: { currency } }: Order) =>
    (amount: number) =>
      formatMoney(amount, 'en', currency);

  /** The confirmation, the desk, the sheet of the order and its packing slip say what the bill and the checkout said. */
  async function papersAre(order: Order, shop: Drawn, { refunded = 0 } = {}): Promise<void> {
    const number = order.orderNumber ?? '';
    const name = nameOf(order);
    const lines = [
      '100 Demonstration Road',
      shop.unit,
      shop.address.city,
      shop.address.province,
      shop.address.postCode,
    ].filter(Boolean);
    const [mail] = await mailsFor(testApp, emailOf(), 'orderConfirmation');
    const { bill } = order;
    const amounts = [
      bill.total,
      bill.subtotal,
      ...bill.taxLines.map(({ amount }) => amount),
      ...(bill.discount > 0 ? [bill.discount] : []),
      ...(bill.shipping > 0 ? [bill.shipping] : []),
      ...(bill.coupon?.shares ?? []).map(({ amount }) => amount),
    ];
    // An address stands in full only once its buyer is known to read the mail.
    for (const text of [number, shop.address.province, ...amounts.map(money(order))])
      expect(mail?.text.replaceAll('\n', ' '), 'the confirmation').toContain(text);
    const { body: sheet } = await askStaff(testApp, 'order', { as: owner, params: { number } });
    expect(sheet.order.bill, 'the sheet').toEqual(order.bill);
    const { body: book } = await askStaff(testApp, 'bookOrder', { as: owner, params: { number } });
    const inBooks = (line: string) => sum(book.parts.map((part) => (part.line === line ? part.discount : 0)));
    for (const { line, amount } of bill.coupon?.shares ?? [])
      expect(inBooks(line), 'its share in the books').toBe(amount);
    expect(sum(book.parts.map(({ discount }) => discount)), 'the discount in the books').toBe(bill.discount);
    const sold = sum(order.lineItems.map(({ quantity }) => quantity));
    expect(sum(book.parts.map(({ units }) => units)), 'units in the books').toBe(sold);
    expect(sheet.delivery?.nameContent?.en, 'the method on the sheet').toBe(name);
    const { body: desk } = await askStaff(testApp, 'deskOrders', { as: owner, query: { numbers: number } });
    expect(JSON.stringify(desk.orders), 'the desk').toContain(name);
    const { body: printed } = await askStaff(testApp, 'papers', { as: owner, query: { numbers: number } });
    const [paper] = printed.papers;
    const units = sum(order.lineItems.map(({ quantity }) => quantity)) - refunded;
    if (units === 0) return expect(printed.over, 'no slip').toEqual([number]);
    expect(paper?.bill, 'the slip').toEqual(order.bill);
    expect(paper?.delivery?.nameContent?.en, 'the method on the slip').toBe(name);
    for (const text of lines) expect(paper?.address.join('\n'), 'the address on the slip').toContain(text);
    expect(sum(paper?.lines.map(({ quantity }) => quantity) ?? []), 'units on the slip').toBe(units);
  }

  /** Refunds every unit of a line that is not sent. Returns its units and what went back. */
  async function refundLine(order: Order, index: number): Promise<{ units: number; refunded: number }> {
    const number = order.orderNumber ?? '';
    const line = order.lineItems[index % order.lineItems.length];
    if (!line || order.bill.total === 0) return { units: 0, refunded: 0 };
    const { body: sheet } = await askStaff(testApp, 'order', { as: owner, params: { number } });
    const amount = sheet.refundable.lines.find((each) => each.line === line.id)?.amounts.at(-1) ?? 0;
    // With its tax; without a discount, to the cent.
    const at = order.lineItems.indexOf(line);
    const tax = sum(order.bill.lineTaxes?.[at]?.taxes.map((each) => each.amount) ?? []);
    if (order.bill.discount === 0) expect(amount, 'a refund of a line').toBe(line.lineTotal + tax);
    if (amount === 0) return { units: 0, refunded: 0 };
    const lines = [{ line: line.id, quantity: line.quantity, unsent: line.quantity }];
    const request = { lines, amount, tip: 0, restock: false, reason: 'torn', note: '' };
    await testApp.services.orderRefunds.refundParts(number, request);
    return { units: line.quantity, refunded: amount };
  }

  /** An order that is picked up: cash is taken by mistake, undone on another day, and taken by terminal. */
  async function pickedUp(shop: Drawn, skus: readonly string[]): Promise<void> {
    const session = await cartWith(shop, skus, null);
    await visit(testApp, session);
    const { bill } = await cartOf(session);
    const { orderID } = await testApp.call('reserve', { session, body: {} });
    const order = await testApp.call('order', { session, params: { id: orderID ?? '' } });
    expect(order.bill.total).toBe(bill.total);
    const { fulfilment } = testApp.services;
    const number = order.orderNumber ?? '';
    await fulfilment.move(number, 'completed', 'cash');
    testApp.clock.advance(dayMs);
    await fulfilment.takeBack(number, 'a mistake');
    await expectInFile(testApp, order, { paid: 0, refunded: 0, due: bill.total }, nameOf(order));
    await fulfilment.move(number, 'completed', 'terminal');
    await expectInFile(testApp, order, { paid: bill.total, refunded: 0, due: 0 }, nameOf(order));
  }

  it('every place names the prices, dates, addresses and sums of the bill', {
    timeout: 3_600_000,
  }, async () => {
    const property = fc.asyncProperty(drawn, async (shop) => {
      testApp.clock.advance(dayMs + shop.hours * hourMs);
      const since = testApp.clock.now();
      const { skus, code } = await open(shop);
      await headerIs(shop);
      const session = await cartWith(shop, skus, code);
      await pricesAre(await cartOf(session));
      const order = await deliveryIs(session, shop, skus, code);
      await papersAre(order, shop);
      await expectInFile(testApp, order, { paid: order.bill.total, refunded: 0, due: 0 }, nameOf(order));
      const { units, refunded } = await refundLine(order, shop.refunded);
      await papersAre(order, shop, { refunded: units });
      await expectInFile(testApp, order, { paid: order.bill.total, refunded, due: 0 }, nameOf(order));
      await pickedUp(shop, skus);
      await expectTakings(testApp, since);
    });
    await fc.assert(property, { seed, numRuns: runs, endOnFailure: true, examples: [[onTheEdge]] });
  });
});
