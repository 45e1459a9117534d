/**
 * A month's end: orders of all kinds over eleven provinces and territories, October filed, and November with all that becomes of them.
 * The books are compared with a second set (second-books.ts), which shares no code with the shop.
 */
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { warehouse } from '#contract/limits.ts';
import { taxLabel } from '#contract/rules/tax-labels.ts';
import { filledReturn, type TaxReturnId } from '#contract/staff/tax-returns.ts';
import type { Reader } from '#db/database.ts';
import { booksFindings } from '#server/modules/bookkeeping/index.ts';
import type { RefundCovers } from '#server/modules/orders/index.ts';
import type { ProviderActivity, ProviderDispute } from '#server/modules/payments/providers/provider.ts';
import { spanOf } from '#server/platform/day-span.ts';
import { mintPermit } from '#server/platform/permits.ts';
import { wallClock } from '#server/platform/time-zone.ts';
import { enter, issueCoupon } from './coupons.ts';
import { FakeProvider } from './fake-provider.ts';
import { sellProduct } from './products.ts';
import { type Figures, openSecondBooks } from './second-books.ts';
import { add, address, contact, deliver, homeOf } from './shop-actions.ts';
import { createTestApp, forEachEngine, type Shopper, type TestApp } from './test-app.ts';

const store = 'toronto-queen-west';
const zone = 'America/Toronto';
const [mug, tea, cake] = ['MONTH-MUG', 'MONTH-TEA', 'MONTH-CAKE'];
const hour = 3_600_000;

const destinations = [
  ['Ontario', 'Waterloo', 'N2L 0A1'],
  ['Quebec', 'Montréal', 'H2X 1Y4'],
  ['British Columbia', 'Vancouver', 'V6B 1A1'],
  ['Alberta', 'Calgary', 'T2P 1J9'],
  ['Manitoba', 'Winnipeg', 'R3C 0V8'],
  ['Saskatchewan', 'Regina', 'S4P 3Y2'],
  ['Nova Scotia', 'Halifax', 'B3J 1S9'],
  ['New Brunswick', 'Moncton', 'E1C 4Z6'],
  ['Prince Edward Island', 'Charlottetown', 'C1A 1N1'],
  ['Newfoundland and Labrador', 'St. John’s', 'A1C 5S7'],
  ['Yukon', 'Whitehorse', 'Y1A 1B1'],
  ['New York', 'New York', '10001'],
] as const;

const toOf = ([province, city, postCode]: (typeof destinations)[number]) => ({
  ...address,
  province,
  city,
  postCode,
  countryISOCode: province === 'New York' ? 'US' : 'CA',
});

/** What the books hold of the months that begin so, by a query of its own. */
async function booked(reader: Reader, from: number, to: number): Promise<Figures> {
  const { rows } = await sql<{
    account: string;
    place: string;
    tax: string;
    rate: number;
    way: string;
    kind: string;
    amount: string | number;
  }>`select account, place, tax, rate, way, sum(amount_cents) as amount from ledger_entries
    where booked_at >= ${from} and booked_at < ${to} group by account, place, tax, rate, way`.execute(reader);
  const figures: Figures = { taxes: {}, net: 0, tips: 0, money: {}, lost: 0 };
  for (const row of rows) {
    const amount = Number(row.amount);
    const key = `${row.place} ${taxLabel(row)}`;
    if (row.account === 'tax') figures.taxes[key] = (figures.taxes[key] ?? 0) - amount;
    if (row.account === 'tips') figures.tips -= amount;
    if (row.account === 'money') figures.money[row.way] = (figures.money[row.way] ?? 0) + amount;
    if (row.account === 'disputes') figures.lost += amount;
    if (['sales', 'discounts', 'shipping', 'service', 'kept'].includes(row.account)) figures.net -= amount;
  }
  for (const sum of [figures.taxes, figures.money])
    for (const key of Object.keys(sum)) if (sum[key] === 0) delete sum[key];
  return figures;
}

/** What returns of sales taxes come to. */
type Returned = Record<'revenue' | 'federal' | 'qst' | 'bc' | 'sk' | 'mb', number>;

/** The same of the second books, by the names of taxes and places alone. */
function returnedIn({ taxes, net }: Figures): Returned {
  const sum = (form: RegExp) =>
    Object.entries(taxes).reduce((all, [key, cents]) => (form.test(key) ? all + cents : all), 0);
  return {
    revenue: net,
    federal: sum(/ (?:GST|HST) /),
    qst: sum(/^CA-QC QST /),
    bc: sum(/^CA-BC PST /),
    sk: sum(/^CA-SK PST /),
    mb: sum(/^CA-MB RST /),
  };
}

const october = Object.values(spanOf('2027-10-01', '2027-10-31', zone)) as [number, number];
const november = Object.values(spanOf('2027-11-01', '2027-11-30', zone)) as [number, number];
const entriesIn = (reader: Reader, [from, to]: readonly [number, number]) =>
  reader
    .selectFrom('ledger_entries')
    .selectAll()
    .where('booked_at', '>=', from)
    .where('booked_at', '<', to)
    .orderBy('event_id')
    .orderBy('no')
    .execute();

/** A provider of which banks take money back. */
class DisputedProvider extends FakeProvider {
  readonly disputes = new Map<string, ProviderDispute>();

  override async activity(attempt: Parameters<FakeProvider['activity']>[0]): Promise<ProviderActivity> {
    const dispute = this.disputes.get(attempt.reference);
    return { ...(await super.activity(attempt)), disputes: dispute ? [dispute] : [] };
  }
}

interface Placed {
  id: string;
  number: string;
}

function createShoppers(testApp: TestApp) {
  let shoppers = 0;
  const session = () => testApp.shopper(homeOf(++shoppers));

  async function filled(skus: Record<string, number>): Promise<Shopper> {
    const shopper = session();
    for (const [sku, quantity] of Object.entries(skus)) await add(testApp, shopper, sku, quantity);
    return shopper;
  }

  async function placed(shopper: Shopper, how: 'online' | 'counter'): Promise<Placed> {
    const body = { confirmationToken: 'ctoken_1', billingAddress: address };
    const { orderID } = await (how === 'online'
      ? testApp.call('payByStripe', { session: shopper, body })
      : testApp.call('reserve', { session: shopper }));
    const id = orderID ?? '';
    const { orderNumber } = await testApp.call('order', { session: shopper, params: { id } });
    return { id, number: orderNumber ?? '' };
  }

  async function discounted(shopper: Shopper, coupon?: string): Promise<void> {
    if (coupon) expect((await enter(testApp, shopper, coupon)).status).toBe(200);
  }

  return {
    async ship(to: ReturnType<typeof toOf>, skus: Record<string, number>, coupon?: string) {
      const shopper = await filled(skus);
      const { status, body } = await deliver(testApp, shopper, { address: to });
      expect([to.province, status, body.errors]).toEqual([to.province, 200, undefined]);
      await discounted(shopper, coupon);
      return placed(shopper, 'online');
    },
    async bike(skus: Record<string, number>) {
      const shopper = await filled(skus);
      const to = {
        ...address,
        streetNumberAndNameDetails: '25 Niagara Street',
        city: 'Toronto',
        postCode: 'M5T 1A1',
      };
      expect(
        (await deliver(testApp, shopper, { address: to, shippingMethod: `${store}.downtown-west` })).status,
      ).toBe(200);
      return placed(shopper, 'online');
    },
    async visit(
      methodName: 'pickup' | 'instore',
      skus: Record<string, number>,
      how: 'online' | 'counter',
      tipAmount = 0,
    ) {
      const shopper = await filled(skus);
      const query = {
        methodName,
        localStoreName: store,
        ...(methodName === 'instore' ? { tableNumber: '4' } : {}),
      };
      await testApp.call('orderContactInfo', { session: shopper, query, body: { contact } });
      if (methodName === 'pickup') {
        const pickupDate = testApp.clock.now() + 4 * hour - (testApp.clock.now() % hour);
        await testApp.ask('orderPickupDate', { session: shopper, body: { pickupDate } });
      }
      if (tipAmount > 0) await testApp.call('tips', { session: shopper, body: { addTips: true, tipAmount } });
      return placed(shopper, how);
    },
  };
}

forEachEngine((engine) => {
  describe('a month’s end', () => {
    it('October stands as it was filed, November holds what was corrected, and both are those of a second set of books', {
      timeout: 900_000,
    }, async () => {
      const stripe = new DisputedProvider('Stripe');
      const env = { PUBLIC_URL: 'https://shop.example' };
      const testApp = await createTestApp({
        engine,
        demo: true,
        env,
        now: Date.UTC(2027, 9, 2, 16),
        providers: { stripe },
      });
      const { clock, services, db } = testApp;
      await sellProduct(testApp, mug, { priceCents: 2799 });
      await sellProduct(testApp, tea, { priceCents: 1833, taxClass: 'basic-grocery' });
      await sellProduct(testApp, cake, { priceCents: 745, taxClass: 'prepared-food' });
      for (const sku of [mug, tea, cake]) {
        await services.stock.correct({ sku, place: warehouse, units: 900 }, 'received');
        await services.stock.correct({ sku, place: store, units: 900 }, 'received');
      }
      const charge = {
        percent: 18,
        fromPartySize: null,
        stores: [],
        taxClass: 'standard',
        name: { en: 'Service charge' },
      };
      await services.settings.update({
        serviceCharge: { ...charge, methods: { shipping: false, pickup: false, instore: true } },
      });
      // Nova Scotia: a rate that changes on the first of November.
      const { taxRates } = await services.settings.all();
      const scotia = taxRates.find(({ provinceCode }) => provinceCode === 'NS') ?? expect.fail();
      const { provinceCode: _, changes: _earlier, ...now } = { changes: [], ...scotia };
      await services.settings.update({
        taxRates: taxRates.map((rate) =>
          rate === scotia
            ? { ...rate, changes: [{ ...now, date: '2027-11-01', hstPercent: now.hstPercent - 1 }] }
            : rate,
        ),
      });
      const coupon = await issueCoupon(testApp);
      const shop = createShoppers(testApp);
      const second = openSecondBooks(
        async (statement) => (await sql.raw<Record<string, unknown>>(statement).execute(db.read)).rows,
      );
      await second.look('before');
      const look = () => second.look(wallClock(clock.now(), zone).date);
      const step = async <T>(work: Promise<T>, ms = hour / 4): Promise<T> => {
        const result = await work;
        await look();
        clock.advance(ms);
        return result;
      };

      const permit = mintPermit('books.read', { kind: 'terminal' }, null);
      /** What the returns of a month come to, without what only the merchant knows. */
      const returned = async (month: string): Promise<Returned> => {
        const span = { from: `${month}-01`, to: `${month}-${month.endsWith('10') ? 31 : 30}` };
        const { rows } = await testApp.container.books.report(permit, span, 'en');
        const line = (id: TaxReturnId, code: string) =>
          filledReturn(id, rows, {}).find((each) => each.line.code === code)?.amount ??
          expect.fail(`${id} ${code}`);
        return {
          revenue: line('gst', '101'),
          federal: line('gst', '103') - line('gst', '107.1'),
          qst: line('quebec', '203') - line('quebec', '207.1'),
          bc: line('bc', 'B') - line('bc', 'I'),
          sk: line('sk', 'B'),
          mb: line('mb', '1'),
        };
      };

      // October: 54 orders.
      const shipped: Placed[] = [];
      for (const [index, destination] of [...destinations, ...destinations].entries()) {
        if (index % 4 === 0) clock.set(Date.UTC(2027, 9, 2 + index / 2, 16));
        const skus = { [mug]: 1 + (index % 3), [tea]: index % 4, ...(index % 5 === 0 ? { [cake]: 2 } : {}) };
        const wanted = Object.fromEntries(Object.entries(skus).filter(([, quantity]) => quantity > 0));
        shipped.push(await step(shop.ship(toOf(destination), wanted, index % 3 === 2 ? coupon : undefined)));
      }
      const tables: Placed[] = [];
      for (let index = 0; index < 10; index++) {
        clock.set(Date.UTC(2027, 9, 15 + index, 17));
        const how = index % 3 === 2 ? 'counter' : 'online';
        tables.push(
          await step(
            shop.visit('instore', { [cake]: 1 + index, [mug]: index % 2 }, how, how === 'online' ? 333 : 0),
          ),
        );
      }
      const biked: Placed[] = [];
      for (let index = 0; index < 6; index++)
        biked.push(await step(shop.bike({ [mug]: 1 + index, [tea]: 2 })));
      const reserved: Placed[] = [];
      for (let index = 0; index < 14; index++) {
        clock.set(Date.UTC(2027, 9, 17 + index, 16));
        reserved.push(
          await step(
            shop.visit('pickup', { [tea]: 1, [mug]: 1 + (index % 2) }, index < 4 ? 'online' : 'counter'),
          ),
        );
        const { number } = reserved[index] ?? expect.fail();
        if (index > 3 && index < 11) {
          await step(services.fulfilment.move(number, 'ready'));
          await step(services.fulfilment.move(number, 'completed', index % 2 === 0 ? 'cash' : 'terminal'));
        }
      }
      expect([...shipped, ...tables, ...biked, ...reserved]).toHaveLength(54);
      const orderOf = (list: readonly Placed[], index: number) => list[index] ?? expect.fail();

      // On the last evening cash is recorded, by mistake.
      clock.set(Date.UTC(2027, 9, 31, 22));
      const counter = orderOf(reserved, 11);
      await step(services.fulfilment.move(counter.number, 'ready'));
      await step(services.fulfilment.move(counter.number, 'completed', 'cash'));

      // October is filed.
      clock.set(november[0] + 9 * hour);
      const filed = await entriesIn(db.read, october);
      expect(await booked(db.read, ...october)).toEqual(second.of('2027-10'));
      expect(await returned('2027-10')).toEqual(returnedIn(second.of('2027-10')));
      const { periods, changes } = testApp.container;
      const first = (await periods.all()).next?.from ?? '';
      await periods.close(
        changes.by({ kind: 'terminal' }, 'books close'),
        { from: first, to: '2027-10-31' },
        null,
      );

      // November: what becomes of it.
      clock.set(Date.UTC(2027, 10, 2, 16));
      await step(services.fulfilment.takeBack(counter.number, 'It was another order'));
      await step(services.fulfilment.move(counter.number, 'completed', 'terminal'));
      expect((await step(services.payments.reconcile())).lapsed).toBeGreaterThan(0);

      const change = async ({ id }: Placed, lines: Parameters<typeof services.orderChanges.plan>[1]) => {
        const { version } = await services.orderChanges.plan(id, lines, 'en');
        return step(services.orderChanges.book(id, { lines, version, mayGiveBack: true }, 'en'));
      };
      const linesOf = async ({ id }: Placed) =>
        db.read
          .selectFrom('order_lines')
          .select(['id', 'sku', 'quantity'])
          .where('order_id', '=', id)
          .orderBy('position')
          .execute();
      const lineOf = async (order: Placed, sku: string) =>
        (await linesOf(order)).find((line) => line.sku === sku) ?? expect.fail(sku);

      // Fewer, of which the difference goes back; more, of which it is due; and after the rate has changed.
      for (const index of [2, 14]) {
        const order = orderOf(shipped, index);
        await change(order, [{ line: (await lineOf(order, mug)).id, quantity: 1 }]);
      }
      for (const index of [1, 6, 18]) await change(orderOf(shipped, index), [{ sku: cake, quantity: 3 }]);
      clock.set(Date.UTC(2027, 10, 5, 17));
      await change(orderOf(tables, 4), [{ sku: cake, quantity: 1, note: 'to go' }]);

      // Part of standing bills: units, a unit and the rest, shipping, a tip; and amounts without lines.
      const parts = {
        shipping: false,
        serviceCharge: false,
        tip: 0,
        restock: true,
        reason: 'broken',
        note: '',
      };
      const giveBack = async (order: Placed, wanted: RefundCovers & { tip?: number }) => {
        const { tip = 0, ...covers } = wanted;
        const amount = (await services.orderRefunds.quoteParts(order.number, covers)) + tip;
        await step(services.orderRefunds.refundParts(order.number, { ...parts, ...covers, tip, amount }));
      };
      for (const index of [5, 11, 13, 17]) {
        const order = orderOf(shipped, index);
        const [line = expect.fail()] = await linesOf(order);
        await giveBack(order, { lines: [{ line: line.id, quantity: 1 }], shipping: index % 2 === 1 });
      }
      await giveBack(orderOf(tables, 1), {
        lines: [{ line: (await lineOf(orderOf(tables, 1), cake)).id, quantity: 1 }],
        tip: 333,
      });
      clock.set(Date.UTC(2027, 10, 12, 17));
      for (const [index, amount] of [
        [3, 777],
        [8, 1001],
        [13, 500],
      ] as const)
        await step(services.orderRefunds.refund(orderOf(shipped, index).number, { amount, reason: 'late' }));
      await step(services.orderRefunds.refund(orderOf(tables, 7).number, { amount: 250, reason: 'cold' }));
      await step(
        services.orderRefunds.refund(orderOf(tables, 6).number, {
          amount: 100,
          reason: 'twice',
          corrects: true,
        }),
      );

      // Cancelled: all of it, after a refund, with kept money, and one that nobody had paid.
      await step(services.orderRefunds.cancelOrder(orderOf(shipped, 20).number, 'changed their mind'));
      await step(services.orderRefunds.cancelOrder(orderOf(shipped, 3).number, 'lost in the mail'));
      await step(
        services.orderRefunds.cancelOrder(orderOf(shipped, 19).number, 'made to order', { refund: 2000 }),
      );
      await step(
        services.orderRefunds.cancelOrder(orderOf(biked, 2).number, 'nobody was there', { refund: 1234 }),
      );

      // A refund that its provider refuses, and a dispute that is lost.
      stripe.refusesRefunds = true;
      await step(
        services.orderRefunds
          .refund(orderOf(shipped, 0).number, { amount: 300, reason: 'late' })
          .catch(() => null),
      );
      stripe.refusesRefunds = false;
      clock.set(Date.UTC(2027, 10, 20, 17));
      const [disputed = expect.fail()] = await services.payments.attempts.of(orderOf(shipped, 12).id);
      stripe.disputes.set(disputed.reference, {
        id: 'dp_1',
        amount: disputed.amount,
        state: 'lost',
        reason: 'fraudulent',
        at: clock.now(),
        respondBy: null,
        refundable: false,
      });
      await step(services.payments.check(disputed));

      // New orders, at the new rate.
      for (const destination of destinations)
        await step(shop.ship(toOf(destination), { [mug]: 2, [cake]: 1 }));

      clock.set(november[1]);
      expect(await entriesIn(db.read, october)).toEqual(filed);
      const [inOctober, inNovember] = [second.of('2027-10'), second.of('2027-11')];
      expect(await booked(db.read, ...october)).toEqual(inOctober);
      expect(await booked(db.read, ...november)).toEqual(inNovember);
      expect(await returned('2027-10')).toEqual(returnedIn(inOctober));
      expect(await returned('2027-11')).toEqual(returnedIn(inNovember));
      expect(await booksFindings(db.read)).toEqual({ periods: [], unreadable: [], events: [] });
      for (const day of second.days().filter((each) => each !== 'before')) {
        const { from, to } = spanOf(day, day, zone);
        expect([day, await booked(db.read, from, to)]).toEqual([day, second.of(day)]);
      }
      // Enough happened for the figures to mean something.
      const { rows: kinds } = await sql<{ kind: string }>`select distinct kind from ledger_entries
        where booked_at >= ${november[0]}`.execute(db.read);
      expect(kinds.map(({ kind }) => kind).sort()).toEqual(
        [
          'cancellation',
          'change',
          'dispute',
          'lapse',
          'payment',
          'paymentUndone',
          'refund',
          'refundRefused',
          'sale',
        ].sort(),
      );
      expect(new Set(Object.keys(inOctober.taxes).map((key) => key.split(' ')[0])).size).toBe(11);
      expect(inNovember.lost).toBe(disputed.amount);
      expect(inNovember.taxes).toHaveProperty(['CA-NS HST 13%']);
      const { rows: uneven } = await sql`select event_id from ledger_entries group by event_id
        having sum(amount_cents) <> 0`.execute(db.read);
      expect(uneven).toEqual([]);
      expect(await services.ledger.wrong()).toEqual([]);
      expect(await services.stock.differences()).toEqual([]);
    });
  });
});
