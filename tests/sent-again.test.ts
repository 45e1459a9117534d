/** Requests that arrive again: their answer was lost, or two people send them at once. The shop is as after one. */
import { randomUUID } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import { requestKeyHeader } from '#contract/limits.ts';
import type { StaffEndpointName } from '#contract/staff/endpoints.ts';
import { hourMs } from '#server/platform/time-zone.ts';
import { FakeProvider } from '#tests/fake-provider.ts';
import { sellProduct } from '#tests/products.ts';
import { add, address, contact, setUnits } from '#tests/shop-actions.ts';
import { askStaff, joinStaff, secureStaff } from '#tests/staff.ts';
import { createTestApp, onOneEngine, type Shopper, type TestApp } from '#tests/test-app.ts';

const mug = 'MUG-AGAIN';
const store = 'toronto-queen-west';

onOneEngine((engine) => {
  let testApp: TestApp;
  let owner: Shopper;
  let other: Shopper;
  const stripe = new FakeProvider('Stripe');
  beforeAll(async () => {
    testApp = await createTestApp({ engine, demo: true, providers: { stripe } });
    await sellProduct(testApp, mug, { inStoreOnly: true, taxClass: 'prepared-food' });
    await setUnits(testApp, mug, 2000, store);
    owner = await joinStaff(testApp, 'one@again.example');
    other = await joinStaff(testApp, 'two@again.example');
    await secureStaff(testApp, owner);
    await secureStaff(testApp, other);
  });

  const keyed = (key: string = randomUUID()) => ({ [requestKeyHeader]: key });
  const sheetOf = async (number: string) =>
    (await askStaff(testApp, 'order', { as: owner, params: { number } })).body;

  async function atTable(): Promise<Shopper> {
    const session = testApp.shopper();
    await add(testApp, session, mug, 2);
    const query = { methodName: 'instore', localStoreName: store, tableNumber: '4' };
    await testApp.call('orderContactInfo', { session, query, body: { contact } });
    return session;
  }

  async function placed(how: 'reserve' | 'pay') {
    const session = await atTable();
    const body = { confirmationToken: 'ctoken_1', billingAddress: address };
    const { orderID } =
      how === 'pay'
        ? await testApp.call('payByStripe', { session, body })
        : await testApp.call('reserve', { session });
    const { orderNumber } = await testApp.call('order', { session, params: { id: orderID ?? '' } });
    return sheetOf(orderNumber ?? '');
  }

  const refundOf = ({ order, refundable }: Awaited<ReturnType<typeof placed>>) => {
    const [line] = refundable.lines;
    const [amount = 0] = line?.amounts ?? [];
    return {
      params: { number: order.orderNumber ?? '' },
      body: {
        lines: [{ line: line?.line, quantity: 1 }],
        shipping: false,
        serviceCharge: false,
        tip: 0,
        amount,
        refunded: refundable.refunded,
        restock: true,
        reason: 'chipped',
        note: '',
      },
    };
  };

  it('a refund whose answer is lost is paid once, also when it is sent again an hour later', async () => {
    const request = refundOf(await placed('pay'));
    const headers = keyed();
    const taken = stripe.taken;
    const first = await askStaff(testApp, 'refundOrder', { as: owner, headers, ...request });
    expect([first.status, first.body]).toEqual([200, { given: true }]);
    expect(taken - stripe.taken).toBe(request.body.amount);
    for (const ms of [0, hourMs / 8]) {
      testApp.clock.advance(ms);
      const again = await askStaff(testApp, 'refundOrder', { as: owner, headers, ...request });
      expect([again.status, again.body]).toEqual([200, first.body]);
    }
    expect(taken - stripe.taken).toBe(request.body.amount);
    expect((await sheetOf(request.params.number)).refunds).toHaveLength(1);
  });

  it('two people who make one refund at once pay it once, and the other is told', async () => {
    const request = refundOf(await placed('pay'));
    const taken = stripe.taken;
    const answers = await Promise.all(
      [owner, other].map((as) => askStaff(testApp, 'refundOrder', { as, ...request })),
    );
    expect(answers.map(({ status, body }) => body.errorKey ?? status).sort()).toEqual([
      200,
      'error.refund.before',
    ]);
    expect(taken - stripe.taken).toBe(request.body.amount);
  });

  it('two arrivals of one request at the same time are done once and answered alike', async () => {
    const request = refundOf(await placed('pay'));
    const headers = keyed();
    const answers = await Promise.all(
      [1, 2, 3].map(() => askStaff(testApp, 'refundOrder', { as: owner, headers, ...request })),
    );
    expect(answers.map(({ status, body }) => [status, body])).toEqual(
      Array.from({ length: 3 }, () => [200, { given: true }]),
    );
    expect((await sheetOf(request.params.number)).refunds).toHaveLength(1);
  });

  it('money that is taken, a note and a change of items are booked once for one key', async () => {
    const { order, refundable } = await placed('reserve');
    const params = { number: order.orderNumber ?? '' };
    const lines = [{ line: refundable.lines[0]?.line, quantity: 3 }];
    const twice = async (name: StaffEndpointName, body: object) => {
      const input = { as: owner, params, body, headers: keyed() };
      const [first, again] = [await askStaff(testApp, name, input), await askStaff(testApp, name, input)];
      expect([name, first.status, again.status]).toEqual([name, 200, 200]);
      expect(again.body).toEqual(first.body);
    };
    await twice('takeMoney', { kind: 'cash', amount: 500, due: order.due });
    await twice('noteOrder', { text: 'Sits by the window' });
    const preview = await askStaff(testApp, 'previewChange', { as: owner, params, body: { lines } });
    await twice('changeOrder', { lines, version: preview.body.version });
    const after = await sheetOf(params.number);
    expect(after.payments.map(({ amount }) => amount)).toEqual([500]);
    expect(after.notes).toHaveLength(1);
    expect(after.order.lineItems.map(({ quantity }) => quantity)).toEqual([3]);
  });

  it('two people who take one payment at once book it once, and the other hears how it was paid', async () => {
    const { order } = await placed('reserve');
    const take = (as: Shopper, kind: string) =>
      askStaff(testApp, 'takeMoney', {
        as,
        params: { number: order.orderNumber ?? '' },
        body: { kind, amount: order.due, due: order.due },
      });
    expect((await take(owner, 'cash')).status).toBe(200);
    const { status, body } = await take(other, 'terminal');
    expect([status, 'message' in body && body.message]).toEqual([
      409,
      `${order.orderNumber} was already paid by cash. Did you take it by terminal as well?`,
    ]);
  });

  it('a key whose request asked for something else is refused, and a call without its key is none', async () => {
    const { order } = await placed('reserve');
    const input = { as: owner, params: { number: order.orderNumber ?? '' } };
    const headers = keyed();
    expect((await askStaff(testApp, 'noteOrder', { ...input, headers, body: { text: 'One' } })).status).toBe(
      200,
    );
    const otherwise = await askStaff(testApp, 'noteOrder', { ...input, headers, body: { text: 'Two' } });
    expect([otherwise.status, otherwise.body.errorKey]).toEqual([409, 'error.sentBefore']);
    const without = await askStaff(testApp, 'noteOrder', {
      ...input,
      headers: keyed(''),
      body: { text: 'One' },
    });
    expect(without.status).toBe(400);
    expect(
      (await askStaff(testApp, 'noteOrder', { ...input, as: other, headers, body: { text: 'Two' } })).status,
    ).toBe(200);
  });

  it('two devices that take one order by cash and by terminal are told, whichever comes late', async () => {
    const { order } = await placed('reserve');
    const number = order.orderNumber ?? '';
    const { body: seen } = await askStaff(testApp, 'deskOrders', { as: owner, query: { numbers: number } });
    const version = seen.orders[0]?.version;
    const move = (as: Shopper, paid: string) =>
      askStaff(testApp, 'moveOrder', { as, params: { number }, body: { to: 'completed', version, paid } });
    expect((await move(owner, 'cash')).status).toBe(200);
    testApp.clock.advance(hourMs / 8);
    expect((await move(owner, 'cash')).status).toBe(200);
    const late = await move(other, 'terminal');
    expect([late.status, 'message' in late.body && late.body.message]).toEqual([
      409,
      `${number} was already paid by cash. Did you take it by terminal as well?`,
    ]);
    expect((await sheetOf(number)).payments.map(({ kind }) => kind)).toEqual(['cash']);
  });

  it('units that are put in the cart are put there once for one key', async () => {
    const session = testApp.shopper();
    await add(testApp, session, mug);
    const input = { session, params: { itemName: mug }, body: { quantity: 1 }, headers: keyed() };
    const carts = [await testApp.call('addToCart', input), await testApp.call('addToCart', input)];
    expect(carts.map(({ lineItems }) => lineItems[0]?.quantity)).toEqual([2, 2]);
    const more = await testApp.call('addToCart', { ...input, headers: keyed() });
    expect(more.lineItems[0]?.quantity).toBe(3);
  });

  it('a guest at a table who orders again after a lost answer comes to the order, not to an empty cart', async () => {
    const session = await atTable();
    const { bill } = await testApp.call('myCart', { session });
    const first = await testApp.call('reserve', { session, body: { billVersion: bill.billVersion } });
    const empty = await testApp.call('myCart', { session });
    for (const body of [{ billVersion: bill.billVersion }, { billVersion: empty.bill.billVersion }, {}])
      expect(await testApp.call('reserve', { session, body })).toEqual(first);
    const pay = {
      confirmationToken: 'ctoken_1',
      billingAddress: address,
      billVersion: empty.bill.billVersion,
    };
    expect(await testApp.call('payByStripe', { session, body: pay })).toMatchObject(first);
    // Somebody who has looked around meanwhile has a cart again, which is empty.
    await add(testApp, session, mug, 1);
    await testApp.call('deleteCartItem', { session, body: { itemName: mug } });
    for (const body of [{ billVersion: empty.bill.billVersion }, {}])
      expect(await testApp.call('reserve', { session, body })).toEqual(first);
    testApp.clock.advance(hourMs / 2);
    expect(
      (await testApp.ask('reserve', { session, body: { billVersion: empty.bill.billVersion } })).status,
    ).toBe(409);
  });
});
