/** Devices at the counter of a store, and the people who use them, over HTTP. */
import { randomUUID } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import { requestKeyHeader } from '#contract/limits.ts';
import { dayMs, hourMs, minuteMs } from '#server/platform/time-zone.ts';
import { sellProduct } from '#tests/products.ts';
import { add, pay, visit } from '#tests/shop-actions.ts';
import {
  askStaff as ask,
  codeOf,
  joinStaff as join,
  joinStation,
  secureStaff,
  staffPassword,
} from '#tests/staff.ts';
import { createTestApp, onBothEngines, type Shopper, type TestApp } from '#tests/test-app.ts';

const store = 'toronto-queen-west';
const params = { store };
const item = 'sku:MUG-PIN';

onBothEngines((engine) => {
  let testApp: TestApp;
  let owner: Shopper;
  let station: Shopper;
  const idOf = async (name: string) =>
    (await ask(testApp, 'stationPeople', { as: station })).body.people.find((each) => each.name === name)
      ?.id ?? '';
  const enter = async (name: string, pin: string) =>
    ask(testApp, 'enterPin', { as: station, body: { person: await idOf(name), pin } });
  const mark = (soldOut: boolean) =>
    ask(testApp, 'markSoldOut', { as: station, params, body: { item, soldOut } });
  const nameThere = async () => (await ask(testApp, 'me', { as: station })).body.name;

  beforeAll(async () => {
    testApp = await createTestApp({ engine, demo: true });
    await sellProduct(testApp, 'MUG-PIN');
    owner = await join(testApp, 'olga@shop.example');
    await secureStaff(testApp, owner);
    const manager = await join(testApp, 'mark@shop.example', 'manager', [store]);
    await secureStaff(testApp, manager);
    for (const [email, role, stores, pin] of [
      ['ann@shop.example', 'assistant', [store], '4071'],
      ['ben@shop.example', 'packer', null, '920417'],
      ['eve@shop.example', 'assistant', ['waterloo-uptown'], '5813'],
      ['wes@shop.example', 'writer', null, '5813'],
    ] as const) {
      const as = await join(testApp, email, role, stores && [...stores]);
      expect((await ask(testApp, 'setPin', { as, body: { pin } })).status).toBe(200);
    }
    const elsewhere = await ask(testApp, 'startStation', { as: manager, body: { store: 'waterloo-uptown' } });
    expect(elsewhere.status).toBe(404);
    station = await joinStation(testApp, manager, store);
  });

  it('a station takes the place of the person, shows its store only, and lasts as long as it is used', async () => {
    expect((await ask(testApp, 'me', { as: station })).body).toMatchObject({
      station: store,
      stores: [store],
      name: '',
      role: 'station',
    });
    expect((await ask(testApp, 'storeDays', { as: station, params })).status).toBe(200);
    expect(
      (await ask(testApp, 'storeDays', { as: station, params: { store: 'waterloo-uptown' } })).status,
    ).toBe(404);
    const later = await createTestApp({ engine, demo: true });
    const boss = await join(later, 'boss@shop.example');
    await secureStaff(later, boss);
    const device = await joinStation(later, boss, store);
    for (const [days, status] of [
      [80, 200],
      [80, 200],
      [91, 401],
    ] as const) {
      later.clock.advance(days * dayMs);
      expect((await ask(later, 'me', { as: device })).status).toBe(status);
    }
  });

  it('the people of a station are those with a PIN who may do something in its store', async () => {
    const { people } = (await ask(testApp, 'stationPeople', { as: station })).body;
    expect(people.map(({ name }) => name)).toEqual(['ann', 'ben']);
  });

  it('a change needs a person, is in the journal with them, and they stay for five minutes after the last one', async () => {
    expect((await mark(true)).body.errorKey).toBe('staff.pinNeeded');
    expect((await enter('ann', '4071')).body).toMatchObject({ name: 'ann', station: store });
    expect((await mark(true)).status).toBe(200);
    const [entry] = (await ask(testApp, 'journal', { as: owner })).body.entries;
    expect(entry).toMatchObject({ by: 'ann', action: 'sold-out' });
    testApp.clock.advance(4 * minuteMs);
    expect((await mark(false)).status).toBe(200);
    testApp.clock.advance(4 * minuteMs);
    expect(await nameThere()).toBe('ann');
    testApp.clock.advance(minuteMs);
    expect(await nameThere()).toBe('');
    expect((await mark(true)).body.errorKey).toBe('staff.pinNeeded');
    await enter('ann', '4071');
    expect((await ask(testApp, 'leaveStation', { as: station })).body.name).toBe('');
    expect((await mark(true)).body.errorKey).toBe('staff.pinNeeded');
  });

  it('a request that a station sends again is done once, also after somebody else has entered a PIN', async () => {
    const session = testApp.shopper();
    await add(testApp, session, 'MUG-PIN');
    await visit(testApp, session);
    const { orderID = '' } = (await pay(testApp, session)).body;
    const { orderNumber: number } = await testApp.call('order', { session, params: { id: orderID } });
    const note = (key: string) =>
      ask(testApp, 'noteOrder', {
        as: station,
        headers: { [requestKeyHeader]: key },
        params: { number: number ?? '' },
        body: { text: 'No sugar' },
      });
    const [first, second] = [randomUUID(), randomUUID()];
    await enter('ann', '4071');
    expect((await note(first)).status).toBe(200);
    await enter('ben', '920417');
    expect((await note(first)).status).toBe(200);
    expect((await note(second)).status).toBe(200);
    const { notes } = (await ask(testApp, 'order', { as: owner, params: { number: number ?? '' } })).body;
    expect(notes.map(({ by }) => by).sort()).toEqual(['ann', 'ben']);
    await ask(testApp, 'leaveStation', { as: station });
  });

  it('a station at which nobody is shows what is open, and nothing that is done', async () => {
    const session = testApp.shopper();
    await add(testApp, session, 'MC-SW-01');
    await visit(testApp, session);
    const { orderID = '' } = (await pay(testApp, session)).body;
    const row = await testApp.db.read
      .selectFrom('orders')
      .select('order_number')
      .where('id', '=', orderID)
      .executeTakeFirst();
    const number = row?.order_number ?? '';
    const seen = async () => {
      const query = { state: 'completed' };
      const [desk, named, list, done, papers, one] = [
        (await ask(testApp, 'deskOrders', { as: station })).body.orders,
        (await ask(testApp, 'deskOrders', { as: station, query: { numbers: number } })).body.orders,
        (await ask(testApp, 'orders', { as: station })).body.orders,
        (await ask(testApp, 'orders', { as: station, query })).body.orders,
        (await ask(testApp, 'papers', { as: station, query: { numbers: number } })).body.papers,
        await ask(testApp, 'order', { as: station, params: { number } }),
      ];
      return [
        ...[desk, named, list, done, papers].map((each) => each.some((order) => order.number === number)),
        one.status,
      ];
    };
    expect(await seen()).toEqual([true, true, true, false, true, 200]);
    await testApp.container.changes.run({ kind: 'terminal' }, 'orders completed', (change) =>
      testApp.container.fulfilment.move(change, number, 'completed'),
    );
    expect(await seen()).toEqual([false, false, false, false, false, 404]);
    await enter('ann', '4071');
    expect(await seen()).toEqual([true, true, true, true, true, 200]);
    await ask(testApp, 'leaveStation', { as: station });
  });

  it('a person at a station may do what they may elsewhere, but nothing that needs password and code', async () => {
    await enter('ben', '920417');
    expect((await mark(true)).status).toBe(403);
    const lines: never[] = [];
    const refund = await ask(testApp, 'refundOrder', {
      as: station,
      params: { number: 'x' },
      body: { lines },
    });
    const confirm = await ask(testApp, 'confirm', { as: station, body: { password: staffPassword } });
    const pin = await ask(testApp, 'setPin', { as: station, body: { pin: '4071' } });
    expect([refund, confirm, pin].map(({ status }) => status)).toEqual([403, 403, 403]);
    await ask(testApp, 'leaveStation', { as: station });
  });

  it('guessing a PIN is slowed down by person and by station, and an easy one is refused', async () => {
    const guesses: (string | undefined)[] = [];
    for (let n = 0; n < 6; n += 1) guesses.push((await enter('ann', `100${n}`)).body.errorKey);
    expect(guesses).toEqual([...Array(5).fill('error.fields'), 'error.rateLimited']);
    expect((await enter('ann', '4071')).status).toBe(429);
    expect((await enter('ben', '920417')).status).toBe(200);
    for (let n = 0; n < 12; n += 1) {
      const body = { person: `nobody-${n}`, pin: '4071' };
      await ask(testApp, 'enterPin', { as: station, body });
    }
    expect((await enter('ben', '920417')).status).toBe(429);
    testApp.clock.advance(hourMs);
    expect((await enter('ann', '4071')).status).toBe(200);
    const as = await join(testApp, 'easy@shop.example', 'assistant', [store]);
    for (const easy of ['1111', '1234', '987654'])
      expect((await ask(testApp, 'setPin', { as, body: { pin: easy } })).body.errors).toHaveProperty('pin');
    testApp.clock.advance(hourMs);
    expect((await ask(testApp, 'setPin', { as, body: { pin: '4071' } })).body.errorKey).toBe(
      'staff.confirmNeeded',
    );
  });

  it('a station is listed, ended from the staff room, and out at once; so is a person who is blocked', async () => {
    const boss = await join(testApp, 'bob@shop.example');
    const { secret } = await secureStaff(testApp, boss);
    await ask(testApp, 'leaveStation', { as: station });
    await enter('ann', '4071');
    const { staff } = (await ask(testApp, 'staff', { as: boss })).body;
    const ann = staff.find(({ name }) => name === 'ann')?.id ?? '';
    await ask(testApp, 'confirm', {
      as: boss,
      body: { password: staffPassword, code: codeOf(secret, testApp) },
    });
    expect(
      (await ask(testApp, 'changeStaff', { as: boss, params: { id: ann }, body: { blocked: true } })).status,
    ).toBe(200);
    expect(await nameThere()).toBe('');
    const { stations } = (await ask(testApp, 'stations', { as: boss })).body;
    expect(stations).toMatchObject([{ store }]);
    const id = stations[0]?.id ?? '';
    expect((await ask(testApp, 'endStation', { as: boss, params: { id } })).body.stations).toEqual([]);
    expect((await ask(testApp, 'me', { as: station })).status).toBe(401);
  });
});
