/** The calls of the desk: what staff of a store see, moving orders on, undoing it, and taking a step back later. */
import { beforeAll, expect, it } from 'vitest';
import { mostAtOnce, undoMs } from '#contract/limits.ts';
import { mailsFor, subjectOf } from '#tests/accounts.ts';
import { sellProduct } from '#tests/products.ts';
import { add, address, contact, finish, setUnits, unitsOf } from '#tests/shop-actions.ts';
import { askStaff, joinStaff, secureStaff } from '#tests/staff.ts';
import { createTestApp, forEachEngine, type Shopper, type TestApp, testNow } from '#tests/test-app.ts';
import { deskOrders } from '../fulfilment/desk.repository.ts';

const mug = 'MUG-DESK';
const store = 'toronto-queen-west';

forEachEngine((engine) => {
  let testApp: TestApp;
  let as: Shopper;
  let asked = 0;
  beforeAll(async () => {
    testApp = await createTestApp({ engine, demo: true });
    await sellProduct(testApp, mug);
    await setUnits(testApp, mug, 50, store);
    as = await joinStaff(testApp, 'desk@desk.example', 'assistant', [store]);
  });

  async function placed(how: 'reserve' | 'pay') {
    asked += 1;
    const email = `desk.calls.${asked}@example.com`;
    const session = testApp.shopper();
    await add(testApp, session, mug, 2);
    const query = { methodName: 'pickup', localStoreName: store };
    await testApp.call('orderContactInfo', { session, query, body: { contact: { ...contact, email } } });
    await testApp.call('orderPickupDate', {
      session,
      body: { pickupDate: testNow + 4 * 60 * 60_000 + asked * 5 * 60_000 },
    });
    const { number } = await finish(testApp, session, { how, lang: 'en' });
    return { number, email };
  }
  const see = async (number: string) => {
    const { body } = await askStaff(testApp, 'deskOrders', { as });
    const order = body.orders.find((each) => each.number === number);
    if (!order) throw new Error(`${number} is not on the desk`);
    return order;
  };
  const call = (
    name: 'moveOrder' | 'undoMove' | 'takeBackMove' | 'tickLine',
    number: string,
    body: object,
    by = as,
  ) => askStaff(testApp, name, { as: by, params: { number }, body });
  const subjects = async (email: string) => (await mailsFor(testApp, email)).map(subjectOf);

  it('the desk of a store shows its open orders, and those of another store are not there', async () => {
    const { number } = await placed('pay');
    expect(await see(number)).toMatchObject({
      state: 'placed',
      store,
      due: 0,
      next: ['ready', 'completed'],
      lines: [{ quantity: 2 }],
    });
    const other = await joinStaff(testApp, 'other@desk.example', 'assistant', ['ottawa-byward']);
    const { body } = await askStaff(testApp, 'deskOrders', { as: other });
    expect(body.orders.map((each) => each.number)).not.toContain(number);
    const { version } = await see(number);
    expect((await call('moveOrder', number, { to: 'ready', version }, other)).status).toBe(404);
    expect((await see(number)).state).toBe('placed');
  });

  it('the desk keeps the newest orders of each delivery method, and counts those for which it has no room', async () => {
    const numbers: string[] = [];
    for (let count = 0; count < 3; count += 1) {
      numbers.push((await placed('pay')).number);
      testApp.clock.advance(1000);
    }
    const parcel = testApp.shopper();
    await setUnits(testApp, mug, 50);
    await add(testApp, parcel, mug);
    await testApp.call('orderDeliverInfo', { session: parcel, body: { contact, address } });
    const sent = await finish(testApp, parcel, { how: 'pay', lang: 'en' });
    await setUnits(testApp, mug, 50, store);
    const see = (most: number) => deskOrders(testApp.db.read, 'all', { since: testApp.clock.now(), most });
    const { orders, hidden } = await see(2);
    const waits = ({ state }: { state: string }) => state !== 'shipped' && state !== 'completed';
    const numbersOf = (method: string) =>
      orders.filter(waits).flatMap((each) => (each.method === method ? each.number : []));
    expect(numbersOf('pickup')).toEqual([numbers[1], numbers[2]]);
    expect(numbersOf('shipping')).toContain(sent.number);
    const all = (await see(200)).orders.filter((each) => waits(each) && each.method === 'pickup');
    expect(hidden).toContainEqual({ method: 'pickup', count: all.length - 2 });
  });

  it('an order that is made ready mails its customer after ten seconds, unless it was undone before', async () => {
    const { number, email } = await placed('pay');
    const before = await subjects(email);
    const { version } = await see(number);
    const moved = await call('moveOrder', number, { to: 'ready', version });
    expect([moved.status, moved.body]).toMatchObject([200, { state: 'ready' }]);
    expect(await subjects(email)).toEqual(before);
    const undone = await call('undoMove', number, { version: version + 1 });
    expect(undone.body).toMatchObject({ state: 'placed' });
    testApp.clock.advance(undoMs);
    expect(await subjects(email)).toEqual(before);

    await call('moveOrder', number, { to: 'ready', version: version + 2 });
    testApp.clock.advance(undoMs + 1);
    expect(await subjects(email)).toHaveLength(before.length + 1);
    const late = await call('undoMove', number, { version: version + 3 });
    expect([late.status, late.body.errorKey]).toEqual([409, 'error.order.tooLate']);
  });

  it('a move that is sent twice is made once, and one that was seen otherwise is refused', async () => {
    const { number } = await placed('pay');
    const { version } = await see(number);
    const answers = [];
    for (let time = 0; time < 2; time += 1)
      answers.push(await call('moveOrder', number, { to: 'ready', version }));
    expect(answers.map(({ status, body }) => [status, body])).toMatchObject([
      [200, { state: 'ready', version: version + 1 }],
      [200, { state: 'ready', version: version + 1 }],
    ]);
    const outdated = await call('moveOrder', number, { to: 'completed', version });
    expect([outdated.status, outdated.body.errorKey]).toEqual([409, 'error.order.changed']);
  });

  it('a collected reservation that is taken back holds its stock again, and what was taken at the counter is due', async () => {
    const { number } = await placed('reserve');
    const { version, due } = await see(number);
    const before = await unitsOf(testApp.db.read, mug);
    expect(due).toBeGreaterThan(0);
    await call('moveOrder', number, { to: 'completed', version, paid: 'cash' });
    expect(await see(number)).toMatchObject({ state: 'completed', due: 0 });
    testApp.clock.advance(60_000);
    const back = await call('takeBackMove', number, { version: version + 1, reason: 'the wrong bag' });
    expect(back.body).toMatchObject({ state: 'reserved', due });
    expect(await unitsOf(testApp.db.read, mug)).toEqual(before);
    await call('moveOrder', number, { to: 'completed', version: version + 2, paid: 'cash' });
    expect(await see(number)).toMatchObject({ state: 'completed', due: 0 });
    expect(await unitsOf(testApp.db.read, mug)).toMatchObject({
      sold: before.sold + 2,
      held: before.held - 2,
    });
  });

  it('an order that is wholly refunded leaves the desk, and the list and its page say so', async () => {
    const { number } = await placed('pay');
    const numbers = async () =>
      (await askStaff(testApp, 'deskOrders', { as })).body.orders.map((order) => order.number);
    const said = async () => {
      const { orders } = (await askStaff(testApp, 'orders', { as, query: { text: number } })).body;
      const page = (await askStaff(testApp, 'order', { as, params: { number } })).body;
      const steps = (await askStaff(testApp, 'deskOrders', { as, query: { numbers: number } })).body.orders;
      return [orders.map((row) => row.isRefunded), page.isRefunded, steps.flatMap(({ next }) => next)];
    };
    const { refund } = testApp.services.orderRefunds;
    await refund(number, { amount: 100, reason: 'late' });
    expect(await numbers()).toContain(number);
    expect(await said()).toEqual([[false], false, ['ready', 'completed']]);
    await refund(number, { reason: 'gone' });
    expect(await numbers()).not.toContain(number);
    expect(await said()).toEqual([[true], true, []]);
  });

  it('an order whose refund corrects a payment is due again and stays on the desk', async () => {
    const { number } = await placed('pay');
    await testApp.services.orderRefunds.refund(number, { reason: 'another card', corrects: true });
    expect((await see(number)).due).toBeGreaterThan(0);
  });

  it('several orders are moved at once, each by itself, and those that are moved are undone', async () => {
    const placements = [await placed('pay'), await placed('pay'), await placed('pay')];
    const orders: { number: string; version: number }[] = [];
    for (const { number } of placements) orders.push({ number, version: (await see(number)).version });
    const [first, second, third] = orders as [(typeof orders)[0], (typeof orders)[0], (typeof orders)[0]];
    await call('moveOrder', second.number, { to: 'completed', version: second.version });
    const sent = [...orders, { number: 'MC-0000-000000', version: 1 }];
    const moved = await askStaff(testApp, 'moveOrders', { as, body: { to: 'ready', orders: sent } });
    expect(moved.body.outcomes).toEqual([
      { number: first.number, version: first.version + 1, moved: true, problem: '' },
      {
        number: second.number,
        version: second.version,
        moved: false,
        problem: expect.stringContaining(second.number),
      },
      { number: third.number, version: third.version + 1, moved: true, problem: '' },
      { number: 'MC-0000-000000', version: 1, moved: false, problem: expect.stringMatching(/couldn’t find/) },
    ]);
    const again = await askStaff(testApp, 'moveOrders', { as, body: { to: 'ready', orders: [first] } });
    expect(again.body.outcomes).toEqual([
      { number: first.number, version: first.version + 1, moved: false, problem: '' },
    ]);
    const undone = await askStaff(testApp, 'undoMoves', {
      as,
      body: { orders: moved.body.outcomes.slice(0, 1) },
    });
    expect(undone.status).toBe(400);
    const { number, version } = moved.body.outcomes[0] ?? first;
    expect(
      (await askStaff(testApp, 'undoMoves', { as, body: { orders: [{ number, version }] } })).body.outcomes,
    ).toEqual([{ number, version: version + 1, moved: true, problem: '' }]);
    expect((await see(first.number)).state).toBe('placed');
    expect((await see(third.number)).state).toBe('ready');
    const most = { to: 'ready', orders: Array.from({ length: mostAtOnce + 1 }, () => first) };
    expect((await askStaff(testApp, 'moveOrders', { as, body: most })).status).toBe(400);
  });

  it('a line is ticked and the tick taken back, and a line of another order is not there', async () => {
    const { number } = await placed('pay');
    const [line] = (await see(number)).lines;
    expect((await call('tickLine', number, { line: line?.id, ticked: true })).body).toMatchObject({
      lines: [{ ticked: true }],
    });
    expect((await call('tickLine', number, { line: line?.id, ticked: false })).body).toMatchObject({
      lines: [{ ticked: false }],
    });
    const other = await placed('pay');
    expect((await call('tickLine', other.number, { line: line?.id, ticked: true })).status).toBe(404);
  });

  it('money at the counter is undone by whoever may refund, and by whoever took it the same day', async () => {
    const packer = await joinStaff(testApp, 'packs@desk.example', 'packer', [store]);
    const seenBy = async (number: string, by: Shopper) => {
      const { orders } = (await askStaff(testApp, 'deskOrders', { as: by, query: { numbers: number } })).body;
      return { version: orders[0]?.version ?? 0, mayTakeBack: orders[0]?.mayTakeBack };
    };
    const collected = async (by: Shopper) => {
      const { number } = await placed('reserve');
      const { version } = await see(number);
      expect((await call('moveOrder', number, { to: 'completed', version, paid: 'cash' }, by)).status).toBe(
        200,
      );
      return number;
    };
    const back = async (number: string, by: Shopper, offered: boolean) => {
      const { version, mayTakeBack } = await seenBy(number, by);
      expect(mayTakeBack).toBe(offered);
      const { status, body } = await call('takeBackMove', number, { version, reason: 'the wrong bag' }, by);
      return [status, JSON.stringify(body).includes('Somebody else took this money')];
    };
    const own = await collected(packer);
    expect(await back(own, packer, true)).toEqual([200, false]);
    const others = await collected(as);
    expect(await back(others, packer, false)).toEqual([403, true]);
    const undone = await askStaff(testApp, 'undoMoves', {
      as: packer,
      body: { orders: [{ number: others, version: (await seenBy(others, packer)).version }] },
    });
    expect(undone.body.outcomes).toMatchObject([
      { moved: false, problem: expect.stringContaining('Somebody else took') },
    ]);
    expect(await see(others)).toMatchObject({ state: 'completed', due: 0 });
    const yesterdays = await collected(packer);
    // Until the next day at the store, without the session ending meanwhile.
    for (const hours of [6, 6, 6]) {
      testApp.clock.advance(hours * 60 * 60_000);
      await seenBy(yesterdays, packer);
    }
    const manager = await joinStaff(testApp, 'leads@desk.example', 'manager', [store]);
    await secureStaff(testApp, manager);
    expect(await back(yesterdays, packer, false)).toEqual([403, true]);
    expect(await back(yesterdays, manager, true)).toEqual([200, false]);
  });
});
