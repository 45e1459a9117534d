/**
 * Every call by which shoppers change something, sent again: at once because its answer was lost, from two tabs at the same time, and an
 * hour later. The shop is as after one. The table has each call that the contract declares, by its type.
 */
import { randomUUID } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import { requestKeyHeader } from '#contract/limits.ts';
import { addressesVersion } from '#contract/rules/saved-addresses.ts';
import { type Endpoints, endpoints } from '#contract/shop/endpoints.ts';
import type { EndpointName } from '#contract/shop/paths.ts';
import type { ProviderEndpoints } from '#contract/shop/payment.ts';
import { hourMs, minuteMs } from '#server/platform/time-zone.ts';
import { goodPassword, register } from '#tests/accounts.ts';
import { enter, issueCoupon } from '#tests/coupons.ts';
import { FakeProvider } from '#tests/fake-provider.ts';
import { placeLinkedOrder, tokenFor } from '#tests/order-links.ts';
import { sellProduct } from '#tests/products.ts';
import { add, address, contact, deliver } from '#tests/shop-actions.ts';
import {
  type CallInput,
  createTestApp,
  onOneEngine,
  type Shopper,
  type TestApp,
  testNow,
} from '#tests/test-app.ts';
import { everyTable, type Tables, withoutFields } from '#tests/whole-database.ts';

const [mug, bowl] = ['MUG-AGAIN', 'BOWL-AGAIN'];
const store = 'toronto-queen-west';

type Named<R extends string> = {
  [N in EndpointName]: Endpoints[N] extends { repeat: R } ? N : never;
}[EndpointName];
/** Calls of single providers are compared with their providers by `provider-conformance.ts`; the fake one stands for them. */
type Compared = Exclude<
  Named<'key' | 'seen' | 'id' | 'same'>,
  Exclude<keyof ProviderEndpoints, 'payByStripe'> | Elsewhere
>;
/** `form-messages.test.ts` and `likes.test.ts` send twice what needs a page or a blog. */
type Elsewhere = 'submitForm' | 'likeBlogPost';
type Request = CallInput & { session: Shopper };

/** Counts of tries, sessions that live longer, what caches are told, and the keys themselves. */
const besides = new Set([
  'rate_limits',
  'sessions',
  'request_keys',
  'catalogue_changes',
  'catalogue_version',
  'trusted_networks',
]);
/** Two tabs that send these mean two things. */
const twoThings = new Set<Compared>(['addToCart']);

/** They change sessions alone. */
const besidesOnly = new Set<Compared>(['logout', 'endSessions']);

onOneEngine((engine) => {
  let testApp: TestApp;
  const stripe = new FakeProvider('Stripe');
  beforeAll(async () => {
    const env = { PUBLIC_URL: 'https://shop.example' };
    testApp = await createTestApp({ engine, demo: true, env, providers: { stripe } });
    for (const sku of [mug, bowl]) await sellProduct(testApp, sku, { units: 2000 });
  });

  let homes = 0;
  let slots = 0;
  const withCart = async (): Promise<Shopper> => {
    homes += 1;
    const session = testApp.shopper(`198.51.100.${homes % 250}`);
    await add(testApp, session, mug, 2);
    return session;
  };
  const lineOf = async (session: Shopper) =>
    (await testApp.call('myCart', { session })).lineItems[0]?.id ?? '';
  /** With an attempt that waits for its shopper. */
  const paying = async () => {
    const session = await withCart();
    const { body } = await deliver(testApp, session);
    stripe.answer = 'ask';
    await testApp.call('payByStripe', {
      session,
      body: { confirmationToken: 'ctoken_1', billingAddress: address, billVersion: body.bill.billVersion },
    });
    stripe.answer = 'take';
    return { session, reference: stripe.asked?.reference ?? '' };
  };
  const visiting = async () => {
    const session = await withCart();
    const query = { methodName: 'pickup', localStoreName: store };
    await testApp.call('orderContactInfo', { session, query, body: { contact } });
    return session;
  };
  const linked = async () => {
    slots += 1;
    const order = await placeLinkedOrder(testApp, {
      how: 'reserve',
      sku: mug,
      store,
      pickupAt: testNow + 5 * hourMs + slots * 15 * minuteMs,
    });
    return { session: testApp.shopper(), params: { token: await tokenFor(testApp, order.email) } };
  };
  const itemOf = (sku: string) => ({ quantity: 3, sku });

  const cases: Record<Compared, () => Promise<Request>> = {
    addToCart: async () => ({ session: await withCart(), params: { itemName: mug }, body: { quantity: 1 } }),
    addSetToCart: async () => ({
      session: await withCart(),
      body: { items: [{ sku: bowl, optionPairs: '' }] },
    }),
    updateCartItem: async () => ({ session: await withCart(), params: { itemName: mug }, body: itemOf(mug) }),
    deleteCartItem: async () => ({ session: await withCart(), body: { itemName: mug } }),
    updateCartLine: async () => {
      const session = await withCart();
      return { session, params: { line: await lineOf(session) }, body: { quantity: 4, note: 'a gift' } };
    },
    deleteCartLine: async () => {
      const session = await withCart();
      return { session, body: { line: await lineOf(session) } };
    },
    updateCustomerComment: async () => ({ session: await withCart(), body: { value: 'Ring twice' } }),
    orderDeliverInfo: async () => ({ session: await withCart(), body: { address, contact } }),
    orderContactInfo: async () => ({
      session: await withCart(),
      query: { methodName: 'pickup', localStoreName: store },
      body: { contact },
    }),
    orderPickupDate: async () => ({ session: await visiting(), body: { pickupDate: testNow + 6 * hourMs } }),
    reserve: async () => {
      const session = await visiting();
      const order = await testApp.call('orderPickupDate', {
        session,
        body: { pickupDate: testNow + 6 * hourMs },
      });
      return { session, body: { billVersion: order.bill.billVersion } };
    },
    payByStripe: async () => {
      const session = await withCart();
      const { body } = await deliver(testApp, session);
      const paying = { confirmationToken: 'ctoken_1', billingAddress: address };
      return { session, body: { ...paying, billVersion: body.bill.billVersion } };
    },
    couponVerification: async () => ({
      session: await withCart(),
      params: { code: await issueCoupon(testApp) },
    }),
    removeCoupon: async () => {
      const session = await withCart();
      await enter(testApp, session, await issueCoupon(testApp));
      return { session, body: {} };
    },
    tips: async () => ({ session: await withCart(), body: { addTips: true, tipAmount: 200 } }),
    resumePayment: async () => {
      const { session, reference } = await paying();
      stripe.approve(reference);
      return { session, body: { provider: 'Stripe' } };
    },
    cancelPayment: async () => ({ session: (await paying()).session, body: {} }),
    orderLinkCancel: linked,
    orderLinkPickup: async () => ({ ...(await linked()), body: { pickupDate: testNow + 4 * hourMs } }),
    orderLinkRevoke: async () => ({ ...(await linked()), body: {} }),
    clientRegistration: async () => {
      const session = await withCart();
      const email = `again.${homes}@example.com`;
      return { session, body: { firstName: 'Mei', lastName: 'Chen', email, password: goodPassword } };
    },
    logout: async () => ({ session: (await register(testApp)).session }),
    updateUserInfo: async () => {
      const { session, email } = await register(testApp);
      return { session, body: { firstName: 'Renamed', email } };
    },
    resetPassword: async () => {
      const { session, email } = await register(testApp);
      const password = 'another long password of nine words';
      return {
        session,
        body: { userID: email, currentPassword: goodPassword, password, passwordConfirm: password },
      };
    },
    updateAddresses: async () => {
      const { session, id } = await register(testApp);
      return {
        session,
        params: { id, addressType: 'shipping' },
        query: { seen: addressesVersion([]) },
        body: [address],
      };
    },
    endSessions: async () => ({ session: (await register(testApp)).session, body: {} }),
  };

  async function books(): Promise<Tables> {
    const all = [...(await everyTable(testApp))].filter(([name]) => !besides.has(name));
    // When a row was last locked, and how often, says nothing.
    return withoutFields(all, /"(?:updated_at|version)":\d+/g);
  }
  const changedIn = (before: Tables, after: Tables) =>
    [...after]
      .filter(([name, rows]) => rows !== before.get(name) && rows.join() !== before.get(name)?.join())
      .map(([name]) => name);
  const grown = (before: Tables, after: Tables) =>
    new Map([...after].map(([name, rows]) => [name, rows.length - (before.get(name)?.length ?? 0)]));
  /** With the cookies that the browser had: the answer, and what it set, may be lost. */
  const send = (name: EndpointName, { session, ...request }: Request, key: string) => {
    const tab = testApp.shopper(session.address);
    for (const [cookie, value] of session.cookies) tab.cookies.set(cookie, value);
    return testApp.ask(name, { ...request, session: tab, headers: { [requestKeyHeader]: key } });
  };

  const names = Object.keys(cases) as Compared[];
  const kept: { name: Compared; request: Request; key: string }[] = [];

  it.each(names)(
    '%s is done once when it is sent again, and once when two tabs send it at the same time',
    async (name) => {
      expect('changes' in endpoints[name]).toBe(true);
      const [request, key] = [await cases[name](), randomUUID()];
      const before = await books();
      const first = await send(name, request, key);
      expect([name, first.status, first.body.errorKey]).toEqual([name, 200, undefined]);
      const after = await books();
      if (!besidesOnly.has(name)) expect([name, changedIn(before, after)]).not.toEqual([name, []]);
      const taken = stripe.taken;
      const again = await send(name, request, key);
      expect(again.status).toBeLessThan(500);
      expect(changedIn(after, await books())).toEqual([]);
      expect(stripe.taken).toBe(taken);
      kept.push({ name, request, key });
      const shared = await cases[name]();
      const between = await books();
      await Promise.all([1, 2].map(() => send(name, shared, randomUUID())));
      const one = grown(before, after);
      const both = grown(between, await books());
      const more = [...both].filter(([table, rows]) => rows > (one.get(table) ?? 0)).map(([table]) => table);
      if (!twoThings.has(name)) expect(more).toEqual([]);
    },
  );

  it('a request that a phone sends again after an hour is done no second time', async () => {
    testApp.clock.advance(hourMs);
    for (const { name, request, key } of kept) {
      const before = await books();
      await send(name, request, key);
      expect([name, changedIn(before, await books())]).toEqual([name, []]);
    }
  });

  it('the first item of a visitor is added once, if the browser got the cookie but not the rest of the answer', async () => {
    const [session, headers] = [testApp.shopper(), { [requestKeyHeader]: randomUUID() }];
    const request = { session, params: { itemName: mug }, body: { quantity: 1 }, headers };
    await testApp.ask('addToCart', request);
    await testApp.ask('addToCart', request);
    expect((await testApp.call('myCart', { session })).lineItems).toMatchObject([{ sku: mug, quantity: 1 }]);
  });
});
