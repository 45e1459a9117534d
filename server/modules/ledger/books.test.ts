/** Reports of the books, what is behind their figures, what is owed, and who may see and save which of it. */
import { describe, expect, it } from 'vitest';
import { warehouse } from '#contract/limits.ts';
import { figuresOf } from '#contract/staff/book-figures.ts';
import type { BooksFilter } from '#contract/staff/books.ts';
import { insertEvents } from '#server/modules/ledger/ledger.repository.ts';
import { AppError } from '#server/platform/errors.ts';
import { mintPermit } from '#server/platform/permits.ts';
import { dayMs, hourMs } from '#server/platform/time-zone.ts';
import { sampleBill } from '#tests/sample-bill.ts';
import { askStaff, joinStaff, secureStaff } from '#tests/staff.ts';
import { createTestApp, onBothEngines, type TestApp } from '#tests/test-app.ts';

/** A Saturday at noon in Toronto, long after the orders of the demo. */
const start = Date.UTC(2027, 10, 6, 16);
const buyer = {
  firstName: 'Wilhelmina',
  lastName: 'Zwiebel',
  phoneNumber: '+15195550123',
  email: 'mina@zwiebel.example',
};
const permit = (stores: string[] | null = null) => mintPermit('books.read', { kind: 'terminal' }, stores);
const days = { from: '2027-11-06', to: '2027-11-30' };

async function order(
  testApp: TestApp,
  number: string,
  storeId: string | null,
  items = 1000,
  tip = 0,
): Promise<void> {
  const at = testApp.clock.now();
  const tax = Math.round(items * 0.13);
  const product = await testApp.db.read
    .selectFrom('products')
    .select('id')
    .orderBy('id')
    .executeTakeFirstOrThrow();
  const texts = { name: { en: 'Mug' }, brand: null, optionPairs: '[]', optionText: { en: '' }, image: null };
  await testApp.services.orders.import([
    {
      id: number,
      number,
      customerId: null,
      language: 'en',
      method: storeId === null ? 'shipping' : 'pickup',
      storeId,
      tableNumber: null,
      pickupAt: null,
      shippingAddress: null,
      billingAddress: null,
      shippingMethod: null,
      paidBy: null,
      contact: buyer,
      comment: '12 Onion Lane',
      tipBasisPoints: 0,
      placedAt: at,
      lines: [
        { ...texts, sku: 'MUG', productId: product.id, quantity: 1, unitPrice: items, taxClass: 'standard' },
      ],
      states: [{ state: 'reserved', at }],
      bill: {
        ...sampleBill,
        subtotal: items,
        discount: 0,
        shipping: 0,
        tip,
        tax,
        taxLines: [{ label: 'HST 13%', amount: tax }],
        total: items + tax + tip,
      },
    },
  ]);
}

/** Two orders in Waterloo, of which one is paid by cash and gives 113 back an hour later, one in Toronto, and one that is shipped. */
async function shopWithOrders(engine: 'sqlite' | 'postgres') {
  const testApp = await createTestApp({ engine, demo: true, now: start });
  await order(testApp, 'B-1', 'waterloo-uptown');
  await order(testApp, 'B-2', 'waterloo-uptown', 2000);
  await order(testApp, 'B-3', 'toronto-queen-west', 4000);
  await order(testApp, 'B-4', null, 8000);
  await testApp.services.fulfilment.take('B-1', 'cash');
  testApp.clock.advance(hourMs);
  await testApp.services.orderRefunds.refund('B-1', { amount: 113, reason: 'late' });
  return testApp;
}

const sales: BooksFilter = { accounts: ['sales', 'discounts', 'shipping', 'service', 'kept'] };
const tax: BooksFilter = { accounts: ['tax'] };

onBothEngines((engine) => {
  describe('the report of the books', () => {
    it('a report sums what was sold, taxed and given back, by store, rate and hour', async () => {
      const { books } = (await shopWithOrders(engine)).services;
      const { rows, counts, names } = await books.report(permit(), days, 'zh');
      expect(figuresOf(rows, { ...sales, movements: ['sold'] }).amount).toBe(15_000);
      expect(figuresOf(rows, { ...sales, movements: ['back'] }).amount).toBe(-100);
      const taxes = figuresOf(rows, { ...tax, places: ['CA-ON'], taxes: ['HST'], rates: [13_000] });
      expect([taxes.amount, taxes.base]).toEqual([1950 - 13 - 1040, 7000 - 100]);
      expect(names).toContainEqual({ id: 'CA-ON', name: '安大略省' });
      expect(counts.reduce((sum, { placed }) => sum + placed, 0)).toBe(4);
      const byHour = await books.report(permit(), { ...days, by: 'hour' }, 'en');
      const hour = (key: string) => figuresOf(byHour.rows, { ...sales, group: { by: 'hour', key } }).amount;
      // Noon, and one o'clock, when something was given back.
      expect([hour('12'), hour('13'), hour('16')]).toEqual([15_000, -100, 0]);
      const byWeekday = await books.report(permit(), { ...days, by: 'weekday' }, 'en');
      expect([...new Set(byWeekday.rows.map(({ group }) => group))]).toEqual(['6']);
    });

    it('a report of a store, and of somebody who works in one, has nothing of another', async () => {
      const { books } = (await shopWithOrders(engine)).services;
      const sold = async (stores: string[] | null, store?: string) =>
        figuresOf((await books.report(permit(stores), { ...days, store }, 'en')).rows, {
          ...sales,
          movements: ['sold'],
        }).amount;
      expect(await sold(['waterloo-uptown'])).toBe(3000);
      expect(await sold([])).toBe(0);
      expect([await sold(null, 'toronto-queen-west'), await sold(null, warehouse)]).toEqual([4000, 8000]);
      for (const store of ['toronto-queen-west', warehouse])
        await expect(sold(['waterloo-uptown'], store)).rejects.toThrow(AppError);
      await expect(
        books.owed(permit(['waterloo-uptown']), { day: days.to, store: warehouse }),
      ).rejects.toThrow(AppError);
      const body = { ...days, currency: 'CAD', filter: sales };
      expect(
        (await books.events(permit(['toronto-queen-west']), body)).events.map((event) => event.order),
      ).toEqual(['B-3']);
      await expect(
        books.events(permit(['toronto-queen-west']), { ...body, store: 'waterloo-uptown' }),
      ).rejects.toThrow(AppError);
    });

    it('the events behind a figure sum to it, page by page, each once', async () => {
      const testApp = await shopWithOrders(engine);
      const { books } = testApp.services;
      for (let count = 0; count < 120; count++) {
        testApp.clock.advance(count % 3 === 0 ? 5 * hourMs : 0);
        await order(testApp, `P-${count}`, 'waterloo-uptown', 100 + count);
      }
      const { rows } = await books.report(permit(), days, 'en');
      for (const filter of [sales, { ...tax, places: ['CA-ON'], movements: ['sold' as const] }]) {
        const seen: { id: string; amount: number; base: number }[] = [];
        let pages = 0;
        for (let after: { bookedAt: number; id: string } | undefined | null; after !== null; pages++) {
          const page = await books.events(permit(), {
            ...days,
            currency: 'CAD',
            filter,
            ...(after ? { after } : {}),
          });
          seen.push(...page.events);
          after = page.after;
        }
        expect(pages).toBe(3);
        expect(new Set(seen.map(({ id }) => id)).size).toBe(seen.length);
        const figure = figuresOf(rows, filter);
        expect(seen.reduce((sum, { amount }) => sum + amount, 0)).toBe(figure.amount);
        expect(seen.reduce((sum, { base }) => sum + base, 0)).toBe(figure.base);
      }
      const atOne = { ...sales, group: { by: 'hour' as const, key: '13' } };
      const [back] = (
        await books.events(permit(), { from: days.from, to: days.from, currency: 'CAD', filter: atOne })
      ).events;
      expect(back).toMatchObject({ kind: 'refund', order: 'B-1', amount: -100, at: start + hourMs });
    });

    it('currencies stay apart', async () => {
      const testApp = await shopWithOrders(engine);
      const entry = {
        part: '',
        line: null,
        product: null,
        sku: null,
        category: null,
        place: 'CA-ON',
        taxClass: '',
        treatment: '',
      };
      const more = { ...entry, tax: '', rate: 0, way: '', base: 0, units: 0 };
      await testApp.db.transaction((trx) =>
        insertEvents(testApp.db, trx, [
          {
            kind: 'sale',
            source: 'bill',
            at: start,
            bookedAt: start,
            order: null,
            store: null,
            currency: 'USD',
            actor: null,
            isRebuilt: false,
            entries: [
              { ...more, account: 'sales', amount: -500 },
              { ...more, account: 'receivable', amount: 500 },
            ],
          },
        ]),
      );
      const { rows } = await testApp.services.books.report(permit(), days, 'en');
      const sold = (currency: string) =>
        figuresOf(
          rows.filter((row) => row.currency === currency),
          { ...sales, movements: ['sold'] },
        ).amount;
      expect([sold('CAD'), sold('USD')]).toEqual([15_000, 500]);
    });

    it('debts at the end of a day are listed by age, what is owed to buyers apart', async () => {
      const testApp = await shopWithOrders(engine);
      const { books, fulfilment, orderRefunds } = testApp.services;
      testApp.clock.set(start + 40 * dayMs);
      await order(testApp, 'B-5', 'waterloo-uptown', 3000);
      await fulfilment.take('B-5', 'terminal');
      testApp.clock.set(start + 95 * dayMs);
      await orderRefunds.refund('B-5', { amount: 1130, corrects: true, reason: 'typed wrong' });
      await fulfilment.take('B-2', 'cash');
      const at = (day: string) => books.owed(permit(), { day });
      const first = await at('2027-11-06');
      expect(first.orders.map((owed) => [owed.order, owed.amount, owed.days])).toEqual([
        ['B-2', 2260, 0],
        ['B-3', 4520, 0],
        ['B-4', 9040, 0],
      ]);
      const later = await at('2027-12-10');
      expect(later.sums).toEqual([
        { currency: 'CAD', side: 'receivable', ages: [0, 2260 + 4520 + 9040, 0, 0], orders: 3 },
      ]);
      const last = await at('2028-02-09');
      expect(last.orders.map((owed) => [owed.order, owed.amount, owed.days])).toEqual([
        ['B-3', 4520, 95],
        ['B-4', 9040, 95],
        ['B-5', 1130, 0],
      ]);
      expect(last.orders[0]?.since).toBe('2027-11-06');
      await expect(at('2028-02-10')).rejects.toMatchObject({
        details: { errors: { day: expect.anything() } },
      });
      expect((await at('2027-11-05')).orders.filter((owed) => owed.order.startsWith('B-'))).toEqual([]);
      expect((await books.owed(permit(), { day: '2028-02-09' }, 1)).more).toBe(2);
      await expect(at('2027-02-30')).rejects.toThrow(AppError);
    });
  });

  describe('money at the counter', () => {
    it('a tip that went back counts against whoever took it, and the drawer gives coins back', async () => {
      const testApp = await createTestApp({ engine, demo: true, now: start });
      const store = 'waterloo-uptown';
      await order(testApp, 'B-9', store, 1001, 300);
      const [till, head] = [
        await joinStaff(testApp, 'till@shop.example', 'assistant', [store]),
        await joinStaff(testApp, 'head@shop.example', 'manager', [store]),
      ];
      await secureStaff(testApp, head);
      const params = { number: 'B-9' };
      const drawer = async () =>
        (await askStaff(testApp, 'cashSheet', { as: head, query: { store } })).body.closing;
      const taken = await askStaff(testApp, 'takeMoney', {
        as: till,
        params,
        body: { kind: 'cash', amount: 1431, due: 1431 },
      });
      expect(taken.status).toBe(200);
      expect(await drawer()).toBe(1430);
      // The coins took a cent off: screen, file and takings say it alike.
      const screen = await testApp.services.books.report(permit(), days, 'en');
      expect(figuresOf(screen.rows, { accounts: ['rounding'] }).amount).toBe(-1);
      const wanted = { ...days, what: 'report', form: 'csv' } as const;
      const { base64 } = (await askStaff(testApp, 'booksFile', { as: head, body: wanted })).body;
      const line = Buffer.from(base64, 'base64')
        .toString()
        .split('\n')
        .find((row) => row.includes('Rounding of cash'));
      expect(line).toContain(',-0.01,');
      const { cells } = (await askStaff(testApp, 'takings', { as: head, query: days })).body;
      expect(cells.flatMap(({ money }) => money.map(({ rounding }) => rounding))).toEqual([-1]);
      const give = async (tip: number, lines: object[], amount: number) => {
        const { refunded } = (await askStaff(testApp, 'order', { as: head, params })).body.refundable;
        const none = { shipping: false, serviceCharge: false, restock: false, reason: '', note: '' };
        return (
          await askStaff(testApp, 'refundOrder', {
            as: head,
            params,
            body: { ...none, lines, tip, amount, refunded },
          })
        ).status;
      };
      expect(await give(300, [], 300)).toBe(200);
      expect(await drawer()).toBe(1130);
      testApp.clock.advance(60_000);
      const { lineItems } = (await askStaff(testApp, 'order', { as: head, params })).body.order;
      expect(await give(0, [{ line: lineItems[0]?.id, quantity: 1 }], 1131)).toBe(200);
      expect(await drawer()).toBe(0);
      const { rows } = await testApp.services.books.report(permit(), days, 'en');
      const tips = rows.filter(({ account, part }) => account === 'money' && part === 'tip');
      expect(new Set(tips.map(({ person }) => person)).size).toBe(1);
      expect(tips.map(({ movement, amount }) => [movement, amount])).toEqual([
        ['received', 300],
        ['back', -300],
      ]);
      expect(figuresOf(rows, { accounts: ['rounding'] }).amount).toBe(0);
      expect(await testApp.container.ledger.wrong()).toEqual([]);
    });
  });

  describe('the room of the books', () => {
    it('a bookkeeper reads everything of it without a name or address of a customer, and an assistant nothing', async () => {
      const testApp = await shopWithOrders(engine);
      testApp.clock.set(start + 24 * dayMs);
      const [bookkeeper, assistant] = [
        await joinStaff(testApp, 'ledger@shop.example', 'bookkeeper'),
        await joinStaff(testApp, 'till@shop.example', 'assistant'),
      ];
      const events = { ...days, currency: 'CAD', filter: sales };
      const answers = [
        await askStaff(testApp, 'books', { query: days, as: bookkeeper }),
        await askStaff(testApp, 'books', { query: { ...days, by: 'product' }, as: bookkeeper }),
        await askStaff(testApp, 'booksEvents', { body: events, as: bookkeeper }),
        await askStaff(testApp, 'booksOwed', { query: { day: days.to }, as: bookkeeper }),
      ];
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
      const text = JSON.stringify(answers.map(({ body }) => body));
      expect(text).toContain('B-1');
      for (const secret of [...Object.values(buyer), 'Onion']) expect(text).not.toContain(secret);
      expect((await askStaff(testApp, 'books', { query: days, as: assistant })).status).toBe(403);
      expect((await askStaff(testApp, 'booksEvents', { body: events, as: assistant })).status).toBe(403);
    });

    it('files need the permission to export with its second factor, hold the same figures, and are noted in the journal', async () => {
      const testApp = await shopWithOrders(engine);
      testApp.clock.set(start + 24 * dayMs);
      const as = await joinStaff(testApp, 'ledger@shop.example', 'bookkeeper');
      const ask = (body: object) => askStaff(testApp, 'booksFile', { as, body: { ...days, ...body } });
      expect((await ask({ what: 'report', form: 'csv' })).status).toBe(403);
      await secureStaff(testApp, as);
      const textOf = async (body: object) => Buffer.from((await ask(body)).body.base64, 'base64').toString();
      const report = await textOf({ what: 'report', form: 'csv' });
      expect(report).toMatch(/CAD,Waterloo[^\n]*,Sold,Tax,[^\n]*,HST 13%,13,,,3\.90,30\.00,0/);
      expect(await textOf({ what: 'owed', form: 'csv' })).toMatch(/B-3,[^\n]*,CAD,2027-11-06,24,0–30,45\.20/);
      const answers = { '104': 0, '106': 100 };
      const filed = await textOf({ what: 'return', return: 'gst', answers, form: 'csv' });
      expect(filed).toMatch(/103,[^\n]*,19\.50,\n/);
      expect(filed).toMatch(/106,[^\n]*,1\.00,\n/);
      // Nobody has entered the other adjustments.
      expect(filed).toMatch(/109,[^\n]*,,[^\n,]+\n/);
      const { body } = await ask({ what: 'return', return: 'gst', form: 'xlsx' });
      expect(body.name).toBe('return-gst-2027-11-06-2027-11-30.xlsx');
      expect(Buffer.from(body.base64, 'base64').subarray(0, 2).toString()).toBe('PK');
      expect((await ask({ what: 'return', form: 'csv' })).status).toBe(400);
      const journal = await testApp.container.changes.journal({ kind: 'export', most: 10 });
      expect(journal.filter(({ action }) => action === 'export books')).toHaveLength(4);
    });
  });
});
