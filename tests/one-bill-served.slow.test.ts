/**
 * One bill of what is served: menus, sets, modifiers, tips, tables and pickups are drawn at random, and every place that names a
 * price, a time or a quantity is compared with the bill: the table's menu, times of pickup, agents' food, kitchen tickets, desk, pick
 * list, emails and files. A failure prints the seed; `BILL_SEED=…` repeats it, `BILL_RUNS=500` draws more shops.
 */
import { randomInt } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { formatMoney } from '#contract/formatters.ts';
import { type Weekday, weekdays } from '#contract/limits.ts';
import type { Order } from '#contract/schemas/order.ts';
import { picksOf } from '#contract/staff/picks.ts';
import { dayMs, hourMs, minuteMs, wallClock } from '#server/platform/time-zone.ts';
import { mailsFor } from './accounts.ts';
import { type Agent, approveAgent } from './agents.ts';
import { amountIn, expectInFile, expectTakings, exported, origin, sum } from './bill-places.ts';
import { enter, issueCoupon } from './coupons.ts';
import { repeats } from './long.ts';
import { plainGroup, plainModifier } from './modifiers.ts';
import { sellProduct } from './products.ts';
import { renderedPage, renderFromSources, unescapeHtml } from './rendered.ts';
import { card, contact, unitsOf } from './shop-actions.ts';
import { askStaff, joinStaff } from './staff.ts';
import { createTestApp, type Shopper, type TestApp } from './test-app.ts';
import { fakePrinter } from './ticket-printer.ts';

const seed = Number(process.env.BILL_SEED ?? randomInt(2 ** 31));
const runs = Number(process.env.BILL_RUNS ?? repeats(4, 60));

const store = 'toronto-queen-west';
const zone = 'America/Toronto';
const stepMinutes = 5;

const item = fc.record({
  price: fc.integer({ min: 1, max: 4000 }),
  taxClass: fc.constantFrom('standard', 'zero-rated-grocery', 'prepared-food'),
  /** Of a modifier that is chosen by default, and of one that is added; null: the product has no modifiers. */
  modifiers: fc.option(fc.tuple(fc.nat({ max: 200 }), fc.nat({ max: 300 }))),
  extra: fc.boolean(),
  note: fc.constantFrom('', 'No straw', '不要糖 | 50%'),
  quantity: fc.integer({ min: 1, max: 4 }),
});
const menu = fc.record({
  from: fc.nat({ max: 23 }),
  hours: fc.integer({ min: 1, max: 23 }),
  days: fc.option(fc.subarray([...weekdays], { minLength: 1 })),
  of: fc.constantFrom('product', 'category', 'modifier'),
});
const drawn = fc.record({
  currency: fc.constantFrom('CAD', 'CAD', 'USD', 'JPY', 'KWD'),
  items: fc.array(item, { minLength: 1, maxLength: 3 }),
  /** The price of a set of two parts that are taxed by themselves, one of which costs more. */
  set: fc.option(fc.record({ price: fc.integer({ min: 500, max: 4000 }), more: fc.nat({ max: 300 }) })),
  menu: fc.option(menu),
  charge: fc.option(
    fc.record({ percent: fc.integer({ min: 1, max: 20 }), from: fc.option(fc.integer({ min: 2, max: 8 })) }),
  ),
  partySize: fc.integer({ min: 1, max: 8 }),
  tip: fc.option(fc.oneof(fc.constantFrom(10, 15, 20), fc.record({ amount: fc.nat({ max: 900 }) }))),
  coupon: fc.option(
    fc.oneof(
      fc.record({ kind: fc.constant('percent' as const), percent: fc.integer({ min: 1, max: 90_000 }) }),
      fc.record({ kind: fc.constant('amount' as const), amount: fc.integer({ min: 1, max: 900 }) }),
    ),
  ),
  isPickup: fc.boolean(),
  more: fc.nat({ max: 3 }),
  minutes: fc.nat({ max: 24 * 60 }),
});
type Drawn = typeof drawn extends fc.Arbitrary<infer T> ? T : never;

/** A party at a table, for which a service is charged, with a set, a tip and something that is served only now. */
const party: Drawn = {
  currency: 'CAD',
  set: { price: 1395, more: 85 },
  charge: { percent: 18, from: 6 },
  partySize: 6,
  tip: 15,
  items: [
    {
      price: 650,
      taxClass: 'prepared-food',
      modifiers: [80, 75],
      extra: true,
      note: '不要糖 | 50%',
      quantity: 2,
    },
    { price: 1005, taxClass: 'zero-rated-grocery', modifiers: null, extra: false, note: '', quantity: 3 },
  ],
  menu: { from: 8, hours: 23, days: null, of: 'product' },
  coupon: { kind: 'amount', amount: 333 },
  isPickup: false,
  more: 2,
  minutes: 90,
};

/** What agents can order as well: it is picked up, with a tip of odd cents. */
const takeaway: Drawn = {
  ...party,
  coupon: null,
  isPickup: true,
  tip: { amount: 333 },
  more: 0,
  minutes: 600,
  menu: { from: 17, hours: 9, days: ['tuesday', 'friday'], of: 'category' },
};

const money = (amount: number, currency: string) =>
  formatMoney(amount, 'en', currency).replaceAll(/\s+/g, ' ');
const two = (number: number) => String(number).padStart(2, '0');

describe(`one bill of what is served (BILL_SEED=${seed})`, () => {
  let testApp: TestApp;
  let owner: Shopper;
  let agent: Agent;
  let printer: Awaited<ReturnType<typeof fakePrinter>>;
  let shops = 0;
  beforeAll(async () => {
    printer = await fakePrinter();
    testApp = await createTestApp({
      engine: 'sqlite',
      demo: true,
      app: { web: renderFromSources },
      env: { PUBLIC_URL: origin, TICKET_PRINTERS: `${store}=tcp://127.0.0.1:${printer.port}` },
    });
    await testApp.services.settings.update({ agents: 'all', staffLanguage: 'en' });
  });
  afterAll(() => printer.close());

  interface Line {
    sku: string;
    quantity: number;
    modifiers: { group: string; modifier: string }[];
    note: string;
    /** Whether the menu of the shop limits it. */
    isLimited: boolean;
  }

  /** The shop as it was drawn. Returns what is ordered, and the code of its coupon. */
  async function open(shop: Drawn): Promise<{ lines: Line[]; code: string | null; category: string }> {
    shops += 1;
    agent = await approveAgent(testApp, `https://kitchen-${shops}.example/profile`);
    const { settings, editor, stores } = testApp.services;
    const { serviceCharge } = await testApp.container.settings.all();
    const category = `menu-${shops}`;
    const hours = { open: '00:00', close: '24:00' };
    const openingHours = Object.fromEntries(weekdays.map((day) => [day, hours])) as Record<
      Weekday,
      typeof hours
    >;
    const all = await stores.all();
    await stores.upsert(
      all.map((each) => ({
        ...each,
        openingHours,
        specialHours: [],
        pickupSlotCapacity: 1000,
        pickupLeadMinutes: 0,
      })),
    );
    const free = { totalCents: null, units: null, lines: null };
    await settings.update({
      currency: shop.currency,
      payAtStoreLimits: { customers: free, guests: free },
      tipTaxClasses: [],
      menus: [],
      serviceCharge: {
        ...serviceCharge,
        percent: shop.charge?.percent ?? 0,
        fromPartySize: shop.charge?.from ?? null,
        methods: { shipping: false, pickup: false, instore: true },
        stores: [],
      },
    });
    const lines: Line[] = [];
    const name = (text: string) => ({ en: `Dish ${text}`, zh: `菜 ${text}` });
    const sold = { category, units: 200 };
    await sellProduct(testApp, `BASE-${shops}`);
    await editor.upsertCategories([
      {
        id: category,
        parent: null,
        name: { en: category, zh: category },
        description: { en: '' },
        image: null,
      },
    ]);
    for (const [index, { price, taxClass, modifiers, extra, note, quantity }] of shop.items.entries()) {
      const sku = `DISH-${shops}-${index}`;
      const group = `dish-${shops}-${index}`;
      if (modifiers) {
        const [usual, added] = modifiers;
        await editor.upsertModifierGroups([
          plainGroup(group, [plainModifier('usual', { priceCents: usual, default: 1 })], { min: 1 }),
          plainGroup(`${group}-more`, [plainModifier('extra', { priceCents: added })]),
        ]);
      }
      const modifierGroups = modifiers ? [{ group }, { group: `${group}-more` }] : [];
      await sellProduct(testApp, sku, {
        ...sold,
        priceCents: price,
        taxClass,
        modifierGroups,
        name: name(sku),
      });
      const chosen = modifiers
        ? [{ group, modifier: 'usual' }, ...(extra ? [{ group: `${group}-more`, modifier: 'extra' }] : [])]
        : [];
      lines.push({ sku, quantity, note, modifiers: chosen, isLimited: false });
    }
    if (shop.set) {
      const [sku, cup, cake] = ['SET', 'CUP', 'CAKE'].map((part) => `${part}-${shops}`) as [
        string,
        string,
        string,
      ];
      await sellProduct(testApp, cup, {
        ...sold,
        priceCents: 500,
        taxClass: 'prepared-food',
        name: name(cup),
      });
      await sellProduct(testApp, cake, {
        ...sold,
        priceCents: 300,
        taxClass: 'zero-rated-grocery',
        name: name(cake),
      });
      const parts = [cup, cake].map((part, index) =>
        plainGroup(
          part,
          [
            plainModifier('one', {
              sku: part,
              default: 1,
              priceCents: index === 0 ? (shop.set?.more ?? 0) : 0,
            }),
          ],
          {
            min: 1,
            setParts: true,
          },
        ),
      );
      await editor.upsertModifierGroups(parts);
      const modifierGroups = parts.map(({ id }) => ({ group: id }));
      await sellProduct(testApp, sku, {
        ...sold,
        priceCents: shop.set.price,
        modifierGroups,
        name: name(sku),
      });
      const modifiers = parts.map(({ id }) => ({ group: id, modifier: 'one' }));
      lines.push({ sku, quantity: 1, note: '', modifiers, isLimited: false });
    }
    const [first] = lines;
    if (shop.menu && first) {
      const { from, hours: long, days, of } = shop.menu;
      const [limited] = first.modifiers;
      const kind = of === 'modifier' && !limited ? 'product' : of;
      for (const [index, line] of lines.entries()) line.isLimited = kind === 'category' || index === 0;
      await settings.update({
        menus: [
          {
            id: 'now',
            name: { en: 'Now', zh: '现在' },
            stores: [store],
            limit: null,
            days: days ?? [],
            from: `${two(from)}:00`,
            until: `${two((from + long) % 24)}:00`,
            categories: kind === 'category' ? [category] : [],
            products: kind === 'product' ? [first.sku.toLowerCase()] : [],
            modifierGroups: kind === 'modifier' && limited ? [limited.group] : [],
          },
        ],
      });
    }
    return { lines, category, code: shop.coupon && (await issueCoupon(testApp, shop.coupon)) };
  }

  /** Not asked of the shop: the day of a menu is the one on which it began. */
  function isServed({ menu }: Drawn, at: number): boolean {
    if (!menu) return true;
    const { from, hours, days } = menu;
    return [0, 1].some((before) => {
      const clock = wallClock(at - before * dayMs, zone);
      const day = weekdays[(new Date(`${clock.date}T00:00Z`).getUTCDay() + 6) % 7] as Weekday;
      const passed = wallClock(at, zone).minutes + before * 1440 - from * 60;
      return passed >= 0 && passed < hours * 60 && (days ?? weekdays).includes(day);
    });
  }

  /** The first time from now on at which all is served. */
  const whenServed = (shop: Drawn, from: number): number => {
    for (
      let at = Math.ceil(from / (stepMinutes * minuteMs)) * stepMinutes * minuteMs;
      ;
      at += stepMinutes * minuteMs
    )
      if (isServed(shop, at)) return at;
  };

  const emailOf = () => `guest-${shops}@served.example`;
  const cartOf = (session: Shopper) => testApp.call('myCart', { session });

  /** What is ordered, added as the storefront does: what has no choices at once. */
  async function order(lines: readonly Line[], shop: Drawn, code: string | null): Promise<Shopper> {
    const session = testApp.shopper(`198.51.100.${shops % 250}`);
    const plain = lines.filter(
      ({ modifiers, note, sku }) => modifiers.length === 0 && note === '' && !sku.startsWith('SET'),
    );
    if (plain.length > 1) {
      const items = plain.map(({ sku }) => ({ sku, optionPairs: '' }));
      const before = (await cartOf(session)).bill.subtotal;
      const { bill } = await testApp.call('addSetToCart', { session, body: { items } });
      const cards = await Promise.all(
        plain.map(
          async ({ sku }) =>
            (await testApp.call('products', { query: { nameLike: sku, numberToLoad: 1 } })).products[0],
        ),
      );
      expect(bill.subtotal - before, 'what the button of a set says').toBe(
        sum(cards.map((each) => each?.priceInfo.price ?? 0)),
      );
    }
    const inSet = plain.length > 1 ? plain : [];
    for (const line of lines) {
      const { sku, modifiers, note } = line;
      const quantity = line.quantity - (inSet.includes(line) ? 1 : 0);
      if (quantity > 0)
        await testApp.call('addToCart', {
          session,
          params: { itemName: sku },
          body: { quantity, modifiers, note },
        });
    }
    if (code) await enter(testApp, session, code);
    const query = shop.isPickup
      ? { methodName: 'pickup', localStoreName: store }
      : { methodName: 'instore', localStoreName: store, tableNumber: '7', partySize: String(shop.partySize) };
    await testApp.call('orderContactInfo', {
      session,
      query,
      body: { contact: { ...contact, email: emailOf() } },
    });
    return session;
  }

  /** The menu at the table names each dish with what it costs in the cart as it comes, and when it is served. */
  async function menuIs(shop: Drawn, lines: readonly Line[], category: string): Promise<void> {
    const { html } = await renderedPage(testApp.app, `/table/${category}?store=${store}&table=7`);
    const rows = unescapeHtml(
      html
        .slice(html.indexOf('</h1>'))
        .replaceAll(/<[^>]*>/g, ' ')
        .replaceAll(/\s+/g, ' '),
    );
    const session = testApp.shopper();
    for (const { sku, isLimited } of lines) {
      await testApp.call('addToCart', { session, params: { itemName: sku }, body: { quantity: 1 } });
      const line = (await cartOf(session)).lineItems.find((each) => each.sku === sku);
      const row = rows.slice(rows.indexOf(`Dish ${sku}`)).slice(0, 200);
      expect(row, `${sku} on the menu of a table`).toContain(money(line?.unitPrice ?? 0, shop.currency));
      const { menu } = shop;
      const { served } = await testApp.call('product', { params: { id: sku.toLowerCase() } });
      const isOfProduct = isLimited && menu !== null && menu.of !== 'modifier';
      if (!isOfProduct) continue;
      const [from, until] = [menu.from, (menu.from + menu.hours) % 24].map((hour) => `${two(hour)}:00`) as [
        string,
        string,
      ];
      const text = served?.stores[store] ?? '';
      expect(text, `when ${sku} is served`).toContain(
        until === '00:00' && from === '00:00'
          ? ''
          : from === '00:00'
            ? `until ${until}`
            : until === '24:00'
              ? from
              : `${from}–${until}`,
      );
      expect(rows, 'times on the menu').toContain(text);
      for (const day of menu.days ?? []) expect(text.toLowerCase()).toContain(day.slice(0, 3));
    }
  }

  /** What the cart, the times of pickup and the checkout say of what is served is one thing. Returns when it can be ordered. */
  async function timesAre(session: Shopper, shop: Drawn, lines: readonly Line[]): Promise<void> {
    const limited = lines.filter(({ isLimited }) => isLimited).map(({ sku }) => sku);
    const withoutTime = async () =>
      (await cartOf(session)).lineItems
        .flatMap(({ sku, unavailable }) => (unavailable === undefined ? [] : [sku]))
        .toSorted();
    if (shop.isPickup) {
      const { date } = wallClock(testApp.clock.now(), zone);
      const { slots } = await testApp.call('pickupSlots', {
        session,
        query: { localStoreName: store, date },
      });
      const wrong = slots.filter(
        ({ at, reason }) =>
          limited.length > 0 &&
          (reason === 'notServed' ? isServed(shop, at) : reason === null && !isServed(shop, at)),
      );
      expect(wrong, 'times of pickup').toEqual([]);
      const at = whenServed(shop, testApp.clock.now() + hourMs);
      await testApp.call('orderPickupDate', { session, body: { pickupDate: at } });
      return expect(await withoutTime(), 'what cannot be had at the chosen time').toEqual([]);
    }
    const isNow = isServed(shop, testApp.clock.now());
    expect(await withoutTime(), 'what cannot be had now').toEqual(isNow ? [] : limited.toSorted());
    if (isNow) return;
    expect(
      (await testApp.ask('reserve', { session, body: {} })).status,
      'an order of what is not served',
    ).toBe(409);
    testApp.clock.set(whenServed(shop, testApp.clock.now()));
    await testApp.call('orderContactInfo', {
      session,
      query: {
        methodName: 'instore',
        localStoreName: store,
        tableNumber: '7',
        partySize: String(shop.partySize),
      },
      body: { contact: { ...contact, email: emailOf() } },
    });
    expect(await withoutTime()).toEqual([]);
  }

  /** A choice of tip costs in the bill what it says. */
  async function tipIs(session: Shopper, { tip }: Drawn): Promise<Order> {
    const { tips } = await cartOf(session);
    for (const { percent, amount } of tips?.choices ?? []) {
      const { bill } = await testApp.call('tips', { session, body: { addTips: true, tip: percent } });
      expect(bill.tip, `a tip of ${percent} %`).toBe(amount);
    }
    const body =
      tip === null
        ? { addTips: false }
        : typeof tip === 'number'
          ? { addTips: true, tip }
          : { addTips: tip.amount > 0, ...(tip.amount > 0 ? { tipAmount: tip.amount } : {}) };
    return testApp.call('tips', { session, body });
  }

  /** Agents are told of a pickup what the shop's own cart costs, part by part. */
  async function agentsFoodIs(cart: Order, lines: readonly Line[], shop: Drawn): Promise<void> {
    // The protocol has no codes for food.
    if (!shop.isPickup || shop.coupon) return;
    const { body } = await agent.ask('POST', '/food/checkout-sessions', {
      food_establishment: { id: store },
      line_items: lines.map(({ sku, quantity, modifiers, note }) => ({
        quantity,
        dish: {
          id: sku,
          note,
          modifications: modifiers.map(({ group, modifier }) => ({ id: `${group}:${modifier}` })),
        },
      })),
      buyer: { first_name: 'Jordan', last_name: 'Lin', email: emailOf(), phone_number: contact.phoneNumber },
      ...(cart.bill.tip > 0 ? { tip: { custom_amount: cart.bill.tip } } : {}),
      fulfillment: {
        methods: [
          { type: 'pickup', requested_fulfillment_time: new Date(cart.pickupDate ?? 0).toISOString() },
        ],
      },
    });
    const ofAgent = (kind: string) =>
      sum((body.totals ?? []).map(({ type, amount }) => (type === kind ? amount : 0)));
    expect(
      [ofAgent('total'), ofAgent('tax'), ofAgent('tip')],
      `agents' totals ${JSON.stringify(body.messages)}`,
    ).toEqual([cart.bill.total, cart.bill.tax, cart.bill.tip]);
  }

  async function place(session: Shopper, { bill }: Order): Promise<Order> {
    const billingAddress = {
      streetNumberAndNameDetails: '100 Demonstration Road',
      city: 'Waterloo',
      province: 'Ontario',
      postCode: 'N2L 0A1',
      countryISOCode: 'CA',
    };
    const { orderID } =
      bill.total === 0
        ? await testApp.call('reserve', { session, body: {} })
        : await testApp.call('postBilling', {
            session,
            params: { gatewayName: '{host}' },
            body: { paymentInstrucment: card(), billingAddress },
          });
    const placed = await testApp.call('order', { session, params: { id: orderID ?? '' } });
    expect({ ...placed.bill, coupon: null, billVersion: '' }).toEqual({
      ...bill,
      coupon: null,
      billVersion: '',
    });
    return placed;
  }

  /** Units by the name of what is made, from the tickets that were printed for an order. */
  function cooked(number: string): { units: Record<string, number>; text: string; changes: number } {
    const units: Record<string, number> = {};
    const tickets = printer.printed
      .map((bytes) => new TextDecoder('gb18030').decode(bytes))
      .filter((text) => text.includes(number));
    for (const text of tickets)
      for (const [, sign, many, name = ''] of text.matchAll(
        /([+−-]?)(\d+)×[^\n]*?(Dish [A-Z]+-\d+(?:-\d+)?)/g,
      ))
        units[name] = (units[name] ?? 0) + (sign === '+' || sign === '' ? 1 : -1) * Number(many);
    return { units, text: tickets.join('\n'), changes: tickets.length - 1 };
  }
  const unitsOfOrder = (of: Order) => {
    const units: Record<string, number> = {};
    for (const { sku, quantity } of of.lineItems)
      units[`Dish ${sku}`] = (units[`Dish ${sku}`] ?? 0) + quantity;
    return units;
  };

  /** Kitchen, desk, sheet, pick list and both emails say what the bill says; `due` is what is still to be paid. */
  async function papersAre(placed: Order, shop: Drawn, lines: readonly Line[], due = 0): Promise<void> {
    const number = placed.orderNumber ?? '';
    const { bill } = placed;
    await testApp.services.deliveries.run();
    const { units, text } = cooked(number);
    expect(units, 'units on kitchen tickets').toEqual(unitsOfOrder(placed));
    if (!shop.isPickup) expect(text).toContain('Table 7');
    for (const { note } of lines.filter((each) => each.note))
      expect(text, 'notes on the ticket').toContain(note);
    const { body: desk } = await askStaff(testApp, 'deskOrders', { as: owner, query: { numbers: number } });
    const [shown] = desk.orders;
    expect([shown?.total, shown?.due, shown?.currency, shown?.table, shown?.dueAt], 'the desk').toEqual([
      bill.total,
      due,
      bill.currency,
      shop.isPickup ? '' : '7',
      placed.pickupDate,
    ]);
    expect(sum(shown?.lines.map(({ quantity }) => quantity) ?? [])).toBe(sum(Object.values(units)));
    const { body: sheet } = await askStaff(testApp, 'order', { as: owner, params: { number } });
    expect([sheet.order.bill, sheet.order.due], 'the sheet').toEqual([bill, due]);
    const { body: printed } = await askStaff(testApp, 'papers', { as: owner, query: { numbers: number } });
    const picked: Record<string, number> = {};
    for (const { line, quantity } of picksOf(
      printed.papers.filter(({ isWaiting }) => isWaiting),
      'en',
    ))
      picked[`Dish ${line.sku}`] = (picked[`Dish ${line.sku}`] ?? 0) + quantity;
    expect(picked, 'the pick list').toEqual(units);
    const [paper] = printed.papers;
    expect([sum(paper?.lines.map(({ amount }) => amount) ?? []), paper?.bill], 'the slip').toEqual([
      bill.subtotal,
      bill,
    ]);
    const amounts = [
      bill.subtotal,
      bill.discount,
      bill.tip,
      bill.serviceCharge?.amount ?? 0,
      bill.total,
      due,
    ].filter((n) => n > 0);
    const mails = await mailsFor(testApp, emailOf());
    const last = mails.filter(({ text: said }) => said.includes(number)).at(-1);
    for (const amount of [...amounts, ...bill.taxLines.map((tax) => tax.amount)].filter((n) => n > 0))
      expect(last?.text.replaceAll(/\s+/g, ' '), 'the email').toContain(money(amount, bill.currency));
  }

  /** The files say what is sold, and what is left. */
  async function filesAre(
    placed: Order,
    before: Record<string, number>,
    lines: readonly Line[],
  ): Promise<void> {
    const stock = await exported(testApp, 'stock');
    const products = await exported(testApp, 'products');
    const place = (await testApp.services.stores.all()).find(({ id }) => id === store)?.name.en;
    for (const { sku, modifiers } of lines) {
      const sold = sum(placed.lineItems.map((line) => (line.sku === sku ? line.quantity : 0)));
      const row = stock.find((each) => each.SKU?.replace(/^'/, '') === sku && each.Location === place);
      expect(Number(row?.['Available (not editable)']), `${sku} in the file of stock`).toBe(
        (before[sku] ?? 0) - sold,
      );
      if (modifiers.length > 0) continue;
      const line = placed.lineItems.find((each) => each.sku === sku);
      const product = products.find((row) => row.SKU === sku);
      const price = amountIn(product?.['Base price'] ?? '', placed.bill.currency);
      expect(price, `${sku} in the file of products`).toBe(line?.unitPrice);
    }
  }

  /** More is ordered at the table: what is due, the tickets and the files follow, and so do they once it is paid. */
  async function moreIs(placed: Order, shop: Drawn, lines: readonly Line[]): Promise<Order> {
    const number = placed.orderNumber ?? '';
    const [line] = placed.lineItems;
    const paid = placed.bill.total;
    if (!line || shop.more === 0) return placed;
    // Emails are read in the order of their times.
    testApp.clock.advance(minuteMs);
    const body = { lines: [{ line: line.id, quantity: line.quantity + shop.more }] };
    const { body: preview } = await askStaff(testApp, 'previewChange', {
      as: owner,
      params: { number },
      body,
    });
    const { status, body: changed } = await askStaff(testApp, 'changeOrder', {
      as: owner,
      params: { number },
      body: { ...body, version: preview.version },
    });
    expect([status, changed.due], 'a changed order').toEqual([200, preview.due]);
    const { body: sheet } = await askStaff(testApp, 'order', { as: owner, params: { number } });
    const after = sheet.order;
    expect([after.bill.total, after.bill.total - paid], 'the preview of a change').toEqual([
      preview.after.total,
      changed.due,
    ]);
    await papersAre(after, shop, lines, changed.due);
    await expectInFile(testApp, after, { paid, refunded: 0, due: changed.due });
    if (changed.due === 0) return after;
    const take = { kind: 'terminal', amount: changed.due, due: changed.due };
    const taken = await askStaff(testApp, 'takeMoney', { as: owner, params: { number }, body: take });
    expect([taken.status, taken.body]).toEqual([200, { taken: changed.due, due: 0 }]);
    await expectInFile(testApp, after, { paid: after.bill.total, refunded: 0, due: 0 });
    return after;
  }

  it('menus, tips, tickets, lists, emails and files say what the bill says', {
    timeout: 3_600_000,
  }, async () => {
    const property = fc.asyncProperty(drawn, async (shop) => {
      testApp.clock.advance(2 * dayMs + shop.minutes * minuteMs);
      const { lines, code, category } = await open(shop);
      await menuIs(shop, lines, category);
      const before = Object.fromEntries(
        await Promise.all(lines.map(async ({ sku }) => [sku, await unitsAt(sku)] as const)),
      );
      const session = await order(lines, shop, code);
      await timesAre(session, shop, lines);
      const since = testApp.clock.now();
      // Days may have passed, which end a session.
      owner = await joinStaff(testApp, `owner-${shops}@served.example`);
      // Orders of the demo may be of the same day.
      const tipsBefore = await expectTakings(testApp, since);
      const cart = await tipIs(session, shop);
      await agentsFoodIs(cart, lines, shop);
      const placed = await place(session, cart);
      await papersAre(placed, shop, lines);
      await expectInFile(testApp, placed, { paid: placed.bill.total, refunded: 0, due: 0 });
      const after = await moreIs(placed, shop, lines);
      await filesAre(after, before, lines);
      expect((await expectTakings(testApp, since)) - tipsBefore, 'tips in takings').toBe(after.bill.tip);
    });
    await fc.assert(property, { seed, numRuns: runs, endOnFailure: true, examples: [[party], [takeaway]] });
  });

  async function unitsAt(sku: string): Promise<number> {
    expect((await unitsOf(testApp.db.read, sku)).sold).toBe(0);
    const rows = await testApp.db.read
      .selectFrom('stock')
      .select('quantity')
      .where('sku', '=', sku)
      .where('location_id', '=', store)
      .execute();
    return sum(rows.map(({ quantity }) => quantity));
  }
});
