import { beforeAll, describe, expect, it } from 'vitest';
import { readStripeConfig } from '#payment-providers/stripe/server/config.ts';
import { createStripeProvider } from '#payment-providers/stripe/server/index.ts';
import { mintPermit } from '#server/platform/permits.ts';
import { dayMs, hourMs } from '#server/platform/time-zone.ts';
import { testCards } from '#tests/fakes/stripe/cards.ts';
import { type StripeFake, startStripeFake } from '#tests/fakes/stripe/server.ts';
import { sellProduct } from '#tests/products.ts';
import { add, address, contact, setUnits } from '#tests/shop-actions.ts';
import { askStaff, joinStaff, secureStaff } from '#tests/staff.ts';
import { createTestApp, onBothEngines, type Shopper, type TestApp } from '#tests/test-app.ts';

const [mug, store] = ['MUG-PAYOUTS', 'toronto-queen-west'];
const books = mintPermit('books.payouts', { kind: 'terminal' }, null);

onBothEngines((engine) => {
  describe('the books of a provider', () => {
    let fake: StripeFake;
    let testApp: TestApp;
    let owner: Shopper;

    beforeAll(async () => {
      fake = await startStripeFake();
      const { config } = readStripeConfig(fake.env);
      if (!config) throw new Error('The fake has no keys');
      // The fake's clock is that of the machine.
      testApp = await createTestApp({
        engine,
        demo: true,
        now: Date.now(),
        providers: { stripe: createStripeProvider(config) },
      });
      await sellProduct(testApp, mug, { inStoreOnly: true, taxClass: 'prepared-food' });
      await setUnits(testApp, mug, 2000, store);
      owner = await joinStaff(testApp, 'books@shop.example');
      await secureStaff(testApp, owner);
      return () => fake.close();
    });

    async function paid(): Promise<{ number: string; amount: number; intent: string }> {
      const session = testApp.shopper();
      await add(testApp, session, mug, 2);
      await testApp.call('orderContactInfo', {
        session,
        query: { methodName: 'instore', localStoreName: store, tableNumber: '4' },
        body: { contact },
      });
      const body = { confirmationToken: fake.token(testCards.approve.method), billingAddress: address };
      const { orderID } = await testApp.call('payByStripe', { session, body });
      const { orderNumber } = await testApp.call('order', { session, params: { id: orderID ?? '' } });
      const payment = await testApp.db.read
        .selectFrom('payments')
        .selectAll()
        .where('order_id', '=', orderID ?? '')
        .executeTakeFirstOrThrow();
      return { number: orderNumber ?? '', amount: payment.amount_cents, intent: payment.provider_id ?? '' };
    }

    const service = () => testApp.container.settlements;
    const readAll = async () => {
      // On a busy machine the fake's clock would pass that of the shop, which reads nothing of the future.
      testApp.clock.set(Math.max(testApp.clock.now(), Date.now()));
      expect(await service().reader.readAll()).toEqual([]);
    };
    const rows = () =>
      testApp.db.read
        .selectFrom('settlement_rows')
        .selectAll()
        .where('provider', '=', 'Stripe')
        .orderBy('revision')
        .execute();
    const stripeOnly = { provider: 'Stripe' };
    const findings = async () => (await service().findings(books, stripeOnly)).findings;
    const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10);
    const today = () => dayOf(testApp.clock.now());

    /** A statement with lines of the provider: day and cents. */
    const send = (...lines: readonly (readonly [day: string, cents: number])[]) =>
      askStaff(testApp, 'readStatement', {
        as: owner,
        query: { apply: 'yes' },
        file: [
          'Date,Description,Amount',
          ...lines.map(([day, cents]) => `${day},STRIPE PAYMENT,${(cents / 100).toFixed(2)}`),
        ].join('\n'),
      });

    /** The bank has all payouts that other tests left. */
    async function settle() {
      await readAll();
      const { payouts } = await service().list(books, stripeOnly);
      const open = payouts.filter(({ bank, state }) => bank === null && state !== 'failed');
      if (open.length === 0) return;
      const { body } = await send(
        ...open.map(({ arrives, amount }) => [dayOf(arrives ?? 0), amount] as const),
      );
      expect(body.matched).toBe(open.length);
    }

    it('reading again keeps nothing twice, and a payout that is known later is a further revision', async () => {
      const first = await paid();
      await readAll();
      const before = await rows();
      await readAll();
      expect(await rows()).toEqual(before);
      const [payment] = before.filter(({ kind }) => kind === 'payment');
      expect(payment).toMatchObject({ gross_cents: first.amount, payout_id: null, revision: 0 });
      const { id } = fake.account.balance.payOut('cad');
      await readAll();
      const after = (await rows()).filter(({ row_id }) => row_id === payment?.row_id);
      expect(after.map(({ revision, payout_id }) => [revision, payout_id])).toEqual([
        [0, null],
        [1, id],
      ]);
      expect(await findings()).toEqual([]);
    });

    it('the database refuses to change or delete a row', async () => {
      const change = testApp.db.transaction((trx) =>
        trx
          .updateTable('settlement_rows')
          .set({ gross_cents: 1 } as object)
          .execute(),
      );
      await expect(change).rejects.toThrow('append-only');
      await expect(
        testApp.db.transaction((trx) => trx.deleteFrom('settlement_rows').execute()),
      ).rejects.toThrow('append-only');
    });

    it('a payout shows what is in it, with the number of each order', async () => {
      const first = await paid();
      const { id, amount } = fake.account.balance.payOut('cad', { status: 'paid' });
      await readAll();
      const { payouts } = await service().list(books, stripeOnly);
      expect(payouts.find(({ payout }) => payout === id)).toMatchObject({
        provider: 'Stripe',
        state: 'arrived',
        amount,
        net: amount,
        gross: first.amount,
        rows: 1,
        complete: true,
        bank: null,
      });
      const page = await service().rows(books, { provider: 'Stripe', payout: id });
      expect(page.rows.map(({ kind, order }) => [kind, order]).sort()).toEqual([
        ['payment', first.number],
        ['payout', null],
      ]);
    });

    it('the books of the shop have what a provider took and paid out, so that its balance is theirs', async () => {
      const first = await paid();
      await readAll();
      fake.account.balance.payOut('cad', { status: 'paid' });
      await readAll();
      await readAll();
      const booked = async (account: string) => {
        const entries = await testApp.db.read
          .selectFrom('ledger_entries')
          .select(['amount_cents', 'event_id'])
          .where('account', '=', account)
          .where('kind', 'in', ['fee', 'payout'])
          .execute();
        return entries.reduce((sum, { amount_cents }) => sum + amount_cents, 0);
      };
      // The last revision of each row counts.
      const last = new Map((await rows()).map((row) => [row.row_id, row]));
      const settled = [...last.values()].filter(({ state }) => state !== 'pending' && state !== 'denied');
      const fees = settled.reduce((sum, row) => sum + (row.fee_cents ?? 0), 0);
      const payouts = settled.flatMap(({ kind, gross_cents }) => (kind === 'payout' ? gross_cents : []));
      expect(first.amount).toBeGreaterThan(0);
      expect(fees).toBeGreaterThan(0);
      expect(await booked('fees')).toBe(fees);
      expect(await booked('bank')).toBe(-payouts.reduce((sum, cents) => sum + cents, 0));
    });

    it('money that no order accounts for is a difference, until somebody accepts it', async () => {
      const config = readStripeConfig(fake.env).config;
      if (!config) throw new Error('The fake has no keys');
      const charge = {
        reference: 'of-another-system',
        orderId: 'none',
        amount: 900,
        currency: 'CAD',
        locale: 'en' as const,
      };
      await createStripeProvider(config).start(
        charge,
        { confirmationToken: fake.token(testCards.approve.method) },
        async () => {},
      );
      await readAll();
      const [found] = await findings();
      expect(found).toMatchObject({ kind: 'noOrder', there: 900, here: null, order: null, canAsk: false });
      const accept = { as: owner, body: { finding: found?.id ?? '', note: 'Of the market stall' } };
      expect((await askStaff(testApp, 'acceptFinding', accept)).status).toBe(200);
      expect(await service().findings(books, stripeOnly)).toMatchObject({ findings: [], accepted: 1 });
    });

    it('a refund and a dispute that began at the provider are differences, until the shop has asked about them', async () => {
      const [refunded, disputed] = [await paid(), await paid()];
      fake.account.refund(refunded.intent, 100, {});
      fake.account.dispute(disputed.intent);
      await readAll();
      const open = await findings();
      expect(open.map(({ kind, order }) => [kind, order]).sort()).toEqual([
        ['unknownDispute', disputed.number],
        ['unknownRefund', refunded.number],
      ]);
      for (const { id, canAsk } of open) {
        expect(canAsk).toBe(true);
        expect(
          await askStaff(testApp, 'askAboutFinding', { as: owner, body: { finding: id } }),
        ).toMatchObject({
          status: 200,
          body: { solved: true },
        });
      }
      expect(await findings()).toEqual([]);
    });

    it('a line of the bank with the amount of a payout is that payout, and nothing else of a statement is kept', async () => {
      await paid();
      const { amount, id } = fake.account.balance.payOut('cad', {
        status: 'paid',
        arrival_date: Math.floor(testApp.clock.now() / 1000),
      });
      await readAll();
      const lines = [
        'Date,Description,Withdrawals,Deposits,Balance',
        `${today()},STRIPE TRANSFER ST-1,,${(amount / 100).toFixed(2)},1000.00`,
        `${today()},PAYROLL ADA LOVELACE,812.10,,187.90`,
      ];
      const send = (apply: 'yes' | 'no') =>
        askStaff(testApp, 'readStatement', { as: owner, query: { apply }, file: lines.join('\n') });
      expect((await send('no')).body).toMatchObject({
        lines: 2,
        kept: 1,
        known: 0,
        applied: false,
        problems: [],
      });
      expect((await send('yes')).body).toMatchObject({ kept: 1, matched: 1, applied: true });
      expect((await send('yes')).body).toMatchObject({ kept: 1, known: 1, matched: 1 });
      const kept = await testApp.db.read.selectFrom('bank_lines').select('description').execute();
      expect(kept).toEqual([{ description: 'STRIPE TRANSFER ST-1' }]);
      const { payouts } = await service().list(books, stripeOnly);
      expect(payouts.find(({ payout }) => payout === id)?.bank).toMatchObject({ amount, day: today() });
    });

    it('a statement without the columns is not kept, and what it lacks has the names of the form', async () => {
      const of = (lang: string) =>
        askStaff(testApp, 'readStatement', {
          as: owner,
          query: { apply: 'yes', lang },
          file: 'hello,world\n1,2\n',
        });
      expect((await of('zh')).body).toMatchObject({
        applied: false,
        kept: 0,
        problems: ['日期', '金额', '摘要'].map((name) => `文件中没有可识别为${name}的列`),
      });
      expect((await of('en')).body.problems[0]).toBe('The file has no column that we recognize as Date');
    });

    it('a statement with more lines than a bank lists in years is refused in words before any of them is compared', async () => {
      const file = `Date,Description,Amount\n${'2026-05-02,STRIPE TRANSFER,12.34\n'.repeat(40_000)}`;
      const { status, body } = await askStaff(testApp, 'readStatement', {
        as: owner,
        query: { apply: 'yes', lang: 'en' },
        file,
      });
      expect([status, body]).toMatchObject([200, { applied: false, kept: 0 }]);
      expect(body.problems).toEqual([expect.stringContaining('more than 10,000 lines')]);
    });

    it('a payout that arrived with another amount is a difference, and a person may say that it is this line', async () => {
      await settle();
      await paid();
      const { amount, id } = fake.account.balance.payOut('cad', {
        status: 'paid',
        arrival_date: Math.floor(testApp.clock.now() / 1000),
      });
      await readAll();
      await send([today(), amount - 25]);
      const found = (await findings()).find(({ payout }) => payout === id);
      expect(found).toMatchObject({ kind: 'otherAmount', there: amount, here: amount - 25 });
      const body = { provider: 'Stripe', payout: id, line: found?.line ?? '' };
      expect((await askStaff(testApp, 'linkPayout', { as: owner, body })).status).toBe(200);
      expect((await findings()).filter(({ payout }) => payout === id)).toEqual([]);
    });

    it('a line of another amount is shown for one payout, the nearest, and for the next once that difference is accepted', async () => {
      await settle();
      const tomorrow = testApp.clock.now() + dayMs;
      const payOut = async (at: number) => {
        await paid();
        return fake.account.balance.payOut('cad', { status: 'paid', arrival_date: Math.floor(at / 1000) });
      };
      const [first, second] = [await payOut(testApp.clock.now()), await payOut(testApp.clock.now())];
      const third = await payOut(tomorrow);
      await readAll();
      await send([dayOf(tomorrow), third.amount - 25]);
      const asked = async () => (await findings()).filter(({ kind }) => kind === 'otherAmount');
      // All three were of one amount: the line is of the last one's day.
      expect(await asked()).toMatchObject([
        { payout: third.id, there: third.amount, here: third.amount - 25 },
      ]);
      const finding = (await asked())[0]?.id ?? '';
      const note = 'that is not it';
      expect((await askStaff(testApp, 'acceptFinding', { as: owner, body: { finding, note } })).status).toBe(
        200,
      );
      const next = await asked();
      expect(next).toMatchObject([{ here: third.amount - 25 }]);
      expect([first.id, second.id]).toContain(next[0]?.payout);

      // A payout that has its own line leaves that of another amount to the others.
      await send([today(), first.amount]);
      const [left, ...others] = await asked();
      expect([others, left?.here]).toEqual([[], third.amount - 25]);
      const { payouts } = await service().list(books, stripeOnly);
      const arrived = payouts.filter(({ bank }) => bank !== null).map(({ payout }) => payout);
      expect(arrived).not.toContain(left?.payout);
      const link = { provider: 'Stripe', payout: left?.payout ?? '', line: left?.line ?? '' };
      expect((await askStaff(testApp, 'linkPayout', { as: owner, body: link })).status).toBe(200);
      expect(await asked()).toEqual([]);
    });

    it('a payout that the bank does not have, or rejected, is a difference', async () => {
      await paid();
      const day = Math.floor(testApp.clock.now() / 1000);
      const missing = fake.account.balance.payOut('cad', { status: 'paid', arrival_date: day });
      await paid();
      const failed = fake.account.balance.payOut('cad', { arrival_date: day });
      fake.account.balance.failPayout(failed);
      await readAll();
      const later = new Date(testApp.clock.now() + 7 * dayMs).toISOString().slice(0, 10);
      const earlier = new Date(testApp.clock.now() - 7 * dayMs).toISOString().slice(0, 10);
      const lines = `Date,Description,Amount\n${earlier},RENT,-900.00\n${later},RENT,-900.00`;
      await askStaff(testApp, 'readStatement', { as: owner, query: { apply: 'yes' }, file: lines });
      const found = await findings();
      expect(found.find(({ payout }) => payout === missing.id)?.kind).toBe('notArrived');
      expect(found.find(({ payout }) => payout === failed.id)?.kind).toBe('payoutFailed');
    });

    it('a reading that fails says why, keeps what was there, and is tried again after an hour', async () => {
      const before = await rows();
      testApp.clock.advance(25 * hourMs);
      fake.faults.add({ call: 'listBalance', kind: 'unauthorized' });
      await expect(service().reader.readDue()).rejects.toThrow('Invalid API Key');
      const state = async () =>
        (await service().list(books, {})).providers.find(({ provider }) => provider === 'Stripe');
      expect((await state())?.problem).toContain('Invalid API Key');
      expect(await rows()).toEqual(before);
      fake.faults.clear();
      await service().reader.readDue();
      expect((await state())?.problem).toContain('Invalid API Key');
      testApp.clock.advance(hourMs);
      await service().reader.readDue();
      expect(await state()).toMatchObject({ problem: null, reading: false });
    });

    it('a payment that the provider does not list after days is a difference', async () => {
      const { number, intent } = await paid();
      const { balance } = fake.account;
      const charge = fake.account.intent(intent).latest_charge;
      balance.transactions.splice(
        balance.transactions.findIndex(({ source }) => source === charge),
        1,
      );
      await readAll();
      const notThere = async () => (await findings()).filter(({ kind }) => kind === 'notThere');
      expect(await notThere()).toEqual([]);
      testApp.clock.advance(6 * dayMs);
      await readAll();
      expect(await notThere()).toMatchObject([{ order: number, there: null, canAsk: true }]);
    });
  });
});
