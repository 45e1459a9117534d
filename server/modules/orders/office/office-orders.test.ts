/** The orders that the office lists and shows, to whom. */
import { beforeAll, describe, expect, it } from 'vitest';
import { mostAtOnce } from '#contract/limits.ts';
import type { OrderQuery } from '#contract/staff/orders.ts';
import { writeOrderWords } from '#server/modules/orders/order/order-pages.repository.ts';
import { updateOrder } from '#server/modules/orders/order/orders.repository.ts';
import { balanceOf } from '#server/modules/payments/index.ts';
import { mintPermit } from '#server/platform/permits.ts';
import { dayMs } from '#server/platform/time-zone.ts';
import { sellProduct } from '#tests/products.ts';
import { add, contact, deliver, finish, visit } from '#tests/shop-actions.ts';
import { askStaff, joinStaff, secureStaff } from '#tests/staff.ts';
import { createTestApp, onBothEngines, type Shopper, type TestApp } from '#tests/test-app.ts';

const may = (stores: string[] | null = null) => mintPermit('orders.read', { kind: 'terminal' }, stores);

onBothEngines((engine) => {
  let testApp: TestApp;
  beforeAll(async () => {
    testApp = await createTestApp({ engine, demo: true });
  });
  const page = (query: OrderQuery, stores: string[] | null = null) =>
    testApp.services.officeOrders.page(may(stores), query);

  /** Every page of what is asked for. */
  async function all(query: OrderQuery, stores: string[] | null = null) {
    const found = [];
    for (let after: string | undefined; ; ) {
      const answer = await page({ ...query, ...(after ? { after } : {}) }, stores);
      found.push(...answer.orders);
      if (answer.after === null) return found;
      after = answer.after;
    }
  }

  describe('the list', () => {
    it('people of one store see its orders, and no order of another exists for them', async () => {
      const every = await all({});
      const [store = ''] = every.flatMap((row) => row.store ?? []);
      const own = every.filter((row) => row.store === store);
      const foreign = every.find((row) => row.store !== store);
      expect(await all({}, [store])).toEqual(own);
      expect(own.length).toBeLessThan(every.length);
      expect(await all({}, [])).toEqual([]);
      const others = every.flatMap((row) => row.store ?? []).filter((other) => other !== store);
      expect(others.length).toBeGreaterThan(0);
      for (const other of new Set(['nowhere', ...others]))
        expect([other, await all({ store: other }, [store])]).toEqual([other, []]);
      const { officeOrders } = testApp.services;
      await expect(officeOrders.sheet(may([store]), foreign?.number ?? '', 'en')).rejects.toThrow(
        'There is no order',
      );
      await expect(page({ after: foreign?.number ?? '' }, [store])).rejects.toThrow('There is no order');
    });

    it('people of two stores see the orders of both, in the order of all', async () => {
      const every = await all({});
      const stores = [...new Set(every.flatMap((row) => row.store ?? []))].slice(0, 2);
      expect(stores).toHaveLength(2);
      expect(await all({}, stores)).toEqual(
        every.filter(({ store }) => store !== null && stores.includes(store)),
      );
    });

    it('orders are chosen by state, way of delivery and day', async () => {
      const every = await all({});
      expect(await all({ state: 'open' })).toEqual(
        every.filter(({ state }) => !['completed', 'cancelled', 'lapsed'].includes(state)),
      );
      expect(await all({ method: 'pickup' })).toEqual(every.filter(({ method }) => method === 'pickup'));
      const day = '2026-05-10';
      const span = [Date.UTC(2026, 4, 10, 4), Date.UTC(2026, 4, 11, 4)] as const;
      expect(await all({ from: day, to: day })).toEqual(
        every.filter(({ placedAt }) => placedAt >= span[0] && placedAt < span[1]),
      );
      await expect(page({ from: '2026-02-30' })).rejects.toThrow('error.fields');
    });

    it('the list says what is due as the balance of each order does, and finds orders that owe', async () => {
      const reserved = async () => {
        const session = testApp.shopper();
        await add(testApp, session, 'MC-SW-01');
        await visit(testApp, session);
        return (await finish(testApp, session, { how: 'reserve', lang: 'en' })).number;
      };
      const orderNumber = await reserved();
      await testApp.services.fulfilment.take(orderNumber, 'cash', 100);
      await testApp.services.orderRefunds.refund(orderNumber, {
        reason: 'a mistake',
        amount: 40,
        corrects: true,
      });
      const wronglyTaken = await reserved();
      await testApp.services.fulfilment.move(wronglyTaken, 'completed', 'cash');
      await testApp.services.orderRefunds.refund(wronglyTaken, {
        reason: 'a mistake',
        amount: 40,
        corrects: true,
      });
      const every = await all({});
      for (const { number, due } of every) {
        const { id } = await testApp.services.fulfilment.find(number);
        expect(due, number).toBe((await balanceOf(testApp.db.read, id)).due);
      }
      const owing = await all({ owes: 'yes' });
      expect(owing.map(({ number }) => number)).toEqual(expect.arrayContaining([orderNumber, wronglyTaken]));
      expect(owing).toEqual(every.filter(({ due }) => due > 0));
    });
  });

  it('an order is found by its items, notes and table, and no longer by what is deleted of its buyer', async () => {
    const session = testApp.shopper();
    await add(testApp, session, 'MC-SW-01');
    await visit(testApp, session);
    const { number, id } = await finish(testApp, session, { how: 'pay', lang: 'en' });
    const { db } = testApp;
    await db.transaction(async (trx) => {
      const order = await updateOrder(trx, id, {
        customer_comment: 'No straws, 少冰 please',
        table_number: '17',
      });
      if (order) await writeOrderWords(trx, order);
    });
    for (const text of ['mc-sw-01', 'MC-SW', '#17', 'straws', '少冰', '冰', `${number} #17`])
      expect(
        (await all({ text })).map((row) => row.number),
        text,
      ).toContain(number);
    expect((await all({ text: '#1' })).map((row) => row.number)).toContain(number);
    expect(await all({ text: '#18' })).toEqual([]);
    const note = mintPermit('orders.note', { kind: 'terminal' }, null);
    await testApp.container.changes.run(note.actor, 'orders note', (change) =>
      testApp.container.officeOrders.note(change, note, number, ' rang twice '),
    );
    expect((await testApp.services.officeOrders.sheet(may(), number, 'en')).notes).toMatchObject([
      { text: 'rang twice', by: '' },
    ]);
    expect(await testApp.services.orders.customers.ofGuest(contact.email, 'en')).toContainEqual(
      expect.objectContaining({
        orderNumber: number,
        staffNotes: [expect.objectContaining({ text: 'rang twice' })],
      }),
    );
    await testApp.services.fulfilment.move(number, 'completed');
    testApp.clock.advance(60 * dayMs);
    await db.transaction((trx) => testApp.services.orders.customers.releaseGuest(trx, contact.email));
    await testApp.services.orders.customers.anonymizeEnded();
    expect((await all({ text: 'straws' })).map((row) => row.number)).not.toContain(number);
    expect((await all({ text: 'mc-sw-01' })).map((row) => row.number)).toContain(number);
    expect((await testApp.services.officeOrders.sheet(may(), number, 'en')).notes).toEqual([]);
  });

  it('papers name what is packed for whom, and leave out orders of another store', async () => {
    const session = testApp.shopper();
    await add(testApp, session, 'MC-SW-01', 2);
    await visit(testApp, session);
    const { number } = await finish(testApp, session, { how: 'pay', lang: 'zh' });
    const ask = (as: Shopper, numbers: string) => askStaff(testApp, 'papers', { as, query: { numbers } });
    const packer = await joinStaff(testApp, 'packer@papers.example', 'packer');
    const { papers, shopContent } = (await ask(packer, `${number.toLowerCase()},MC-0000-000000,${number}`))
      .body;
    expect(shopContent.zh).toBe('枫土');
    expect(papers).toMatchObject([
      {
        number,
        language: 'zh',
        name: 'Jordan Lin',
        lines: [{ sku: 'MC-SW-01', quantity: 2, modifierContent: null }],
      },
    ]);
    expect(papers[0]?.lines[0]?.amount).toBe(papers[0]?.bill.subtotal);
    const other = await joinStaff(testApp, 'other@papers.example', 'packer', ['ottawa-byward']);
    expect((await ask(other, number)).body.papers).toEqual([]);
    const many = Array.from({ length: mostAtOnce + 1 }, (_, no) => `MC-${no}`).join(',');
    expect((await ask(packer, many)).status).toBe(400);
  });

  it('papers ask for nothing that was cancelled, refunded or sent before', async () => {
    const { orderRefunds, officeOrders, stock } = testApp.services;
    await sellProduct(testApp, 'BOWL');
    await stock.count(
      ['warehouse', 'toronto-queen-west'].map((place) => ({ sku: 'BOWL', place, units: 20 })),
    );
    const place = async (how: 'ship' | 'collect') => {
      const session = testApp.shopper();
      await add(testApp, session, 'BOWL', 2);
      await (how === 'ship' ? deliver(testApp, session) : visit(testApp, session));
      return (await finish(testApp, session, { how: 'pay', lang: 'en' })).number;
    };
    const [cancelled, refunded, collected, sent, cutShort] = [
      await place('collect'),
      await place('collect'),
      await place('collect'),
      await place('ship'),
      await place('ship'),
    ];
    const sheetOf = (number: string) => officeOrders.sheet(may(), number, 'en');
    const owner = await joinStaff(testApp, 'owner@papers.example', 'owner');
    await secureStaff(testApp, owner);
    const ask = async (
      name: 'cancelOrderBack' | 'refundOrder' | 'shipOrder' | 'moveOrder',
      number: string,
      body: object,
    ) => {
      const answer = await askStaff(testApp, name, { as: owner, params: { number }, body } as never);
      expect([name, answer.status, answer.body.errorKey]).toEqual([name, 200, undefined]);
    };
    const cancel = async (number: string) => {
      const { version, cancellable } = await sheetOf(number);
      const most = cancellable?.most ?? 0;
      const body = { reason: 'stock', note: '', restock: true, mail: true, version, most, refund: most };
      await ask('cancelOrderBack', number, body);
    };
    const lineOf = async (number: string) => (await sheetOf(number)).order.lineItems[0]?.id ?? '';
    await cancel(cancelled);
    await orderRefunds.refund(refunded, { reason: 'gone' });
    const { refundable } = await sheetOf(collected);
    const [part] = refundable.lines;
    const lines = [{ line: part?.line ?? '', quantity: 1 }];
    const off = {
      shipping: false,
      serviceCharge: false,
      tip: 0,
      restock: true,
      reason: 'sold out',
      note: '',
    };
    await ask('refundOrder', collected, { ...off, lines, amount: part?.amounts[0] ?? 0, refunded: 0 });
    await ask('moveOrder', sent, { to: 'shipped', version: (await sheetOf(sent)).version });
    const first = { lines: [{ line: await lineOf(cutShort), quantity: 1 }], tracking: '', seen: 0 };
    await ask('shipOrder', cutShort, first);
    await cancel(cutShort);

    const numbers = [cancelled, refunded, collected, sent, cutShort].join(',');
    const { papers, over } = (await askStaff(testApp, 'papers', { as: owner, query: { numbers } })).body;
    expect(over.toSorted()).toEqual([cancelled, refunded].toSorted());
    const rows = papers.map(({ number, isWaiting, lines: [line] }) => [
      number,
      isWaiting,
      line?.quantity,
      line?.sent,
    ]);
    expect(rows.toSorted()).toEqual([
      [collected, true, 1, 0],
      [sent, false, 2, 0],
      [cutShort, false, 1, 0],
    ]);
    const [desk] = (await askStaff(testApp, 'deskOrders', { as: owner, query: { numbers: collected } })).body
      .orders;
    expect(desk?.lines).toMatchObject([{ quantity: 2, left: 1 }]);
  });

  it('an order is shown with its payments, refunds and everything that happened', async () => {
    const session = testApp.shopper();
    await add(testApp, session, 'MC-SW-01');
    await visit(testApp, session);
    const { number: orderNumber } = await finish(testApp, session, { how: 'pay', lang: 'en' });
    await testApp.services.orderRefunds.refund(orderNumber, { reason: 'chipped', amount: 100 });
    const sheet = await testApp.services.officeOrders.sheet(may(), ` ${orderNumber.toLowerCase()} `, 'zh');
    expect(sheet.order).toMatchObject({ orderNumber, orderContact: contact });
    expect(sheet.payments).toMatchObject([
      { state: 'succeeded', refunded: 100, amount: sheet.order.bill.total },
    ]);
    expect(sheet.payments[0]?.providerId).not.toBe('');
    expect(sheet.refunds).toMatchObject([{ amount: 100, reason: 'chipped', payment: sheet.payments[0]?.id }]);
    expect(
      sheet.events.map(({ what }) => (what.kind === 'state' ? what.state : what.fields?.[0]?.field)),
    ).toEqual(['placed', 'refunded']);
  });
});
