/** A coupon for certain products and categories, in every place that shows what it takes off. */
import { beforeAll, expect, it } from 'vitest';
import { formatMoney } from '#contract/formatters.ts';
import type { Order } from '#contract/schemas/order.ts';
import { mailsFor } from '#tests/accounts.ts';
import { approveAgent } from '#tests/agents.ts';
import { enter, issueCoupon } from '#tests/coupons.ts';
import { sellProduct } from '#tests/products.ts';
import { add, contact, deliver, pay, setUnits } from '#tests/shop-actions.ts';
import { askStaff, joinStaff, secureStaff } from '#tests/staff.ts';
import { createTestApp, forEachEngine, type Shopper, type TestApp } from '#tests/test-app.ts';

const [green, black, cup] = ['ITEMS-GREEN', 'ITEMS-BLACK', 'ITEMS-CUP'];
const idOf = (sku: string) => sku.toLowerCase();

forEachEngine((engine) => {
  let testApp: TestApp;
  let owner: Shopper;
  beforeAll(async () => {
    testApp = await createTestApp({ engine, demo: true, env: { PUBLIC_URL: 'https://shop.example' } });
    const category = { description: { en: '' }, image: null };
    await testApp.services.editor.upsertCategories([
      { ...category, id: 'items-teas', name: { en: 'Teas' }, parent: null },
      { ...category, id: 'items-greens', name: { en: 'Green teas' }, parent: 'items-teas' },
    ]);
    await sellProduct(testApp, green, {
      category: 'items-greens',
      priceCents: 1000,
      taxClass: 'zero-rated-grocery',
    });
    await sellProduct(testApp, black, {
      category: 'items-teas',
      priceCents: 505,
      taxClass: 'zero-rated-grocery',
    });
    await sellProduct(testApp, cup, { priceCents: 3000, taxClass: 'standard' });
    for (const sku of [green, black, cup]) await setUnits(testApp, sku, 1000);
    owner = await joinStaff(testApp, 'items@shop.example');
    await secureStaff(testApp, owner);
  });

  let people = 0;
  /** Two green teas, a black one and a cup, to be shipped within Ontario. */
  async function cart(skus: readonly string[] = [green, green, black, cup]) {
    people += 1;
    const email = `items-${people}@example.com`;
    const session = testApp.shopper();
    for (const sku of skus) await add(testApp, session, sku);
    await deliver(testApp, session, { contact: { ...contact, email } });
    return { session, email };
  }
  const use = (session: Shopper, code: string) =>
    enter(testApp, session, code, { headers: { 'x-forwarded-for': `203.0.113.${people}` } });
  const sharesOf = ({ lineItems, bill }: Pick<Order, 'lineItems' | 'bill'>) =>
    Object.fromEntries(
      (bill.coupon?.shares ?? []).map(({ line, amount }) => [
        lineItems.find(({ id }) => id === line)?.sku,
        amount,
      ]),
    );
  async function placed(code: string, skus?: readonly string[]) {
    const { session, email } = await cart(skus);
    expect((await use(session, code)).status).toBe(200);
    const { body } = await pay(testApp, session);
    const order = await testApp.call('order', { session, params: { id: body.orderID ?? '' } });
    return { order, email, number: order.orderNumber ?? '' };
  }
  const sheetOf = async (number: string) =>
    (await askStaff(testApp, 'order', { as: owner, params: { number } })).body;

  it('a percentage is taken off the lines of a category and of those below it, and off nothing else', async () => {
    const code = await issueCoupon(testApp, { percent: 15_000, categories: ['items-teas'] });
    const { session } = await cart();
    const { order } = (await use(session, code)).body;
    // 15 % of 2000 is 300, of 505 is 75.75.
    expect(sharesOf(order)).toEqual({ [green]: 300, [black]: 76 });
    // Shipping of 5505 − 376 costs 12.00; HST on the cup, and on what of the shipping is its.
    expect(order.bill).toMatchObject({ subtotal: 5505, discount: 376, couponCode: code, shipping: 1200 });
    const { subtotal, discount, shipping, tax, total } = order.bill;
    expect(subtotal - discount + shipping + tax).toBe(total);
  });

  it('an amount is divided among the products it is for, and is never more than they cost', async () => {
    const some = await issueCoupon(testApp, {
      kind: 'amount',
      percent: 0,
      amount: 500,
      products: [idOf(green), idOf(cup)],
    });
    const { session } = await cart();
    expect(sharesOf((await use(session, some)).body.order)).toEqual({ [green]: 200, [cup]: 300 });
    const all = await issueCoupon(testApp, {
      kind: 'amount',
      percent: 0,
      amount: 9900,
      products: [idOf(black)],
    });
    const { bill } = (await use(session, all)).body.order;
    expect([bill.discount, bill.coupon?.shares?.map(({ amount }) => amount)]).toEqual([505, [505]]);
  });

  it('a code is refused for other items, and its minimum counts only those it is for', async () => {
    const code = await issueCoupon(testApp, { categories: ['items-greens'], minSubtotal: 2000 });
    const { session } = await cart([black, cup]);
    const refused = await use(session, code);
    expect([refused.status, refused.body.message]).toEqual([
      409,
      `Code ${code} doesn’t apply to the items in your cart`,
    ]);
    await add(testApp, session, green);
    expect((await use(session, code)).body.message).toBe(
      `Code ${code} needs a $20.00 minimum of the items it applies to. Add $10.00 more to use it.`,
    );
    await add(testApp, session, green);
    expect((await use(session, code)).body.order.bill.discount).toBe(200);
    await testApp.call('updateCartItem', { session, params: { itemName: green }, body: { quantity: 1 } });
    const { bill } = await testApp.call('myCart', { session });
    expect([bill.discount, bill.coupon?.state]).toEqual([0, 'minimum']);
  });

  it('free shipping for certain items needs one of them, and is for the whole parcel', async () => {
    const code = await issueCoupon(testApp, { kind: 'freeShipping', percent: 0, products: [idOf(black)] });
    const { session } = await cart([cup]);
    expect((await use(session, code)).status).toBe(409);
    await add(testApp, session, black);
    expect((await use(session, code)).body.order.bill).toMatchObject({
      discount: 0,
      shipping: 0,
      shippingSaved: 1200,
    });
  });

  it('the order, its mail, its sheet, the file of orders and the books say what each line has of the discount', async () => {
    const code = await issueCoupon(testApp, { percent: 15_000, categories: ['items-teas'] });
    const { order, email, number } = await placed(code);
    expect(sharesOf(order)).toEqual({ [green]: 300, [black]: 76 });
    const [mail] = await mailsFor(testApp, email, 'orderConfirmation');
    for (const cents of [300, 76, 376])
      expect(mail?.text, 'the mail').toContain(formatMoney(cents, 'en', order.bill.currency));
    expect(mail?.text).toContain(`$3.00 off with ${code}`);
    const sheet = await sheetOf(number);
    expect(sheet.order.bill).toEqual(order.bill);
    const { body: book } = await askStaff(testApp, 'bookOrder', { as: owner, params: { number } });
    const parts = book.parts.filter(({ discount }) => discount > 0).map(({ discount }) => discount);
    expect(
      parts.toSorted((a, b) => a - b),
      'the books',
    ).toEqual([76, 300]);
  });

  it('a refund of a line gives back what was paid for it, and all refunds sum to the bill', async () => {
    const code = await issueCoupon(testApp, { percent: 15_000, categories: ['items-teas'] });
    const { order, number } = await placed(code);
    const { refundable } = await sheetOf(number);
    const last = (sku: string) => {
      const id = order.lineItems.find((line) => line.sku === sku)?.id;
      return refundable.lines.find(({ line }) => line === id)?.amounts.at(-1);
    };
    // Without tax: 2000 − 300 and 505 − 76; the cup in full, with 13 %.
    expect([last(green), last(black), last(cup)]).toEqual([1700, 429, 3390]);
    const whole = refundable.lines.reduce((sum, { amounts }) => sum + (amounts.at(-1) ?? 0), 0);
    expect(whole + refundable.shipping + refundable.serviceCharge).toBe(order.bill.total);
  });

  it('a changed order keeps the coupon as it was agreed, whatever became of the coupon and of categories', async () => {
    const code = await issueCoupon(testApp, { percent: 15_000, categories: ['items-greens'] });
    const { order, number } = await placed(code, [green, black, cup]);
    const { coupons, orderChanges } = testApp.services;
    const { coupon } = (await testApp.container.coupons.find(testApp.db.read, code)) ?? {};
    if (!coupon) throw new Error('The coupon is gone');
    await coupons.put({ ...coupon, percent: 50_000, categories: ['items-teas'] });
    const lineOf = (sku: string) => order.lineItems.find((line) => line.sku === sku)?.id ?? '';
    const id = order.orderID ?? '';
    const change = async (lines: object[]) => {
      const { version } = await orderChanges.plan(id, lines as never, 'en');
      await orderChanges.book(id, { lines: lines as never, version, mayGiveBack: true }, 'en');
      return (await sheetOf(number)).order;
    };
    // Two more green teas are discounted as agreed, the black one is not.
    const more = await change([{ line: lineOf(green), quantity: 3 }]);
    expect(sharesOf(more)).toEqual({ [green]: 450 });
    // Without a tea that it is for, there is no discount; with one again, it is as it was.
    const none = await change([{ line: lineOf(green), quantity: 0 }]);
    expect([none.bill.discount, none.bill.coupon]).toEqual([0, null]);
    const back = await change([{ sku: green, quantity: 1 }]);
    expect(back.bill.discount).toBe(150);
  });

  it('a product with another address is still what its coupon is for', async () => {
    await sellProduct(testApp, 'ITEMS-MOVED', { priceCents: 1000 });
    const code = await issueCoupon(testApp, { products: ['items-moved'] });
    await askStaff(testApp, 'moveProduct', {
      as: owner,
      params: { product: 'items-moved' },
      body: { id: 'items-arrived' },
    });
    const found = await testApp.container.coupons.find(testApp.db.read, code);
    expect(found?.coupon.products).toEqual(['items-arrived']);
  });

  it('agents see what each line has of the discount, and lines and totals sum to the bill', async () => {
    await testApp.services.settings.update({ agents: 'all' });
    const code = await issueCoupon(testApp, { percent: 15_000, categories: ['items-teas'] });
    const agent = await approveAgent(testApp, 'https://items-agent.example/profile');
    const { body } = await agent.ask('POST', '/carts', {
      line_items: [green, cup].map((id) => ({ item: { id }, quantity: 2 })),
      discounts: { codes: [code] },
    });
    expect(body.discounts.applied).toEqual([
      expect.objectContaining({ code, amount: 300, allocations: [{ path: '$.line_items[0]', amount: 300 }] }),
    ]);
    expect(body.totals).toContainEqual(expect.objectContaining({ type: 'items_discount', amount: -300 }));
    expect(body.line_items[0]?.totals).toEqual([
      { type: 'subtotal', amount: 2000 },
      { type: 'items_discount', amount: -300 },
      { type: 'total', amount: 1700 },
    ]);
    expect(body.line_items[1]?.totals).toEqual([
      { type: 'subtotal', amount: 6000 },
      { type: 'total', amount: 6000 },
    ]);
  });
});
