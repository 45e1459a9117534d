import { beforeAll, describe, expect, it } from 'vitest';
import { demoPassword } from '#demo/customer.ts';
import { goodPassword, mailsFor, register, signOn } from '#tests/accounts.ts';
import { diesWhilePaying } from '#tests/payment-actions.ts';
import { add, address, cards, contact, deliver, pay, reserve, visit } from '#tests/shop-actions.ts';
import { createWorld, forEachEngine, type Shopper, type World } from '#tests/test-app.ts';

const mug = 'MC-CM-01-OAT';
const pot = 'MC-TP-01';
const home = {
  streetNumberAndNameDetails: '12 Example Street',
  city: 'Toronto',
  province: 'Ontario',
  postCode: 'M5V 0A1',
  countryISOCode: 'CA',
};

forEachEngine((engine) => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld({ engine, demo: true });
  });
  const addressesOf = (session: Shopper, userId: string, addressType = 'shipping') =>
    world.ask('getAddresses', { session, params: { userId, addressType } });
  const keep = (session: Shopper, id: string, body: unknown, addressType = 'shipping') =>
    world.ask('updateAddresses', { session, params: { id, addressType }, body });

  describe('the profile', () => {
    it('changes what is given and leaves the rest', async () => {
      const { session, email } = await register(world, { mobilePhone: '416-555-0100' });
      const changed = await world.call('updateUserInfo', {
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
      expect(await world.call('userInfo', { session })).toEqual(changed);
    });

    it('names what is wrong, and keeps the email', async () => {
      const { session } = await register(world);
      const { status, body } = await world.ask('updateUserInfo', {
        session,
        body: { lastName: ' ', mobilePhone: 'x', email: 'new@example.com' },
      });
      expect(status).toBe(400);
      expect(Object.keys(body.errors ?? {}).sort()).toEqual(['email', 'lastName', 'mobilePhone']);
    });

    it('the profile call takes the whole user back as it was read', async () => {
      const { session, id } = await register(world);
      await keep(session, id, [home, { ...home, city: 'Markham' }]);
      const { user } = await world.call('userInfo', { session });
      const { status, body } = await world.ask('updateUserInfo', { session, body: { ...user, firstName: 'Mei' } });
      expect([status, body.user]).toEqual([200, { ...user, firstName: 'Mei' }]);
    });

    it('the profile call names each field that it cannot change', async () => {
      const { session, id } = await register(world);
      await keep(session, id, [home]);
      const { user } = await world.call('userInfo', { session });
      const { status, body } = await world.ask('updateUserInfo', {
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
      expect((await world.call('userInfo', { session })).user).toEqual(user);
    });
  });

  describe('addresses', () => {
    it('are kept in their order, each type for itself, found by id and by email', async () => {
      const { session, id, email } = await register(world);
      const office = { ...home, city: 'Markham', addressDescription: 'Office' };
      const { body } = await keep(session, id, [home, office]);
      expect(body.user.shippingAddresses).toMatchObject([
        { city: 'Toronto', country: 'Canada' },
        { city: 'Markham', addressDescription: 'Office' },
      ]);
      expect((await addressesOf(session, email)).body).toEqual(body.user.shippingAddresses);
      expect((await addressesOf(session, id, 'billing')).body).toEqual([]);
      await keep(session, id, [office]);
      expect((await world.call('userInfo', { session })).user?.shippingAddresses).toHaveLength(1);
    });

    it('need street, city and post code; are in Ontario unless they say otherwise', async () => {
      const { session, id } = await register(world);
      const { status, body } = await keep(session, id, [home, { city: 'Ottawa' }]);
      expect(status).toBe(400);
      expect(Object.keys(body.errors ?? {}).sort()).toEqual(['1.postCode', '1.streetNumberAndNameDetails']);
      expect((await addressesOf(session, id)).body).toEqual([]);
      const { streetNumberAndNameDetails, city, postCode } = home;
      const bare = await keep(session, id, [{ streetNumberAndDetails: streetNumberAndNameDetails, city, postCode }]);
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
      const { session, id } = await register(world);
      const paris = { streetNumberAndNameDetails: '1 rue de Rivoli', city: 'Paris', postCode: '75001', countryISOCode: 'FR' };
      expect((await keep(session, id, [paris], 'billing')).body.user.billingAddresses).toMatchObject([{ country: 'France' }]);
      expect((await keep(session, id, [paris])).body.errors).toEqual({ '0.countryISOCode': 'We don’t ship to this country' });
    });

    it('of a checkout are saved once, for those who have a profile', async () => {
      const { session, id } = await register(world);
      await add(world, session, mug);
      const save = (who: Shopper) =>
        world.ask('orderDeliverInfo', { session: who, query: { saveToMyProfile: true }, body: { contact, address } });
      expect((await save(session)).status).toBe(200);
      expect((await save(session)).status).toBe(200);
      expect((await addressesOf(session, id)).body).toMatchObject([{ city: 'Waterloo' }]);
      const guest = world.shopper();
      await add(world, guest, mug);
      expect((await save(guest)).status).toBe(401);
      expect((await world.call('myCart', { session: guest })).shippingAddress).toBeNull();
    });
  });

  describe('orders', () => {
    it('are listed latest first, and told from the start', async () => {
      const { session, id } = await register(world);
      await add(world, session, mug, 2);
      await deliver(world, session);
      const first = await pay(world, session, cards.approve);
      world.clock.advance(60_000);
      await add(world, session, pot);
      await visit(world, session);
      const second = await reserve(world, session);
      const list = await world.call('customerOrders', { session, params: { customerid: id } });
      expect(list.map(({ orderID }) => orderID)).toEqual([second.body.orderID, first.body.orderID]);
      expect(list[1]).toMatchObject({ state: 'placed', total: expect.any(Number), lineItems: [{ sku: mug, quantity: 2 }] });
      const next = await world.call('customerOrders', {
        session,
        params: { customerid: id },
        query: { startingPosition: 1, numberToLoad: 1 },
      });
      expect(next.map(({ orderID }) => orderID)).toEqual([first.body.orderID]);
      const order = await world.call('order', { session, params: { id: second.body.orderID } });
      expect(order.timeline?.map(({ state }) => state)).toEqual(['reserved']);
    });

    it('of the demo’s customer are there, with what became of them', async () => {
      const session = world.shopper();
      expect((await signOn(world, 'demo@maple-and-clay.example', demoPassword, session)).status).toBe(200);
      const orders = await world.call('customerOrders', { session, params: { customerid: 'demo-customer' } });
      expect(orders.map(({ orderNumber, total }) => [orderNumber, total])).toEqual([
        ['MC-2026-000203', 4276],
        ['MC-2026-000164', 9284],
        ['MC-2026-000118', 11176],
      ]);
      const order = await world.call('order', { session, params: { id: orders[1]?.orderID ?? '' }, lang: 'zh' });
      expect(order.timeline?.map(({ state }) => state)).toEqual(['reserved', 'ready', 'completed']);
      expect(order.payment).toEqual({ method: 'payAtStore', paid: true, refunded: 0 });
      expect(order.lineItems[0]).toMatchObject({ productName: '无沿平盘', quantity: 2, image: expect.anything() });
      const { bill } = await world.call('order', { session, params: { id: orders[0]?.orderID ?? '' } });
      expect(bill.subtotal - bill.discount + bill.shipping + bill.tax + bill.tip).toBe(bill.total);
      await add(world, session, mug);
      await deliver(world, session);
      const paid = await pay(world, session, cards.approve);
      expect((await world.call('order', { session, params: { id: paid.body.orderID } })).orderNumber).toMatch(
        /^MC-2026-0002\d\d$/,
      );
    });
  });

  describe('leaving', () => {
    it('one takes everything along that is kept', async () => {
      const { session, email, id } = await register(world);
      await keep(session, id, [home]);
      await add(world, session, mug);
      await deliver(world, session);
      const { body } = await pay(world, session, cards.approve);
      await add(world, session, pot);
      const data = await world.call('accountData', { session });
      expect(data).toMatchObject({
        user: { email, shippingAddresses: [{ city: 'Toronto' }] },
        orders: [{ orderID: body.orderID, shippingAddress: { city: 'Waterloo' } }],
        cart: { lineItems: [{ sku: pot }] },
        sessions: [expect.anything()],
        mails: [{ kind: 'welcome', recipient: email }],
      });
      expect(JSON.stringify(data)).not.toMatch(/argon2|password_hash|id_hash/);
    });

    it('needs the password, and leaves nothing but what bookkeeping needs', async () => {
      const { session, email, id } = await register(world);
      const phone = world.shopper();
      await signOn(world, email, goodPassword, phone);
      await add(world, session, mug);
      await deliver(world, session, { contact: { ...contact, email } });
      const open = await pay(world, session, cards.approve);
      await add(world, session, pot);
      await visit(world, session);
      const done = await reserve(world, session);
      await setState(world, done.body.orderID, 'completed');
      await add(world, session, pot);
      await mailsFor(world, email);

      expect((await world.ask('deleteAccount', { session, body: { currentPassword: 'not this one' } })).status).toBe(400);
      expect((await world.ask('deleteAccount', { session, body: {} })).status).toBe(400);
      expect((await signOn(world, email)).status).toBe(200);
      const gone = await world.ask('deleteAccount', { session, body: { currentPassword: goodPassword } });
      expect(gone.status).toBe(200);
      expect(gone.headers['set-cookie']).toMatch(/^sid=; .*Max-Age=0/);
      for (const who of [session, phone]) expect((await world.call('userInfo2', { session: who })).user).toBeNull();
      expect((await signOn(world, email)).status).toBe(401);
      const { read } = world.db;
      expect(await read.selectFrom('customers').select('id').where('id', '=', id).execute()).toEqual([]);
      expect(await read.selectFrom('mails').select('id').where('recipient', '=', email).execute()).toEqual([]);
      expect(await read.selectFrom('orders').select('id').where('customer_id', '=', id).execute()).toEqual([]);

      const kept = await orderRow(world, done.body.orderID);
      expect(kept).toMatchObject({ order_number: expect.any(String), customer_comment: '', session_hash: null });
      expect(JSON.parse(kept.contact ?? '{}')).toEqual({ ...contact, phoneNumber: '', email: '' });
      expect(JSON.parse(kept.bill ?? '{}').total).toBeGreaterThan(0);
      // This one is still to be sent: its buyer must be reachable until then.
      expect((await orderRow(world, open.body.orderID)).contact).toContain(email);
      await world.services.sweep();
      expect((await orderRow(world, open.body.orderID)).contact).toContain(email);
      await setState(world, open.body.orderID, 'completed');
      await world.services.sweep();
      expect((await orderRow(world, open.body.orderID)).contact).not.toContain(email);
      expect((await register(world, { email })).email).toBe(email);
    });

    it('forgets whom a cart was for that stays for a card that was declined, and mails however they were addressed', async () => {
      const { session, email, id } = await register(world);
      await add(world, session, mug);
      await deliver(world, session, { contact: { ...contact, email } });
      expect((await pay(world, session, cards.decline)).status).toBe(402);
      const { orderID } = await world.call('myCart', { session });
      await world.call('forgotPassword', { session: world.shopper(), query: { emailID: ` ${email.toUpperCase()}` } });
      await mailsFor(world, email);
      const kinds = (await world.call('accountData', { session })).mails.map(({ kind }) => kind);
      expect(kinds.sort()).toEqual(['temporaryPassword', 'welcome']);
      await world.call('deleteAccount', { session, body: { currentPassword: goodPassword } });
      const { read } = world.db;
      const row = await orderRow(world, orderID ?? '');
      expect(row).toMatchObject({
        customer_id: null,
        session_hash: null,
        contact: null,
        shipping_address: null,
        billing_address: null,
      });
      expect(JSON.stringify(await read.selectFrom('orders').selectAll().where('customer_id', '=', id).execute())).toBe('[]');
      const mails = await read.selectFrom('mails').select('recipient').execute();
      expect(mails.filter(({ recipient }) => recipient.trim().toLowerCase() === email.toLowerCase())).toEqual([]);
    });

    it('leaves what is still to be said about an order', async () => {
      const { session, email } = await register(world);
      await add(world, session, mug);
      await deliver(world, session, { contact: { ...contact, email } });
      expect((await pay(world, session, cards.approve)).status).toBe(200);
      await world.call('deleteAccount', { session, body: { currentPassword: goodPassword } });
      const mails = await world.db.read.selectFrom('mails').select('kind').where('recipient', '=', email).execute();
      expect(mails.map(({ kind }) => kind)).toEqual(['orderConfirmation']);
    });

    it('leaves how to reach a buyer while it is not known whether money comes for an order whose hold ran out', async () => {
      const { session, email } = await register(world);
      await add(world, session, mug);
      await deliver(world, session, { contact: { ...contact, email } });
      await diesWhilePaying(world, session, false);
      world.clock.advance(15 * 60_000);
      await world.services.orders.lapseDue();
      await world.call('deleteAccount', { session, body: { currentPassword: goodPassword } });
      const reachable = async () => {
        await world.services.orders.customers.forgetEnded();
        const rows = await world.db.read.selectFrom('orders').select('contact').where('contact', 'like', `%${email}%`).execute();
        return rows.length;
      };
      expect(await reachable()).toBe(1);
      await world.services.payments.reconcile();
      expect(await reachable()).toBe(0);
    });

    it('waits for a payment that is under way, and says so', async () => {
      const { session, email } = await register(world);
      await add(world, session, mug);
      await deliver(world, session, { contact: { ...contact, email } });
      expect((await pay(world, session, cards.challenge)).body.action).toMatchObject({ type: 'challenge' });
      const remove = (lang: 'en' | 'zh') =>
        world.ask('deleteAccount', { session, lang, body: { currentPassword: goodPassword } });
      const { status, body } = await remove('en');
      expect([status, body.errorKey]).toEqual([409, 'account.delete.paying']);
      expect(body.message).toContain('You have a payment in progress.');
      expect((await remove('zh')).body.message).toContain('正在付款');
      expect((await world.call('userInfo2', { session })).user?.email).toBe(email);
      await world.call('cancelPayment', { session, body: {} });
      expect((await remove('en')).status).toBe(200);
    });
  });

  describe('an account that the shop withdraws', () => {
    it('is deleted, with its sessions', async () => {
      const { session, email, id } = await register(world);
      expect(await world.services.accounts.profile.withdraw(id)).toBe(true);
      expect((await world.call('userInfo2', { session })).user).toBeNull();
      expect((await signOn(world, email)).status).toBe(401);
      expect(await world.services.accounts.profile.withdraw(id)).toBe(false);
    });

    it('opens with no password while one of its orders is being paid', async () => {
      const { session, email, id } = await register(world);
      await add(world, session, mug);
      await deliver(world, session);
      await diesWhilePaying(world, session, false);
      expect(await world.services.accounts.profile.withdraw(id)).toBe(true);
      expect((await world.call('userInfo2', { session })).user).toBeNull();
      expect((await signOn(world, email)).status).toBe(401);
    });
  });
});

function orderRow(world: World, id: string) {
  return world.db.read.selectFrom('orders').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
}

async function setState(world: World, id: string, state: string): Promise<void> {
  await world.db.transaction(async (trx) => {
    await trx.updateTable('orders').set({ state }).where('id', '=', id).execute();
  });
}
