/** Links to orders in emails: what they show, what can be done by them, and when they end. */
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { confirmEmail, goodPassword, mailsFor, register } from '#tests/accounts.ts';
import {
  emailedTokens,
  type LinkedOrder,
  type OrderOptions,
  placeLinkedOrder,
  privateAddress,
  privateContact,
  privateNote,
  tokenFor,
} from '#tests/order-links.ts';
import { sellProduct } from '#tests/products.ts';
import { add, deliver, pay, setUnits, unitsOf } from '#tests/shop-actions.ts';
import { shopCommand } from '#tests/shop-command.ts';
import { createTestApp, forEachEngine, type TestApp, testNow } from '#tests/test-app.ts';

const mug = 'MUG-OAT';
const store = 'toronto-queen-west';
const hour = 60 * 60_000;
const day = 24 * hour;
const pickupAt = testNow + 4 * hour;

forEachEngine((engine) => {
  let testApp: TestApp;
  let shopper = 0;
  beforeAll(async () => {
    testApp = await createTestApp({ engine, demo: true, env: { PUBLIC_URL: 'https://shop.example' } });
    await sellProduct(testApp, mug);
  });
  beforeEach(async () => {
    testApp.clock.set(testNow + 400 * day);
    await testApp.services.payments.reconcile();
    testApp.clock.set(testNow);
    await setUnits(testApp, mug, 40, store);
    await testApp.services.stock.count([{ sku: mug, place: 'warehouse', units: 40 }]);
    await testApp.db.transaction(async (trx) => {
      await trx.deleteFrom('rate_limits').execute();
      await trx.deleteFrom('pickup_slots').execute();
    });
  });

  const place = (how: OrderOptions['how'], change: Partial<OrderOptions> = {}) =>
    placeLinkedOrder(testApp, { how, sku: mug, store, pickupAt, ...change });
  /** Any other device, in a network of its own. */
  const stranger = () => {
    shopper += 1;
    return testApp.shopper(`203.0.113.${shopper % 250}`);
  };
  const view = (token: string) => testApp.ask('orderLink', { params: { token }, session: stranger() });
  const cancel = (token: string) =>
    testApp.ask('orderLinkCancel', { params: { token }, session: stranger() });
  const move = (token: string, pickupDate: number) =>
    testApp.ask('orderLinkPickup', { params: { token }, body: { pickupDate }, session: stranger() });
  const revoke = (token: string) =>
    testApp.ask('orderLinkRevoke', { params: { token }, session: stranger() });
  const taken = async (at: number) =>
    (
      await testApp.db.read
        .selectFrom('pickup_slots')
        .select('taken')
        .where('slot_at', '=', at)
        .executeTakeFirst()
    )?.taken ?? 0;
  const orderOf = ({ session, id }: LinkedOrder) => testApp.call('order', { session, params: { id } });

  describe.runIf(engine === 'sqlite')('links in emails', () => {
    it('each email about an order carries a link of its own, and the database only the hash of it', async () => {
      const order = await place('reserve', { lang: 'zh' });
      await testApp.services.fulfilment.move(order.number, 'ready');
      await testApp.services.orderRefunds.cancelOrder(order.number, '');
      const mails = await mailsFor(testApp, order.email);
      const tokens = await emailedTokens(testApp, order.email);
      expect(mails).toHaveLength(3);
      expect(new Set(tokens).size).toBe(3);
      for (const { html, text } of mails) {
        expect(html).toContain('查看订单');
        expect(text).toMatch(/https:\/\/shop\.example\/zh\/order\/[\w-]{43}\s/);
      }
      const rows = await testApp.db.read
        .selectFrom('order_links')
        .selectAll()
        .where('order_id', '=', order.id)
        .execute();
      const hashes = tokens.map((token) => createHash('sha256').update(token).digest('hex'));
      expect(rows.map(({ token_hash }) => token_hash).sort()).toEqual(hashes.sort());
      const { rows: mailRows } = await sql<object>`select * from deliveries`.execute(testApp.db.read);
      for (const token of tokens) expect(JSON.stringify([rows, mailRows])).not.toContain(token);
      for (const token of tokens) expect((await view(token)).status).toBe(200);
    });

    it('emails of refunds and of customers with an account carry links too, and emails to the staff do not', async () => {
      const { session, email } = await register(testApp);
      await add(testApp, session, mug);
      await deliver(testApp, session, { contact: { ...privateContact, email } });
      const { body } = await pay(testApp, session);
      const { orderNumber } = await testApp.call('order', { session, params: { id: body.orderID } });
      await testApp.services.orderRefunds.refund(orderNumber ?? '', { amount: 100, reason: '' });
      for (const kind of ['orderConfirmation', 'refund']) {
        const [token = ''] = await emailedTokens(testApp, email, kind);
        expect((await view(token)).body.orderNumber).toBe(orderNumber);
      }
      const staff = await mailsFor(testApp, '', 'newOrder');
      expect(staff.length).toBeGreaterThan(0);
      for (const { html } of staff) expect(html).not.toContain('/order/');
    });

    it('a shop without a public URL sends emails without links, and stores none', async () => {
      const local = await createTestApp({ engine, demo: true });
      await sellProduct(local, mug);
      await setUnits(local, mug, 4, store);
      const order = await placeLinkedOrder(local, { how: 'reserve', sku: mug, store, pickupAt });
      expect(await mailsFor(local, order.email)).toHaveLength(1);
      expect(await emailedTokens(local, order.email)).toEqual([]);
      expect(await local.db.read.selectFrom('order_links').selectAll().execute()).toEqual([]);
      await local.close();
    });
  });

  describe.runIf(engine === 'sqlite')('the order of a link', () => {
    it('a link shows what was ordered and where to pick it up, and nothing that identifies the buyer', async () => {
      const order = await place('reserve');
      const { status, body, headers } = await view(await tokenFor(testApp, order.email));
      expect(status).toBe(200);
      expect(headers['cache-control']).toBe('no-store');
      expect(body).toMatchObject({
        orderNumber: order.number,
        state: 'reserved',
        localStoreName: store,
        pickupDate: pickupAt,
        lineItems: [{ sku: mug, quantity: 2 }],
        bill: { total: expect.any(Number) },
        timeline: [{ state: 'reserved', at: testNow }],
        recipient: { initials: 'Q. Z.', city: '' },
        canCancel: true,
        canChangePickup: true,
      });
      expect(body.reservedUntil).toBe((await orderOf(order)).reservedUntil);
      expectAnonymous(order, body);
    });

    it('a shipped order shows the city and the initials of its recipient, without street, postal code or contact', async () => {
      const order = await place('ship');
      const { body } = await view(await tokenFor(testApp, order.email));
      expect(body).toMatchObject({
        method: 'shipping',
        recipient: { initials: 'Q. Z.', city: privateAddress.city },
      });
      expect([body.canCancel, body.canChangePickup]).toEqual([false, false]);
      expectAnonymous(order, body);
    });

    it.each(['Visit evil.example now', 'https://evil.example', 'call 555 0199', 'a b c d e'])(
      'a city such as “%s” is not repeated, because anyone may order to an email address that is not theirs',
      async (city) => {
        const session = testApp.shopper('198.51.100.251');
        const email = `victim.${city.length}.${engine}@private.example`;
        await add(testApp, session, mug);
        await deliver(testApp, session, {
          contact: { ...privateContact, email },
          address: { ...privateAddress, city },
        });
        await pay(testApp, session);
        expect((await view(await tokenFor(testApp, email))).body.recipient.city).toBe('');
      },
    );

    it.each(['x', 'A'.repeat(43), '00000000-0000-4000-8000-000000000000', '../../etc/passwd', '%', '令牌'])(
      'an unknown token such as %s answers 404 with a hint for the shopper',
      async (token) => {
        const { status, body } = await view(token);
        expect([status, body.errorKey]).toEqual([404, 'error.orderLinkUnknown']);
      },
    );

    it('the hash of the database opens nothing', async () => {
      const order = await place('reserve');
      const hash = createHash('sha256')
        .update(await tokenFor(testApp, order.email))
        .digest('hex');
      expect((await view(hash)).status).toBe(404);
    });

    function expectAnonymous(order: LinkedOrder, body: unknown): void {
      const text = JSON.stringify(body);
      const { firstName, lastName } = privateContact;
      const { streetNumberAndNameDetails, postCode } = privateAddress;
      for (const secret of [
        firstName,
        lastName,
        '555-0187',
        order.email,
        'private.example',
        order.id,
        privateNote,
      ])
        expect(text).not.toContain(secret);
      for (const secret of [streetNumberAndNameDetails, postCode]) expect(text).not.toContain(secret);
    }
  });

  describe('the end of a link', () => {
    it('a link works until 60 days after its order was picked up, then answers 410', async () => {
      const order = await place('reserve');
      const token = await tokenFor(testApp, order.email);
      testApp.clock.set(pickupAt);
      await testApp.services.fulfilment.move(order.number, 'completed');
      testApp.clock.set(pickupAt + 60 * day - 1);
      expect((await view(token)).status).toBe(200);
      testApp.clock.set(pickupAt + 60 * day);
      const { status, body } = await view(token);
      expect([status, body.errorKey]).toEqual([410, 'error.orderLinkEnded']);
      expect((await cancel(token)).status).toBe(410);
    });

    it('a refund prolongs the links of an order that is over, and a full one ends those of an order that is not', async () => {
      const [over, open] = [await place('payPickup'), await place('ship')];
      await testApp.services.fulfilment.move(over.number, 'completed');
      testApp.clock.set(testNow + 50 * day);
      await testApp.services.orderRefunds.refund(over.number, { amount: 100, reason: '' });
      await testApp.services.orderRefunds.refund(open.number, { reason: '' });
      const tokens = [await tokenFor(testApp, over.email), await tokenFor(testApp, open.email)];
      const statuses = async () => Promise.all(tokens.map(async (token) => (await view(token)).status));
      testApp.clock.set(testNow + 110 * day - 1);
      expect(await statuses()).toEqual([200, 200]);
      testApp.clock.set(testNow + 110 * day);
      expect(await statuses()).toEqual([410, 410]);
    });

    it('a link of an order that has not ended works for a year', async () => {
      const order = await place('ship');
      const token = await tokenFor(testApp, order.email);
      testApp.clock.set(testNow + 365 * day);
      expect((await view(token)).status).toBe(200);
    });

    it('maintenance deletes links long after they ended, and no others', async () => {
      const [over, open] = [await place('payPickup'), await place('ship')];
      await testApp.services.fulfilment.move(over.number, 'completed');
      const tokens = [await tokenFor(testApp, over.email), await tokenFor(testApp, open.email)];
      const statuses = async () => Promise.all(tokens.map(async (token) => (await view(token)).status));
      testApp.clock.set(testNow + 119 * day);
      await testApp.services.orderLinks.sweep();
      expect(await statuses()).toEqual([410, 200]);
      testApp.clock.set(testNow + 121 * day);
      await testApp.services.orderLinks.sweep();
      expect(await statuses()).toEqual([404, 200]);
    });

    it('the shopper revokes all links so far, and the next email has one that works', async () => {
      const order = await place('reserve');
      await testApp.services.fulfilment.move(order.number, 'ready');
      const [first = '', second = ''] = await emailedTokens(testApp, order.email);
      expect((await revoke(second)).status).toBe(200);
      expect((await revoke(second)).status).toBe(200);
      expect([(await view(first)).status, (await view(second)).status]).toEqual([410, 410]);
      expect((await move(first, pickupAt + hour)).status).toBe(410);
      expect((await revoke('unknown')).status).toBe(404);
      await testApp.services.orderRefunds.cancelOrder(order.number, '');
      const [fresh = ''] = await emailedTokens(testApp, order.email, 'orderCancelled');
      expect((await view(fresh)).status).toBe(200);
    });

    it('the merchant revokes the links of an order by command', async () => {
      const order = await place('reserve');
      const token = await tokenFor(testApp, order.email);
      expect(await shopCommand(testApp, ['orders', 'revoke-links', order.number.toLowerCase()])).toEqual({
        code: 0,
        printed: `Revoked 1 link to order ${order.number}. Later emails about it will have new links.`,
      });
      expect((await view(token)).status).toBe(410);
      expect((await shopCommand(testApp, ['orders', 'revoke-links', order.number])).printed).toContain(
        'Revoked 0 links',
      );
      expect(await shopCommand(testApp, ['orders', 'revoke-links', 'MC-1'])).toEqual({
        code: 1,
        printed: 'There is no order MC-1.',
      });
    });

    it('a customer who deletes the account revokes the links to their orders', async () => {
      const { email } = await register(testApp);
      const session = await confirmEmail(testApp, email, goodPassword);
      await add(testApp, session, mug);
      await deliver(testApp, session, { contact: { ...privateContact, email } });
      await pay(testApp, session);
      const token = await tokenFor(testApp, email);
      expect((await view(token)).status).toBe(200);
      await testApp.call('deleteAccount', { session, body: { currentPassword: goodPassword } });
      expect((await view(token)).status).toBe(410);
    });
  });

  describe('cancelling by link', () => {
    it('an unpaid reservation is cancelled once, with its items and its time released and one email', async () => {
      const before = { units: await unitsOf(testApp.db.read, mug), taken: await taken(pickupAt) };
      const order = await place('reserve');
      const token = await tokenFor(testApp, order.email);
      const answers = await Promise.all([cancel(token), cancel(token)]);
      expect(answers.map(({ status }) => status)).toContain(200);
      expect(await cancel(token)).toMatchObject({
        status: 200,
        body: { state: 'cancelled', canCancel: false, canChangePickup: false },
      });
      expect({ units: await unitsOf(testApp.db.read, mug), taken: await taken(pickupAt) }).toEqual(before);
      expect(await mailsFor(testApp, order.email, 'orderCancelled')).toHaveLength(1);
      expect((await orderOf(order)).timeline?.map(({ state }) => state)).toEqual(['reserved', 'cancelled']);
    });

    it.each(['payPickup', 'ship'] as const)(
      'an order that is paid (%s) cannot be cancelled by its link',
      async (how) => {
        const order = await place(how);
        const token = await tokenFor(testApp, order.email);
        expect((await view(token)).body.canCancel).toBe(false);
        expect(await cancel(token)).toMatchObject({ status: 409, body: { errorKey: 'error.orderChanged' } });
        expect((await orderOf(order)).state).toBe('placed');
      },
    );

    it('a reservation that was picked up cannot be cancelled any more', async () => {
      const order = await place('reserve');
      const token = await tokenFor(testApp, order.email);
      await testApp.services.fulfilment.move(order.number, 'completed');
      expect((await cancel(token)).status).toBe(409);
      expect((await orderOf(order)).state).toBe('completed');
    });
  });

  describe('another pickup time by link', () => {
    const later = pickupAt + 2 * day;

    it('the pickup moves to a free time, its old one is free again, and the reservation is held as long after it', async () => {
      const before = [await taken(pickupAt), await taken(later)];
      const order = await place('reserve');
      const token = await tokenFor(testApp, order.email);
      const { reservedUntil } = await orderOf(order);
      const moved = await move(token, later);
      expect(moved).toMatchObject({
        status: 200,
        body: { pickupDate: later, timeline: [{ state: 'reserved' }] },
      });
      expect([await taken(pickupAt), await taken(later)]).toEqual([before[0], (before[1] ?? 0) + 1]);
      // 24 opening hours from Saturday at 14:00, and from Monday: until the store closes on Tuesday, and on Thursday.
      expect(reservedUntil).toBe(Date.UTC(2026, 4, 19, 23));
      expect(moved.body.reservedUntil).toBe(Date.UTC(2026, 4, 22, 1));
      expect(await move(token, later)).toMatchObject({ status: 200 });
      expect(await taken(later)).toBe((before[1] ?? 0) + 1);
      expect(await move(token, pickupAt)).toMatchObject({ status: 200, body: { reservedUntil } });
      expect([await taken(pickupAt), await taken(later)]).toEqual([(before[0] ?? 0) + 1, before[1]]);
    });

    it('a time that is full, closed, past or too far leaves everything as it was', async () => {
      const order = await place('payPickup');
      const token = await tokenFor(testApp, order.email);
      const stores = await testApp.services.stores.all();
      const full = pickupAt + 3 * hour;
      const filling = {
        store_id: store,
        slot_at: full,
        taken: stores.find(({ id }) => id === store)?.pickupSlotCapacity ?? 0,
      };
      await testApp.db.transaction((trx) => trx.insertInto('pickup_slots').values(filling).execute());
      const before = await taken(pickupAt);
      for (const [at, words] of [
        [full, 'fully booked'],
        [testNow + 14 * hour, 'closed at that time'],
        [testNow - hour, 'has passed'],
        [testNow + 70 * day, 'within the next'],
      ] as const)
        expect(await move(token, at)).toMatchObject({
          status: 400,
          body: { errors: { pickupDate: expect.stringContaining(words) } },
        });
      expect((await orderOf(order)).pickupDate).toBe(pickupAt);
      expect(await taken(pickupAt)).toBe(before);
      await testApp.db.transaction((trx) =>
        trx.deleteFrom('pickup_slots').where('slot_at', '=', full).execute(),
      );
    });

    it('a reservation cannot be moved again and again beyond the horizon of the day it was placed', async () => {
      await testApp.services.settings.update({ reservationHours: 24 * 60 });
      const order = await place('reserve');
      const token = await tokenFor(testApp, order.email);
      testApp.clock.set(testNow + 40 * day);
      expect((await move(token, pickupAt + 59 * day)).status).toBe(200);
      expect(await move(token, pickupAt + 61 * day)).toMatchObject({
        status: 400,
        body: { errors: expect.anything() },
      });
      await testApp.services.settings.update({ reservationHours: 24 });
    });

    it('an order without a time, a shipped one and one that was picked up have no time to change', async () => {
      const { checkoutConfig } = await testApp.services.settings.all();
      await testApp.services.settings.update({
        checkoutConfig: { ...checkoutConfig, displayPickupTime: false },
      });
      const timeless = await place('reserve', { pickupAt: null });
      await testApp.services.settings.update({ checkoutConfig });
      const [shipped, collected] = [await place('ship'), await place('payPickup')];
      await testApp.services.fulfilment.move(collected.number, 'completed');
      for (const { email } of [timeless, shipped, collected]) {
        const token = await tokenFor(testApp, email);
        expect((await view(token)).body.canChangePickup).toBe(false);
        expect((await move(token, later)).status).toBe(409);
      }
    });
  });

  describe('limits of links', () => {
    it('a network that tries unknown tokens is slowed down, whatever it asks next, and others are not', async () => {
      const order = await place('reserve');
      const token = await tokenFor(testApp, order.email);
      const guesser = testApp.shopper('192.0.2.66');
      const ask = (guess: string) => testApp.ask('orderLink', { params: { token: guess }, session: guesser });
      const statuses: number[] = [];
      for (let guess = 0; guess < 31; guess += 1) statuses.push((await ask(`guess-${guess}`)).status);
      expect(statuses).toEqual([...Array.from({ length: 30 }, () => 404), 429]);
      expect((await ask(token)).headers['retry-after']).toBeDefined();
      expect((await view(token)).status).toBe(200);
    });

    it('a buyer who opens the link again and again does not use up the limit of unknown tokens', async () => {
      const order = await place('reserve');
      const token = await tokenFor(testApp, order.email);
      const buyer = testApp.shopper('192.0.2.77');
      for (let visit = 0; visit < 40; visit += 1)
        expect((await testApp.ask('orderLink', { params: { token }, session: buyer })).status).toBe(200);
    });
  });
});
