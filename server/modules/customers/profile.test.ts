import { beforeAll, describe, expect, it } from 'vitest';
import {
  addressesVersion,
  withAddress,
  withDefault,
  withoutAddress,
} from '#contract/rules/saved-addresses.ts';
import { demoPassword } from '#demo/customer.ts';
import { goodPassword, mailsFor, register, signOn } from '#tests/accounts.ts';
import { crashDuringPayment } from '#tests/payment-actions.ts';
import { sellProduct } from '#tests/products.ts';
import { add, address, cards, contact, deliver, pay, reserve, visit } from '#tests/shop-actions.ts';
import { createTestApp, onBothEngines, type Shopper, type TestApp } from '#tests/test-app.ts';

const mug = 'MUG-OAT';
const pot = 'TEAPOT';
const home = {
  streetNumberAndNameDetails: '12 Example Street',
  city: 'Toronto',
  province: 'Ontario',
  postCode: 'M5V 0A1',
  countryISOCode: 'CA',
};

onBothEngines((engine) => {
  let testApp: TestApp;
  beforeAll(async () => {
    testApp = await createTestApp({ engine, demo: true });
    await sellProduct(testApp, mug);
    await sellProduct(testApp, pot);
  });
  const addressesOf = (session: Shopper, userId: string, addressType = 'shipping') =>
    testApp.ask('getAddresses', { session, params: { userId, addressType } });
  const keep = (session: Shopper, id: string, body: unknown, addressType = 'shipping') =>
    testApp.ask('updateAddresses', { session, params: { id, addressType }, body });

  describe('addresses in two tabs', () => {
    const [work, cottage] = [
      { ...home, city: 'Markham' },
      { ...home, city: 'Gravenhurst' },
    ];
    const cities = (list: readonly { city?: string }[]) => list.map(({ city }) => city);

    it('an address that one tab has saved is not lost by the other, and a list whose answer was lost is saved once', async () => {
      const { session, id } = await register(testApp);
      await keep(session, id, [home]);
      const shown = (await addressesOf(session, id)).body;
      const seen = addressesVersion(shown);
      const change = (body: object[], version: string) =>
        testApp.ask('updateAddresses', {
          session,
          params: { id, addressType: 'shipping' },
          query: { seen: version },
          body,
        });
      expect((await change([...shown, work], seen)).status).toBe(200);
      expect(await change([...shown, cottage], seen)).toMatchObject({
        status: 409,
        body: { errorKey: 'account.address.changed' },
      });
      expect((await change([...shown, work], seen)).status).toBe(200);
      // As the second tab goes on, from what it reads then.
      const now = (await addressesOf(session, id)).body;
      const { status, body } = await change(withAddress(now, cottage), addressesVersion(now));
      expect([status, cities(body.user.shippingAddresses)]).toEqual([
        200,
        ['Toronto', 'Markham', 'Gravenhurst'],
      ]);
    });

    it('an address is edited, removed and made the default by what it says, wherever another tab has moved it', async () => {
      const { session, id } = await register(testApp);
      await keep(session, id, [home, work, cottage]);
      const [first, second, third] = (await addressesOf(session, id)).body;
      if (!first || !second || !third) throw new Error('The addresses were not saved');
      const moved = [third, first, second];
      expect(cities(withAddress(moved, { city: 'Ottawa' }, first))).toEqual([
        'Gravenhurst',
        'Ottawa',
        'Markham',
      ]);
      expect(cities(withAddress([second], { city: 'Ottawa' }, first))).toEqual(['Markham', 'Ottawa']);
      expect(cities(withoutAddress(moved, second))).toEqual(['Gravenhurst', 'Toronto']);
      expect(cities(withoutAddress([first], second))).toEqual(['Toronto']);
      expect(cities(withDefault(moved, second))).toEqual(['Markham', 'Gravenhurst', 'Toronto']);
      expect(cities(withDefault([first], second))).toEqual(['Toronto']);
    });
  });

  describe('the profile', () => {
    it('a profile update changes the given fields and leaves the rest', async () => {
      const { session, email } = await register(testApp, { mobilePhone: '416-555-0100' });
      const changed = await testApp.call('updateUserInfo', {
        session,
        body: { firstName: ' Mo ', acceptNewsletter: false, email },
      });
      expect(changed.user).toMatchObject({
        firstName: 'Mo',
        lastName: 'Chen',
        mobilePhone: '416-555-0100',
        acceptNewsletter: false,
        email,
      });
      expect(await testApp.call('userInfo', { session })).toEqual(changed);
    });

    it('a profile update names what is wrong and keeps the email', async () => {
      const { session } = await register(testApp);
      const { status, body } = await testApp.ask('updateUserInfo', {
        session,
        body: { lastName: ' ', mobilePhone: 'x', email: 'new@example.com' },
      });
      expect(status).toBe(400);
      expect(Object.keys(body.errors ?? {}).sort()).toEqual(['email', 'lastName', 'mobilePhone']);
    });

    it('the profile call takes the whole user back as it was read', async () => {
      const { session, id } = await register(testApp);
      await keep(session, id, [home, { ...home, city: 'Markham' }]);
      const { user } = await testApp.call('userInfo', { session });
      const { status, body } = await testApp.ask('updateUserInfo', {
        session,
        body: { ...user, firstName: 'Mei' },
      });
      expect([status, body.user]).toEqual([200, { ...user, firstName: 'Mei' }]);
    });

    it('the profile call names each field that it cannot change', async () => {
      const { session, id } = await register(testApp);
      await keep(session, id, [home]);
      const { user } = await testApp.call('userInfo', { session });
      const { status, body } = await testApp.ask('updateUserInfo', {
        session,
        body: {
          ...user,
          id: 'somebody-else',
          firstName: 'Other',
          shippingAddresses: [{ ...home, city: 'Markham' }],
          billingAddresses: [home],
        },
      });
      expect(status).toBe(400);
      expect(body.errors).toEqual({
        id: 'You can’t change the id of your account',
        shippingAddresses: 'Change your addresses in the address book',
        billingAddresses: 'Change your addresses in the address book',
      });
      expect((await testApp.call('userInfo', { session })).user).toEqual(user);
    });
  });

  describe('saved addresses', () => {
    it('addresses are stored in their order and by type, and found by id and by email', async () => {
      const { session, id, email } = await register(testApp);
      const office = { ...home, city: 'Markham', addressDescription: 'Office' };
      const { body } = await keep(session, id, [home, office]);
      expect(body.user.shippingAddresses).toMatchObject([
        { city: 'Toronto', country: 'Canada' },
        { city: 'Markham', addressDescription: 'Office' },
      ]);
      expect((await addressesOf(session, email)).body).toEqual(body.user.shippingAddresses);
      expect((await addressesOf(session, id, 'billing')).body).toEqual([]);
      await keep(session, id, [office]);
      expect((await testApp.call('userInfo', { session })).user?.shippingAddresses).toHaveLength(1);
    });

    it('a saved address needs street, city and postal code, and is in Ontario unless it says otherwise', async () => {
      const { session, id } = await register(testApp);
      const { status, body } = await keep(session, id, [home, { city: 'Ottawa' }]);
      expect(status).toBe(400);
      expect(Object.keys(body.errors ?? {}).sort()).toEqual(['1.postCode', '1.streetNumberAndNameDetails']);
      expect((await addressesOf(session, id)).body).toEqual([]);
      const { streetNumberAndNameDetails, city, postCode } = home;
      const bare = await keep(session, id, [
        { streetNumberAndDetails: streetNumberAndNameDetails, city, postCode },
      ]);
      expect(bare.body.user.shippingAddresses).toMatchObject([
        { streetNumberAndNameDetails, province: 'Ontario', countryISOCode: 'CA', country: 'Canada' },
      ]);
      expect(
        (
          await keep(
            session,
            id,
            Array.from({ length: 21 }, () => home),
          )
        ).status,
      ).toBe(400);
      expect((await keep(session, id, [home], 'true')).status).toBe(400);
    });

    it('a billing address in the address book may be in any country, a shipping address only where the shop ships to', async () => {
      const { session, id } = await register(testApp);
      const paris = {
        streetNumberAndNameDetails: '1 rue de Rivoli',
        city: 'Paris',
        postCode: '75001',
        countryISOCode: 'FR',
      };
      expect((await keep(session, id, [paris], 'billing')).body.user.billingAddresses).toMatchObject([
        { country: 'France' },
      ]);
      expect((await keep(session, id, [paris])).body.errors).toEqual({
        '0.countryISOCode': 'We don’t ship to this country',
      });
    });

    it('a checkout address is saved once, for customers with a profile', async () => {
      const { session, id } = await register(testApp);
      await add(testApp, session, mug);
      const save = (who: Shopper) =>
        testApp.ask('orderDeliverInfo', {
          session: who,
          query: { saveToMyProfile: true },
          body: { contact, address },
        });
      expect((await save(session)).status).toBe(200);
      expect((await save(session)).status).toBe(200);
      expect((await addressesOf(session, id)).body).toMatchObject([{ city: 'Waterloo' }]);
      const guest = testApp.shopper();
      await add(testApp, guest, mug);
      expect((await save(guest)).status).toBe(401);
      expect((await testApp.call('myCart', { session: guest })).shippingAddress).toBeNull();
    });
  });

  describe('order history', () => {
    it('a customer’s orders are listed newest first with their details', async () => {
      const { session, id } = await register(testApp);
      await add(testApp, session, mug, 2);
      await deliver(testApp, session);
      const first = await pay(testApp, session, cards.approve);
      testApp.clock.advance(60_000);
      await add(testApp, session, pot);
      await visit(testApp, session);
      const second = await reserve(testApp, session);
      const list = await testApp.call('customerOrders', { session, params: { customerid: id } });
      expect(list.map(({ orderID }) => orderID)).toEqual([second.body.orderID, first.body.orderID]);
      expect(list[1]).toMatchObject({
        state: 'placed',
        total: expect.any(Number),
        lineItems: [{ sku: mug, quantity: 2 }],
      });
      const next = await testApp.call('customerOrders', {
        session,
        params: { customerid: id },
        query: { startingPosition: 1, numberToLoad: 1 },
      });
      expect(next.map(({ orderID }) => orderID)).toEqual([first.body.orderID]);
      const order = await testApp.call('order', { session, params: { id: second.body.orderID } });
      expect(order.timeline?.map(({ state }) => state)).toEqual(['reserved']);
    });

    it('the demo customer has orders with their outcomes', async () => {
      const session = testApp.shopper();
      expect((await signOn(testApp, 'demo@maple-and-clay.example', demoPassword, session)).status).toBe(200);
      const orders = await testApp.call('customerOrders', {
        session,
        params: { customerid: 'demo-customer' },
      });
      expect(orders.map(({ orderNumber, total }) => [orderNumber, total])).toEqual([
        ['MC-2026-000203', 4276],
        ['MC-2026-000164', 9284],
        ['MC-2026-000118', 11176],
      ]);
      const order = await testApp.call('order', {
        session,
        params: { id: orders[1]?.orderID ?? '' },
        lang: 'zh',
      });
      expect(order.timeline?.map(({ state }) => state)).toEqual(['reserved', 'ready', 'completed']);
      expect(order.payment).toEqual({ method: 'payAtStore', paid: true, refunded: 0 });
      expect(order.lineItems[0]).toMatchObject({
        productName: '无沿平盘',
        quantity: 2,
        image: expect.anything(),
      });
      const { bill } = await testApp.call('order', { session, params: { id: orders[0]?.orderID ?? '' } });
      expect(bill.subtotal - bill.discount + bill.shipping + bill.tax + bill.tip).toBe(bill.total);
      await add(testApp, session, mug);
      await deliver(testApp, session);
      const paid = await pay(testApp, session, cards.approve);
      expect(
        (await testApp.call('order', { session, params: { id: paid.body.orderID } })).orderNumber,
      ).toMatch(/^MC-2026-0002\d\d$/);
    });
  });

  describe('deletion of an account', () => {
    it('the data export has everything that is stored about a customer', async () => {
      const { session, email, id } = await register(testApp);
      await keep(session, id, [home]);
      await add(testApp, session, mug);
      await deliver(testApp, session);
      const { body } = await pay(testApp, session, cards.approve);
      await add(testApp, session, pot);
      const data = await testApp.call('accountData', { session });
      expect(data).toMatchObject({
        user: { email, shippingAddresses: [{ city: 'Toronto' }] },
        orders: [{ orderID: body.orderID, shippingAddress: { city: 'Waterloo' } }],
        cart: { lineItems: [{ sku: pot }] },
        sessions: [expect.anything()],
        mails: [{ kind: 'welcome', recipient: email }],
      });
      expect(JSON.stringify(data)).not.toMatch(/argon2|password_hash|id_hash/);
    });

    it('a deletion needs the password and leaves only what bookkeeping needs', async () => {
      const { session, email, id } = await register(testApp);
      const phone = testApp.shopper();
      await signOn(testApp, email, goodPassword, phone);
      await add(testApp, session, mug);
      await deliver(testApp, session, { contact: { ...contact, email } });
      const open = await pay(testApp, session, cards.approve);
      await add(testApp, session, pot);
      await visit(testApp, session);
      const done = await reserve(testApp, session);
      await setState(testApp, done.body.orderID, 'completed');
      await add(testApp, session, pot);
      await mailsFor(testApp, email);

      expect(
        (await testApp.ask('deleteAccount', { session, body: { currentPassword: 'not this one' } })).status,
      ).toBe(400);
      expect((await testApp.ask('deleteAccount', { session, body: {} })).status).toBe(400);
      expect((await signOn(testApp, email)).status).toBe(200);
      const gone = await testApp.ask('deleteAccount', { session, body: { currentPassword: goodPassword } });
      expect(gone.status).toBe(200);
      expect(gone.headers['set-cookie']).toMatch(/^sid=; .*Max-Age=0/);
      for (const who of [session, phone])
        expect((await testApp.call('userInfo2', { session: who })).user).toBeNull();
      expect((await signOn(testApp, email)).status).toBe(401);
      const { read } = testApp.db;
      expect(await read.selectFrom('customers').select('id').where('id', '=', id).execute()).toEqual([]);
      expect(
        await read.selectFrom('deliveries').select('id').where('recipient', '=', email).execute(),
      ).toEqual([]);
      expect(await read.selectFrom('orders').select('id').where('customer_id', '=', id).execute()).toEqual(
        [],
      );

      const kept = await orderRow(testApp, done.body.orderID);
      expect(kept).toMatchObject({
        order_number: expect.any(String),
        customer_comment: '',
        session_hash: null,
      });
      expect(JSON.parse(kept.contact ?? '{}')).toEqual({ ...contact, phoneNumber: '', email: '' });
      expect(JSON.parse(kept.bill ?? '{}').total).toBeGreaterThan(0);
      // This order is not shipped yet: its buyer must be reachable until then.
      expect((await orderRow(testApp, open.body.orderID)).contact).toContain(email);
      await testApp.services.runMaintenance();
      expect((await orderRow(testApp, open.body.orderID)).contact).toContain(email);
      await setState(testApp, open.body.orderID, 'completed');
      await testApp.services.runMaintenance();
      expect((await orderRow(testApp, open.body.orderID)).contact).not.toContain(email);
      expect((await register(testApp, { email })).email).toBe(email);
    });

    it('a deletion removes the recipient of a declined cart, and emails however they were addressed', async () => {
      const { session, email, id } = await register(testApp);
      await add(testApp, session, mug);
      await deliver(testApp, session, { contact: { ...contact, email } });
      expect((await pay(testApp, session, cards.decline)).status).toBe(402);
      const { orderID } = await testApp.call('myCart', { session });
      await testApp.call('forgotPassword', {
        session: testApp.shopper(),
        query: { emailID: ` ${email.toUpperCase()}` },
      });
      await mailsFor(testApp, email);
      const kinds = (await testApp.call('accountData', { session })).mails.map(({ kind }) => kind);
      expect(kinds.sort()).toEqual(['temporaryPassword', 'welcome']);
      await testApp.call('deleteAccount', { session, body: { currentPassword: goodPassword } });
      const { read } = testApp.db;
      const row = await orderRow(testApp, orderID ?? '');
      expect(row).toMatchObject({
        customer_id: null,
        session_hash: null,
        contact: null,
        shipping_address: null,
        billing_address: null,
      });
      expect(
        JSON.stringify(await read.selectFrom('orders').selectAll().where('customer_id', '=', id).execute()),
      ).toBe('[]');
      const mails = await read.selectFrom('deliveries').select('recipient').execute();
      expect(
        mails.filter(({ recipient }) => recipient?.trim().toLowerCase() === email.toLowerCase()),
      ).toEqual([]);
    });

    it('a deletion keeps pending emails about an order', async () => {
      const { session, email } = await register(testApp);
      await add(testApp, session, mug);
      await deliver(testApp, session, { contact: { ...contact, email } });
      expect((await pay(testApp, session, cards.approve)).status).toBe(200);
      await testApp.call('deleteAccount', { session, body: { currentPassword: goodPassword } });
      const mails = await testApp.db.read
        .selectFrom('deliveries')
        .select('kind')
        .where('recipient', '=', email)
        .execute();
      expect(mails.map(({ kind }) => kind)).toEqual(['orderConfirmation']);
    });

    it('a deletion keeps the buyer’s contact while late money may still arrive for an expired order', async () => {
      const { session, email } = await register(testApp);
      await add(testApp, session, mug);
      await deliver(testApp, session, { contact: { ...contact, email } });
      await crashDuringPayment(testApp, session, false);
      testApp.clock.advance(15 * 60_000);
      await testApp.services.holds.expireHolds();
      await testApp.call('deleteAccount', { session, body: { currentPassword: goodPassword } });
      const reachable = async () => {
        await testApp.services.orders.customers.anonymizeEnded();
        const rows = await testApp.db.read
          .selectFrom('orders')
          .select('contact')
          .where('contact', 'like', `%${email}%`)
          .execute();
        return rows.length;
      };
      expect(await reachable()).toBe(1);
      await testApp.services.payments.reconcile();
      expect(await reachable()).toBe(0);
    });

    it('a deletion is refused while a payment is under way, and says so', async () => {
      const { session, email } = await register(testApp);
      await add(testApp, session, mug);
      await deliver(testApp, session, { contact: { ...contact, email } });
      expect((await pay(testApp, session, cards.challenge)).body.action).toMatchObject({ type: 'challenge' });
      const remove = (lang: 'en' | 'zh') =>
        testApp.ask('deleteAccount', { session, lang, body: { currentPassword: goodPassword } });
      const { status, body } = await remove('en');
      expect([status, body.errorKey]).toEqual([409, 'account.delete.paying']);
      expect(body.message).toContain('You have a payment in progress.');
      expect((await remove('zh')).body.message).toContain('正在付款');
      expect((await testApp.call('userInfo2', { session })).user?.email).toBe(email);
      await testApp.call('cancelPayment', { session, body: {} });
      expect((await remove('en')).status).toBe(200);
    });
  });

  describe('an account withdrawn by the shop', () => {
    it('a withdrawn account is deleted with its sessions', async () => {
      const { session, email, id } = await register(testApp);
      expect(await testApp.services.accounts.profile.withdraw(id)).toBe(true);
      expect((await testApp.call('userInfo2', { session })).user).toBeNull();
      expect((await signOn(testApp, email)).status).toBe(401);
      expect(await testApp.services.accounts.profile.withdraw(id)).toBe(false);
    });

    it('a withdrawn account accepts no password while one of its orders is being paid', async () => {
      const { session, email, id } = await register(testApp);
      await add(testApp, session, mug);
      await deliver(testApp, session);
      await crashDuringPayment(testApp, session, false);
      expect(await testApp.services.accounts.profile.withdraw(id)).toBe(true);
      expect((await testApp.call('userInfo2', { session })).user).toBeNull();
      expect((await signOn(testApp, email)).status).toBe(401);
    });
  });
});

function orderRow(testApp: TestApp, id: string) {
  return testApp.db.read.selectFrom('orders').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
}

async function setState(testApp: TestApp, id: string, state: string): Promise<void> {
  await testApp.db.transaction(async (trx) => {
    await trx.updateTable('orders').set({ state }).where('id', '=', id).execute();
  });
}
