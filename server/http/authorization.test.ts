/**
 * Access to every call of the contract, tested as a guest, as another customer and without the client header. Only its owner can
 * read or change what belongs to a customer.
 */
import Type, { type TSchema } from 'typebox';
import { Check } from 'typebox/value';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Endpoint } from '#contract/endpoint.ts';
import { clientTokenHeader } from '#contract/limits.ts';
import { type Body, endpoints } from '#contract/shop/endpoints.ts';
import { type EndpointName, methodAndPath } from '#contract/shop/paths.ts';
import type { ProviderEndpoints } from '#contract/shop/payment.ts';
import { type Customer, goodPassword, register } from '#tests/accounts.ts';
import { sellProduct } from '#tests/products.ts';
import { add, address, cards, contact, deliver, pay } from '#tests/shop-actions.ts';
import { createTestApp, onOneEngine, Shopper, type TestApp } from '#tests/test-app.ts';
import { wholeDatabase } from '#tests/whole-database.ts';
import { example } from './schema-text.ts';

const mug = 'MUG-OAT';
const pot = 'TEAPOT';
const names = Object.keys(endpoints) as EndpointName[];
const endpointOf = (name: EndpointName): Endpoint => endpoints[name];
const ofSessions = names.filter((name) => endpointOf(name).audience === 'session');
const changing = names.filter((name) => endpointOf(name).changes);
const reading = names.filter((name) => methodAndPath(name).method === 'GET' && !endpointOf(name).changes);
const withBody = names.filter((name) => endpointOf(name).body);
/** Calls that need an account and answer a guest with 401. */
const ofAccounts = names.filter((name) => methodAndPath(name).path.startsWith('admin/') && name !== 'order');

type WithBody = { [N in EndpointName]: Body<N> extends undefined ? never : N }[EndpointName];

/**
 * A body for every call that takes one, as an attacker who targets the victim's data would send it. Those of payment providers are
 * made from their schemas (`bodyFor`).
 */
function bodies(victim: Victim): { [N in Exclude<WithBody, keyof ProviderEndpoints>]: Body<N> } {
  const { email } = victim;
  const password = 'taken over by a stranger';
  return {
    productsByConditions: {},
    addSetToCart: { items: [{ sku: 'X', optionPairs: '' }] },
    addToCart: { quantity: 3 },
    updateCartItem: { quantity: 3 },
    deleteCartItem: { itemName: pot },
    updateCartLine: { quantity: 3 },
    deleteCartLine: { line: 'X' },
    updateCustomerComment: { value: 'mine now' },
    removeCoupon: {},
    tips: { addTips: true, tip: 20 },
    localDelivery: { address },
    orderDeliverInfo: { address, contact: {} },
    orderContactInfo: { contact: {} },
    orderPickupDate: { pickupDate: 1 },
    reserve: {},
    resumePayment: { provider: 'house' },
    cancelPayment: {},
    clientRegistration: { firstName: 'X', lastName: 'Y', email, password },
    orderLinkCancel: {},
    orderLinkPickup: { pickupDate: 1 },
    orderLinkRevoke: {},
    signon: { userID: email, password },
    resetPasswordExternal: {
      userID: email,
      temporaryPassword: 'aaaa-bbbb-cccc-dddd',
      password,
      passwordConfirm: password,
    },
    updateUserInfo: { firstName: 'Mallory', email },
    resetPassword: { userID: email, currentPassword: goodPassword, password, passwordConfirm: password },
    updateAddresses: [],
    endSessions: {},
    deleteAccount: { currentPassword: 'not the password' },
    submitForm: {
      mailTo: email,
      formName: 'wholesale',
      messageDetails: [{ key: 'email', value: 'mallory@example.com' }],
    },
  };
}

/**
 * The body of a call; undefined if it takes none. Made from the schema, it has every field, optional ones too, but pays for the
 * cart, and accepts the current bill, whatever that is.
 */
function bodyFor(name: EndpointName, victim: Victim): unknown {
  const written = (bodies(victim) as Partial<Record<EndpointName, unknown>>)[name];
  const { body } = endpointOf(name);
  if (written !== undefined || !body) return written;
  const {
    billVersion: _outdated,
    dueVersion: _unknown,
    ...made
  } = example(Type.Required(body) as TSchema) as Record<string, unknown>;
  return made;
}

interface Victim extends Customer {
  orderId: string;
}

/** The id that a call carries in its path, belonging to the victim or to the attacker. */
function paramsFor(name: EndpointName, victim: Victim, user: string): Record<string, string> {
  const known: Record<string, string> = {
    userId: user,
    customerid: user,
    id:
      name === 'order'
        ? victim.orderId
        : name === 'updateAddresses'
          ? user
          : name === 'provinces'
            ? 'CA'
            : name === 'categories'
              ? 'primary'
              : 'speckled-mug',
    addressType: 'shipping',
    itemName: pot,
    code: 'WELCOME10',
    gatewayName: '{host}',
    productID: 'speckled-mug',
    productid: 'speckled-mug',
    nameLike: 'mug',
    condition: 'all',
    tagid: 'gifts',
    tagName: 'gifts',
    name: 'x',
  };
  const schema = endpointOf(name).params;
  const wanted = schema && 'properties' in schema ? Object.keys(schema.properties as object) : [];
  return Object.fromEntries(wanted.map((key) => [key, known[key] ?? 'x']));
}

function queryFor(name: EndpointName, victim: Victim): Record<string, unknown> {
  const queries: Partial<Record<EndpointName, Record<string, unknown>>> = {
    forgotPassword: { emailID: victim.email },
    shippingMethods: { country: 'CA', province: 'Ontario' },
    pickupSlots: { localStoreName: 'toronto-queen-west', date: '2026-05-18' },
    orderDeliverInfo: { saveToMyProfile: true },
    pageContent: { pageName: 'home' },
    readFeed: { url: '/blog/feed.xml' },
  };
  return queries[name] ?? {};
}

onOneEngine((engine) => {
  let testApp: TestApp;
  let victim: Victim;
  let stranger: Customer;
  let secrets: (string | RegExp)[];

  beforeAll(async () => {
    testApp = await createTestApp({ engine, demo: true });
    await sellProduct(testApp, mug);
    await sellProduct(testApp, pot);
    const customer = await register(testApp, {
      firstName: 'Violet',
      lastName: 'Tremblay',
      email: 'violet@private.example',
      mobilePhone: '416-555-0177',
    });
    const { session, id } = customer;
    const home = { ...address, streetNumberAndNameDetails: '7 Hidden Lane' };
    await testApp.call('updateAddresses', { session, params: { id, addressType: 'shipping' }, body: [home] });
    await add(testApp, session, mug);
    await deliver(testApp, session, { address: home, contact: { ...contact, email: customer.email } });
    const paid = await pay(testApp, session, cards.approve);
    await add(testApp, session, pot, 2);
    victim = { ...customer, orderId: paid.body.orderID ?? '' };
    secrets = [victim.id, victim.orderId, 'Violet', 'Tremblay', 'Hidden Lane', /555\D?0177/];
    stranger = await register(testApp);
  });

  const ask = (name: EndpointName, session: Shopper, user: string, headers: Record<string, string> = {}) => {
    const body = bodyFor(name, victim);
    return testApp.ask(name, {
      session,
      params: paramsFor(name, victim, user),
      query: queryFor(name, victim),
      headers,
      ...(body === undefined ? {} : { body }),
    });
  };

  it.each(withBody)('the body that the attacker sends to %s is valid and complete', (name) => {
    const { body } = endpointOf(name);
    const sent = bodyFor(name, victim);
    expect(body && Check(body, sent)).toBe(true);
    // A field that is empty may be reported before anything of the victim's is read.
    if (!(name in bodies(victim))) expect(JSON.stringify(sent)).not.toMatch(/:(?:""|\{\}|null)/);
  });

  it.each(ofSessions)(
    'the call %s reveals nothing of a customer to a guest or another customer',
    async (name) => {
      const before = await everythingOf(testApp, victim);
      for (const user of [victim.id, victim.email, encodeURIComponent(victim.email)]) {
        for (const session of [testApp.shopper(), stranger.session]) {
          const { status, body } = await ask(name, session, user);
          expect(status).toBeLessThan(500);
          const said = JSON.stringify(body);
          for (const secret of secrets) expect(said).not.toMatch(secret);
          expect(await everythingOf(testApp, victim)).toBe(before);
        }
      }
      // The victim is still signed in, with an unchanged cart.
      expect((await testApp.call('userInfo2', { session: victim.session })).userID).toBe(victim.email);
      expect((await testApp.call('myCart', { session: victim.session })).lineItems).toMatchObject([
        { sku: pot, quantity: 2 },
      ]);
      if (!(await testApp.call('userInfo2', { session: stranger.session })).user)
        stranger = await register(testApp);
    },
  );

  it.each(ofAccounts)('the call %s needs an account', async (name) => {
    const { status, body } = await ask(name, testApp.shopper(), victim.id);
    expect(status).toBe(401);
    expect(body).toMatchObject({ errorType: 'AUTHORIZATION_ERROR', errorKey: 'account.signInNeeded' });
  });

  it.each(['getAddresses', 'updateAddresses', 'customerOrders', 'resetPassword'] as const)(
    'the call %s answers 403 about another customer',
    async (name) => {
      for (const user of [victim.id, victim.email, 'nobody@example.com', 'no-such-id']) {
        const { status } = await ask(name, stranger.session, user);
        expect(status).toBe(403);
      }
    },
  );

  it('an order is visible to the shopper who placed it and to nobody else', async () => {
    expect((await ask('order', victim.session, '')).status).toBe(200);
    expect((await ask('order', stranger.session, '')).status).toBe(404);
    expect((await ask('order', testApp.shopper(), '')).status).toBe(404);
  });

  it.each(changing)('the call %s is rejected without the client header and changes nothing', async (name) => {
    const before = await wholeDatabase(testApp);
    for (const headers of [{ [clientTokenHeader]: '' }, { [clientTokenHeader]: 'guessed' }]) {
      const { status, body } = await ask(name, victim.session, victim.id, headers);
      expect(status).toBe(403);
      expect(body.errorType).toBe('FORBIDDEN');
    }
    expect(await wholeDatabase(testApp)).toBe(before);
  });

  it.each(reading)('the call %s changes nothing, as its contract says', async (name) => {
    const before = await wholeDatabase(testApp);
    await ask(name, victim.session, victim.id, { [clientTokenHeader]: '' });
    await ask(name, testApp.shopper(), victim.id, { [clientTokenHeader]: '' });
    expect(await wholeDatabase(testApp)).toBe(before);
  });

  describe('forged session cookies', () => {
    it('a made-up cookie, or one with the hash of the database, opens no session', async () => {
      const rows = await testApp.db.read.selectFrom('sessions').select('id_hash').execute();
      for (const value of [
        'A'.repeat(43),
        ...rows.map(({ id_hash }) => id_hash),
        ...rows.map(({ id_hash }) => id_hash.slice(0, 43)),
      ]) {
        const session = new Shopper();
        session.cookies.set('sid', value);
        expect((await ask('accountData', session, victim.id)).status).toBe(401);
      }
    });
  });
});

/** Every row that belongs to the customer, except what anyone may add with a request: emails and attempts. */
async function everythingOf({ db }: TestApp, { id }: Customer): Promise<string> {
  const { read } = db;
  const orders = await read
    .selectFrom('orders')
    .selectAll()
    .where('customer_id', '=', id)
    .orderBy('id')
    .execute();
  const ids = orders.map((order) => order.id);
  return JSON.stringify([
    orders,
    await read.selectFrom('customers').selectAll().where('id', '=', id).execute(),
    await read.selectFrom('sessions').selectAll().where('customer_id', '=', id).orderBy('id_hash').execute(),
    await read
      .selectFrom('order_lines')
      .selectAll()
      .where('order_id', 'in', ids)
      .orderBy('order_id')
      .orderBy('sku')
      .execute(),
    await read.selectFrom('payments').selectAll().where('order_id', 'in', ids).orderBy('id').execute(),
    await read.selectFrom('temporary_passwords').selectAll().where('customer_id', '=', id).execute(),
  ]);
}
