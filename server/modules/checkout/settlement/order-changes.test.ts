/**
 * Lines of placed orders that staff change. `CHANGE_ORDER_SEED=…` repeats the random sequences, `CHANGE_ORDER_RUNS=1000` makes more.
 */
import { randomInt } from 'node:crypto';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { LineChange } from '#contract/schemas/order.ts';
import type { OrderSheet } from '#contract/staff/orders.ts';
import { balanceOf } from '#server/modules/payments/payment/balance.repository.ts';
import { mulDivHalfUp } from '#server/modules/pricing/index.ts';
import { AppError, OperationError } from '#server/platform/errors.ts';
import { mintPermit } from '#server/platform/permits.ts';
import { dayMs, wallClock } from '#server/platform/time-zone.ts';
import { mailsFor } from '#tests/accounts.ts';
import { enter, issueCoupon, usesOf } from '#tests/coupons.ts';
import { FakeProvider } from '#tests/fake-provider.ts';
import { repeats } from '#tests/long.ts';
import { sellProduct } from '#tests/products.ts';
import { add, address, contact, setUnits, unitsOf } from '#tests/shop-actions.ts';
import { askStaff as ask, joinStaff, secureStaff } from '#tests/staff.ts';
import { createTestApp, forEachEngine, type Shopper, type TestApp } from '#tests/test-app.ts';

const [tart, cake, tea] = ['CHANGE-TART', 'CHANGE-CAKE', 'CHANGE-TEA'];
const nameOf = (sku: string) => sku.toLowerCase();
const store = 'toronto-queen-west';
const plainRates = { gstPercent: 0, pstPercent: 0, pstLabel: null, hstPercent: 0 };
const seed = Number(process.env.CHANGE_ORDER_SEED ?? randomInt(2 ** 31));
const runs = { sqlite: Number(process.env.CHANGE_ORDER_RUNS ?? repeats(8, 25)), postgres: 5 };

forEachEngine((engine) => {
  let testApp: TestApp;
  let owner: Shopper;
  const stripe = new FakeProvider('Stripe');
  beforeAll(async () => {
    const env = { PUBLIC_URL: 'https://shop.example' };
    testApp = await createTestApp({ engine, demo: true, env, providers: { stripe } });
    for (const sku of [tart, cake, tea]) {
      await sellProduct(testApp, sku, { inStoreOnly: true, taxClass: 'prepared-food' });
      await setUnits(testApp, sku, 2000, store);
    }
    owner = await joinStaff(testApp, 'changes@shop.example');
    await secureStaff(testApp, owner);
  });

  /** Three tarts and a cake at a table, to be paid there or paid online with a tip of $3. */
  async function placed(how: 'online' | 'counter' = 'online', coupon?: string): Promise<OrderSheet> {
    const session = testApp.shopper();
    await add(testApp, session, tart, 3);
    await add(testApp, session, cake);
    const query = { methodName: 'instore', localStoreName: store, tableNumber: '4' };
    await testApp.call('orderContactInfo', { session, query, body: { contact } });
    if (coupon) await enter(testApp, session, coupon);
    if (how === 'online') await testApp.call('tips', { session, body: { addTips: true, tipAmount: 300 } });
    const body = { confirmationToken: 'ctoken_1', billingAddress: address };
    const { orderID } = await (how === 'online'
      ? testApp.call('payByStripe', { session, body })
      : testApp.call('reserve', { session }));
    const { orderNumber } = await testApp.call('order', { session, params: { id: orderID ?? '' } });
    return sheetOf(orderNumber ?? '');
  }
  const sheetOf = (number: string) =>
    testApp.services.officeOrders.sheet(mintPermit('orders.read', { kind: 'terminal' }, null), number, 'en');
  const lineOf = ({ order }: OrderSheet, sku: string) =>
    order.lineItems.find((line) => line.sku === sku)?.id ?? '';
  const plan = (number: string, lines: LineChange[]) =>
    ask(testApp, 'previewChange', { as: owner, params: { number }, body: { lines } });
  async function change({ order }: OrderSheet, lines: LineChange[], more: object = {}) {
    const id = order.orderID ?? '';
    const { version } = await testApp.services.orderChanges.plan(id, lines, 'en');
    return testApp.services.orderChanges.book(id, { lines, version, mayGiveBack: true, ...more }, 'en');
  }
  const again = ({ order }: OrderSheet) => sheetOf(order.orderNumber ?? '');

  describe('a change of a paid order', () => {
    it('lines are added, swapped and removed, keep their ids, and only the difference is due', async () => {
      const sheet = await placed();
      const number = sheet.order.orderNumber ?? '';
      const before = await unitsOf(testApp.db.read, tea);
      const lines = [
        { line: lineOf(sheet, tart), quantity: 4, note: 'warm, please' },
        { line: lineOf(sheet, cake), sku: tea },
        { sku: tea, quantity: 2, note: 'no ice' },
      ];
      const { body: preview } = await plan(number, lines);
      expect(preview.lines.map(({ name, from, to }) => [name, from, to])).toEqual([
        [nameOf(cake), 1, 0],
        [nameOf(tart), 3, 4],
        [nameOf(tea), 0, 1],
        [nameOf(tea), 0, 2],
      ]);
      expect((await again(sheet)).order.bill).toEqual(sheet.order.bill);
      const body = { lines, version: preview.version };
      expect((await ask(testApp, 'changeOrder', { as: owner, params: { number }, body })).body).toEqual({
        due: preview.due,
        given: true,
      });
      const { order } = await again(sheet);
      expect(order.lineItems.map(({ id, sku, quantity, note }) => [id, sku, quantity, note])).toEqual([
        [lineOf(sheet, tart), tart, 4, 'warm, please'],
        [lineOf(sheet, cake), tea, 1, ''],
        [expect.any(String), tea, 2, 'no ice'],
      ]);
      expect(order.bill).toMatchObject({ total: preview.after.total, tip: 300 });
      expect(order.due).toBe(preview.after.total - sheet.order.bill.total);
      expect(order.dueVersion).toBeDefined();
      const after = await unitsOf(testApp.db.read, tea);
      expect([before.stock - after.stock, after.sold - before.sold]).toEqual([3, 3]);
      const [moved] = await testApp.services.stock.history({ sku: tea, most: 1 });
      expect(moved).toMatchObject({
        quantity: -3,
        kind: 'sale',
        orderNumber: number,
        actor: { kind: 'staff' },
      });
      const mails = await mailsFor(testApp, contact.email, 'orderChanged');
      const mail = mails.find(({ text }) => text.includes(number));
      for (const words of [
        `Added: 2 × ${nameOf(tea)}`,
        `Removed: 1 × ${nameOf(cake)}`,
        `4 × ${nameOf(tart)} instead of 3`,
        'is still due',
      ])
        expect(mail?.text).toContain(words);
      const desk = await ask(testApp, 'deskOrders', { as: owner, query: { numbers: number } });
      expect(desk.body.orders[0]?.lines.map(({ changed }) => changed)).toEqual([true, true, true]);
      const [entry] = await testApp.container.changes.journal({ kind: 'order', id: number, most: 1 });
      expect(entry).toMatchObject({
        action: 'orders change',
        fields: expect.arrayContaining([{ field: `lines.${tart}`, from: 3, to: 4 }]),
      });
    });

    it('the difference of a cheaper order is refunded, by somebody who may, and the bill and refunds stay what was paid', async () => {
      const sheet = await placed();
      const number = sheet.order.orderNumber ?? '';
      const assistant = await joinStaff(testApp, `${number.toLowerCase()}@shop.example`, 'assistant');
      const lines = [{ line: lineOf(sheet, tart), quantity: 1 }];
      const { body: preview } = await plan(number, lines);
      const body = { lines, version: preview.version };
      expect(preview.back).toBe(sheet.order.bill.total - preview.after.total);
      expect((await ask(testApp, 'changeOrder', { as: assistant, params: { number }, body })).status).toBe(
        409,
      );
      expect(
        (await ask(testApp, 'changeOrderBack', { as: assistant, params: { number }, body })).status,
      ).toBe(403);
      const taken = stripe.taken;
      expect((await ask(testApp, 'changeOrderBack', { as: owner, params: { number }, body })).status).toBe(
        200,
      );
      expect(taken - stripe.taken).toBe(preview.back);
      const after = await again(sheet);
      expect([after.order.due, after.order.paid]).toEqual([0, preview.after.total]);
      expect(after.refundable.most).toBe(preview.after.total);
      const mails = await mailsFor(testApp, contact.email, 'orderChanged');
      expect(mails.find(({ text }) => text.includes(number))?.text).toContain('refunding');
    });

    it('a preview of another state is refused, and so is a change that changes nothing or leaves nothing', async () => {
      const sheet = await placed();
      const id = sheet.order.orderID ?? '';
      const lines = [{ line: lineOf(sheet, tart), quantity: 5 }];
      const { version } = await testApp.services.orderChanges.plan(id, lines, 'en');
      await change(sheet, [{ sku: tea }]);
      const book = testApp.services.orderChanges.book(id, { lines, version, mayGiveBack: true }, 'en');
      await expect(book).rejects.toThrow('has just changed');
      const all = (await again(sheet)).order.lineItems.map(({ id: line }) => ({ line, quantity: 0 }));
      await expect(change(sheet, all)).rejects.toThrow('no items left');
      await expect(change(sheet, [{ line: lineOf(sheet, tart), quantity: 3 }])).rejects.toThrow(
        'Nothing in order',
      );
      await expect(change(sheet, [{ sku: 'NOTHING' }])).rejects.toThrow('error.fields');
      await testApp.services.fulfilment.move(sheet.order.orderNumber ?? '', 'completed', 'cash');
      await expect(change(sheet, [{ sku: tea }])).rejects.toThrow('no longer be changed');
    });

    it('a line keeps the price that was agreed, and what is added costs what it costs now', async () => {
      const sheet = await placed();
      const agreed = sheet.order.lineItems[0]?.unitPrice ?? 0;
      await testApp.db.transaction((trx) =>
        trx
          .updateTable('skus')
          .set({ price_cents: agreed + 100 })
          .where('id', 'in', [tart, cake])
          .execute(),
      );
      await change(sheet, [
        { line: lineOf(sheet, tart), quantity: 4 },
        { sku: cake },
        { sku: tart, note: 'to go' },
      ]);
      const { order } = await again(sheet);
      expect(order.lineItems.map(({ sku, quantity, unitPrice }) => [sku, quantity, unitPrice])).toEqual([
        [tart, 4, agreed],
        [cake, 2, agreed],
        [tart, 1, agreed + 100],
      ]);
      await testApp.db.transaction((trx) =>
        trx.updateTable('skus').set({ price_cents: agreed }).where('id', 'in', [tart, cake]).execute(),
      );
    });

    it('units that were refunded stay on their line, and cannot be refunded by a change as well', async () => {
      const sheet = await placed();
      const [tarts] = sheet.refundable.lines;
      const line = tarts?.line ?? '';
      await testApp.services.orderRefunds.refundParts(sheet.order.orderNumber ?? '', {
        lines: [{ line, quantity: 2 }],
        amount: tarts?.amounts[1] ?? 0,
        tip: 0,
        restock: false,
        reason: '',
        note: '',
      });
      await expect(change(sheet, [{ line, quantity: 1 }])).rejects.toThrow(
        `2 × ${nameOf(tart)} has been shipped or refunded`,
      );
      await expect(change(sheet, [{ line, sku: tea }])).rejects.toThrow('shipped or refunded');
      await change(sheet, [{ line, quantity: 2 }]);
      const after = await again(sheet);
      expect(after.refundable.lines[0]).toEqual({ line, amounts: [] });
      expect(after.order.due).toBe(0);
    });

    it('a coupon stays with its terms after it has ended, and its minimum holds as at checkout', async () => {
      const code = await issueCoupon(testApp, { percent: 10_000, minSubtotal: 10_000, totalLimit: 1 });
      const sheet = await placed('online', code);
      expect(sheet.order.bill.discount).toBe(1280);
      await testApp.services.coupons.end(code);
      await change(sheet, [{ sku: tea }]);
      expect((await again(sheet)).order.bill).toMatchObject({ discount: 1600, couponCode: code });
      await change(sheet, [{ line: lineOf(sheet, tart), quantity: 1 }]);
      expect((await again(sheet)).order.bill).toMatchObject({ discount: 0, couponCode: null });
      await change(sheet, [{ line: lineOf(sheet, tart), quantity: 3 }]);
      expect((await again(sheet)).order.bill).toMatchObject({ discount: 1600, couponCode: code });
      expect(await usesOf(testApp, code)).toMatchObject({ used: 1 });
    });
  });

  describe('a change after a tax rate has changed', () => {
    it('a line that was sold keeps its rate, one that is added takes that of the day, and taken back the bill is as it was', async () => {
      const sheet = await placed();
      const { taxRates } = await testApp.services.settings.all();
      const tomorrow = wallClock(testApp.clock.now() + dayMs, 'America/Toronto').date;
      const dearer = taxRates.map((rate) =>
        rate.provinceCode === 'ON'
          ? { ...rate, changes: [{ ...plainRates, date: tomorrow, hstPercent: 15 }] }
          : rate,
      );
      await testApp.services.settings.update({ taxRates: dearer });
      testApp.clock.advance(dayMs);
      await change(sheet, [{ line: lineOf(sheet, tart), quantity: 4 }, { sku: tea }]);
      const { order } = await again(sheet);
      const price = (sku: string) => order.lineItems.find((line) => line.sku === sku)?.unitPrice ?? 0;
      const part = (cents: number, percent: number) => mulDivHalfUp(cents, percent, 100);
      const charge = sheet.order.bill.serviceCharge?.taxes ?? [];
      expect(charge).toEqual([]);
      expect(order.bill.taxLines).toEqual([
        { label: 'HST 13%', amount: part(3 * price(tart), 13) + part(price(cake), 13) },
        { label: 'HST 15%', amount: part(price(tart), 15) + part(price(tea), 15) },
      ]);
      const added = order.lineItems.find((line) => line.sku === tea)?.id ?? '';
      await change(sheet, [
        { line: lineOf(sheet, tart), quantity: 3 },
        { line: added, quantity: 0 },
      ]);
      const { bill } = (await again(sheet)).order;
      expect([bill.taxLines, bill.tax, bill.total]).toEqual([
        sheet.order.bill.taxLines,
        sheet.order.bill.tax,
        sheet.order.bill.total,
      ]);
      const head = await testApp.container.orders.findById(testApp.db.read, sheet.order.orderID ?? '');
      const { taxed = [], tax = 0 } = head?.bill ?? {};
      expect(taxed.map(({ of, place, treatment, taxClass }) => [of, place, treatment, taxClass])).toEqual([
        ['line', 'CA-ON', 'taxable', 'prepared-food'],
        ['line', 'CA-ON', 'taxable', 'prepared-food'],
      ]);
      expect(taxed.flatMap(({ taxes }) => taxes).reduce((sum, { amount }) => sum + amount, 0)).toBe(tax);
      await testApp.services.settings.update({ taxRates });
    });

    it('an order from before its terms were kept is taxed at the rates that its bill names', async () => {
      const sheet = await placed();
      const id = sheet.order.orderID ?? '';
      const head = await testApp.container.orders.findById(testApp.db.read, id);
      const { taxed: _, taxTerms: __, ...old } = head?.bill ?? {};
      await testApp.db.transaction((trx) =>
        trx
          .updateTable('orders')
          .set({ bill: JSON.stringify(old) })
          .where('id', '=', id)
          .execute(),
      );
      const { taxRates } = await testApp.services.settings.all();
      const dearer = taxRates.map((rate) =>
        rate.provinceCode === 'ON' ? { ...rate, hstPercent: 15 } : rate,
      );
      await testApp.services.settings.update({ taxRates: dearer });
      await change(sheet, [{ line: lineOf(sheet, cake), quantity: 0 }]);
      const { bill } = (await again(sheet)).order;
      const net = 3 * (sheet.order.lineItems.find((line) => line.sku === tart)?.unitPrice ?? 0);
      expect(bill.taxLines).toEqual([{ label: 'HST 13%', amount: mulDivHalfUp(net, 13, 100) }]);
      await testApp.services.settings.update({ taxRates });
    });
  });

  describe('changes at once', () => {
    it('changes and sales at the same time never sell more than there is', async () => {
      const sheets = [await placed(), await placed('counter'), await placed()];
      await setUnits(testApp, cake, 3, store);
      const buy = async () => {
        const session = testApp.shopper();
        await add(testApp, session, cake);
        const query = { methodName: 'instore', localStoreName: store, tableNumber: '9' };
        await testApp.call('orderContactInfo', { session, query, body: { contact } });
        await testApp.call('payByStripe', {
          session,
          body: { confirmationToken: 'ctoken_1', billingAddress: address },
        });
      };
      const answers = await Promise.allSettled([
        ...sheets.map((sheet) => change(sheet, [{ line: lineOf(sheet, cake), quantity: 2 }, { sku: tea }])),
        ...[1, 2, 3, 4].map(buy),
      ]);
      expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
      expect((await unitsOf(testApp.db.read, cake)).stock).toBe(0);
      expect(await testApp.services.stock.differences()).toEqual([]);
      await expect(change(sheets[0] as OrderSheet, [{ sku: cake, quantity: 50 }])).rejects.toThrow();
      await setUnits(testApp, cake, 2000, store);
    });

    it('one preview is booked once, however many press at once', async () => {
      const sheet = await placed();
      const id = sheet.order.orderID ?? '';
      const lines = [{ sku: tea, note: 'twice' }];
      const { version } = await testApp.services.orderChanges.plan(id, lines, 'en');
      const book = () => testApp.services.orderChanges.book(id, { lines, version, mayGiveBack: true }, 'en');
      const answers = await Promise.allSettled([book(), book(), book()]);
      expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    });
  });

  describe(`the money and stock of changed orders (CHANGE_ORDER_SEED=${seed})`, () => {
    const units = fc.integer({ min: 0, max: 4 });
    const event = fc.oneof(
      {
        weight: 4,
        arbitrary: fc.record({ do: fc.constant('change' as const), line: fc.nat(3), quantity: units }),
      },
      {
        weight: 2,
        arbitrary: fc.record({
          do: fc.constant('add' as const),
          sku: fc.constantFrom(tart, cake, tea),
          quantity: units,
        }),
      },
      {
        weight: 2,
        arbitrary: fc.record({
          do: fc.constant('swap' as const),
          line: fc.nat(3),
          sku: fc.constantFrom(cake, tea),
        }),
      },
      {
        weight: 2,
        arbitrary: fc.record({ do: fc.constant('units' as const), line: fc.nat(3), restock: fc.boolean() }),
      },
      {
        weight: 1,
        arbitrary: fc.record({
          do: fc.constant('refund' as const),
          cents: fc.integer({ min: 1, max: 3000 }),
        }),
      },
      {
        weight: 2,
        arbitrary: fc.record({ do: fc.constant('take' as const), cents: fc.integer({ min: 1, max: 3000 }) }),
      },
    );
    type Event = typeof event extends fc.Arbitrary<infer T> ? T : never;

    async function play(sheet: OrderSheet, what: Event): Promise<unknown> {
      const { order, refundable } = sheet;
      const number = order.orderNumber ?? '';
      const line = 'line' in what ? (order.lineItems[what.line % order.lineItems.length]?.id ?? '') : '';
      switch (what.do) {
        case 'change':
          return change(sheet, [{ line, quantity: what.quantity }]);
        case 'add':
          return change(sheet, [{ sku: what.sku, quantity: what.quantity, note: `${what.quantity}` }]);
        case 'swap':
          return change(sheet, [{ line, sku: what.sku }]);
        case 'refund':
          return testApp.services.orderRefunds.refund(number, { amount: what.cents, reason: '' });
        case 'take':
          return testApp.services.fulfilment.take(number, 'cash', what.cents);
        case 'units': {
          const amount = refundable.lines.find((each) => each.line === line)?.amounts[0] ?? 0;
          const wanted = {
            lines: [{ line, quantity: 1 }],
            amount,
            tip: 0,
            restock: what.restock,
            reason: '',
            note: '',
          };
          return testApp.services.orderRefunds.refundParts(number, wanted);
        }
      }
    }

    /** The rows say the same as the balance: the bill is what was paid less refunds, what was conceded, and what is due. */
    async function expectSums(sheet: OrderSheet): Promise<void> {
      const { bill, paid, due, excess } = await balanceOf(testApp.db.read, sheet.order.orderID ?? '');
      const { order, payments, refunds } = await again(sheet);
      const sum = (rows: readonly { amount: number }[]) =>
        rows.reduce((total, { amount }) => total + amount, 0);
      const [taken, back] = [sum(payments.filter(({ state }) => state === 'succeeded')), sum(refunds)];
      const conceded = sum(refunds.filter(({ corrects }) => !corrects));
      expect([bill, paid, excess]).toEqual([order.bill.total, taken - back, 0]);
      expect(back).toBeLessThanOrEqual(taken);
      expect(due).toBe(Math.max(0, bill - conceded - paid));
      expect(bill).toBe(
        order.lineItems.reduce((total, { lineTotal }) => total + lineTotal, 0) +
          order.bill.tax +
          order.bill.tip,
      );
      expect(await testApp.services.stock.differences()).toEqual([]);
    }

    it('any sequence of changes, refunds and payments keeps bill, payments, refunds and stock in agreement', {
      timeout: 300_000,
    }, async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.constantFrom('online' as const, 'counter' as const),
          fc.array(event, { minLength: 3, maxLength: 7 }),
          async (how, events) => {
            const had = await Promise.all([tart, cake, tea].map((sku) => unitsOf(testApp.db.read, sku)));
            const sheet = await placed(how);
            let restocked = 0;
            for (const what of events) {
              const done = await play(await again(sheet), what).then(
                () => true,
                (error: unknown) => {
                  // Refused with a sentence, it has changed nothing.
                  if (!(error instanceof OperationError) && !(error instanceof AppError)) throw error;
                  return false;
                },
              );
              if (done && what.do === 'units' && what.restock) restocked += 1;
              await expectSums(sheet);
            }
            const { order } = await again(sheet);
            const has = await Promise.all([tart, cake, tea].map((sku) => unitsOf(testApp.db.read, sku)));
            const gone = has.reduce((sum, { stock }, index) => sum + (had[index]?.stock ?? 0) - stock, 0);
            const lines = order.lineItems.reduce((sum, { quantity }) => sum + quantity, 0);
            // What a refund puts back of a reservation was never sold, so it stays held.
            expect(gone).toBe(how === 'online' ? lines - restocked : lines);
            // A table has few unpaid orders.
            await testApp.services.orderRefunds.cancelOrder(order.orderNumber ?? '', '');
          },
        ),
        { seed, numRuns: runs[engine] },
      );
    });
  });
});
