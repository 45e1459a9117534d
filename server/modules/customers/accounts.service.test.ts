import { beforeAll, describe, expect, it } from 'vitest';
import { createContainer } from '#server/container.ts';
import { rateLimits } from '#server/platform/rate-limits/rate-limits.service.ts';
import { customerIdleMs, customerLongestMs } from '#server/platform/sessions/sessions.service.ts';
import { goodPassword, mailsFor, register, signOn } from '#tests/accounts.ts';
import { sellProduct } from '#tests/products.ts';
import { add, cards, deliver, pay } from '#tests/shop-actions.ts';
import { createTestApp, onBothEngines, Shopper, type TestApp } from '#tests/test-app.ts';

const mug = 'MUG-OAT';
const pot = 'TEAPOT';
const plate = 'PLATE';
const minute = 60_000;

onBothEngines((engine) => {
  let testApp: TestApp;
  beforeAll(async () => {
    // Behind a proxy, so that tests can call from different addresses.
    testApp = await createTestApp({ engine, demo: true, env: { PUBLIC_URL: 'https://shop.example' } });
    for (const sku of [mug, pot, plate]) await sellProduct(testApp, sku);
  });
  /** With the hashes of a real shop. */
  const costly = () =>
    createTestApp({ engine, services: ({ db, env, now }) => createContainer({ db, env, now }) });
  const quantities = async (session: Shopper) =>
    Object.fromEntries(
      (await testApp.call('myCart', { session })).lineItems.map(({ sku, quantity }) => [sku, quantity]),
    );
  const copyOf = (session: Shopper) => {
    const copy = new Shopper();
    for (const [name, value] of session.cookies) copy.cookies.set(name, value);
    return copy;
  };

  describe('registration', () => {
    it('registration creates an account, signs its owner in and sends a welcome email', async () => {
      const { session, email, id } = await register(testApp, {
        firstName: 'Ana',
        acceptNewsletter: undefined,
      });
      const info = await testApp.call('userInfo2', { session });
      expect(info).toMatchObject({
        userID: email,
        user: { id, firstName: 'Ana', email, acceptNewsletter: true, shippingAddresses: [] },
      });
      expect(info.lastLoginDate).toBe(testApp.clock.now());
      expect(JSON.stringify(info)).not.toContain('argon2');
      const [mail] = await mailsFor(testApp, email, 'welcome');
      expect(mail?.text).not.toContain('Ana');
      expect(mail?.html).toContain('https://shop.example/account/menu');
    });

    it('registration names every invalid field in the requested language', async () => {
      const { status, body } = await testApp.ask('clientRegistration', {
        lang: 'zh',
        body: { email: 'x', password: 'short' },
      });
      expect(status).toBe(400);
      expect(body.errorType).toBe('REQUEST_VALIDATION_ERROR');
      expect(body.errors).toMatchObject({
        email: expect.any(String),
        firstName: '请填写名字',
        lastName: '请填写姓氏',
      });
      expect(body.errors?.password).toContain('10');
    });

    it('registration takes an email once, however it is written, even when two arrive at once', async () => {
      const { email } = await register(testApp);
      const body = {
        firstName: 'A',
        lastName: 'B',
        email: ` ${email.toUpperCase()} `,
        password: goodPassword,
      };
      const again = await testApp.ask('clientRegistration', { body });
      expect(again.status).toBe(400);
      expect(again.body.errors).toEqual({ email: 'An account with this email already exists' });
      const both = await Promise.all(
        [1, 2].map(() =>
          testApp.ask('clientRegistration', {
            session: testApp.shopper(),
            body: { ...body, email: 'twice@example.com' },
          }),
        ),
      );
      expect(both.map(({ status }) => status).sort()).toEqual([200, 400]);
    });

    it('a frequent password, or the name of the shop or its host, is rejected', async () => {
      const body = { firstName: 'A', lastName: 'B', email: 'guessable@example.com' };
      const { shopName } = await testApp.services.settings.all();
      const names = [
        `${shopName.en} 2026`,
        `${shopName.en}${shopName.en}`,
        'shop.example',
        'SHOP-EXAMPLE-1!',
      ];
      for (const password of ['manchester', 'California!', 'nuttertools', '12345qwert', ...names]) {
        const answer = await testApp.ask('clientRegistration', {
          session: testApp.shopper(),
          body: { ...body, password },
        });
        expect(answer.body.errors, password).toEqual({
          password: 'This password is too easy to guess. Please choose another.',
        });
      }
      const good = { ...body, password: `${shopName.en} sells seven kettles` };
      expect(
        (await testApp.ask('clientRegistration', { session: testApp.shopper(), body: good })).status,
      ).toBe(200);
    });

    it('the database holds no readable password', async () => {
      const testApp = await costly();
      const { id } = await register(testApp);
      const row = await testApp.db.read
        .selectFrom('customers')
        .selectAll()
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      expect(row.password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
      expect(JSON.stringify(row)).not.toContain(goodPassword);
    });

    it('a new account takes over the guest’s orders', async () => {
      const session = testApp.shopper();
      await add(testApp, session, mug);
      await deliver(testApp, session);
      const { body } = await pay(testApp, session, cards.approve);
      const customer = await register(testApp, {}, session);
      const orders = await testApp.call('customerOrders', { session, params: { customerid: customer.id } });
      expect(orders.map(({ orderID }) => orderID)).toEqual([body.orderID]);
    });
  });

  describe('sign-in', () => {
    it('a sign-in starts a new session, under a cookie that scripts and other sites cannot use', async () => {
      const { email } = await register(testApp);
      const session = testApp.shopper();
      await add(testApp, session, mug);
      const before = copyOf(session);
      const answer = await testApp.ask('signon', {
        session,
        body: { userID: email, password: goodPassword },
      });
      expect(answer.status).toBe(200);
      expect(answer.headers['set-cookie']).toEqual([
        expect.stringMatching(
          /^__Host-sid=[\w-]{43}; Path=\/; Max-Age=1209600; HttpOnly; SameSite=Lax; Secure$/,
        ),
        expect.stringMatching(
          /^__Host-device=[\w-]{43}; Path=\/; Max-Age=7776000; HttpOnly; SameSite=Lax; Secure$/,
        ),
      ]);
      const plain = testApp.shopper();
      await add(testApp, plain, mug);
      const old = copyOf(plain);
      await signOn(testApp, email, goodPassword, plain);
      expect(plain.header).not.toBe(old.header);
      expect((await testApp.call('userInfo2', { session: old })).user).toBeNull();
      const first = copyOf(plain);
      await signOn(testApp, email, goodPassword, plain);
      expect((await testApp.call('userInfo2', { session: plain })).user).not.toBeNull();
      expect((await testApp.call('userInfo2', { session: first })).user).toBeNull();
      expect((await testApp.call('myCart', { session: before })).lineItems).toEqual([]);
      expect((await testApp.call('myCart', { session })).lineItems).toHaveLength(1);
      const hashes = await testApp.db.read.selectFrom('sessions').select('id_hash').execute();
      expect(hashes.map(({ id_hash }) => id_hash)).not.toContain(plain.cookies.get('__Host-sid'));
    });

    it('an unknown email and a wrong password get the same answer', async () => {
      const { email } = await register(testApp);
      const wrong = await signOn(testApp, email, 'not this one, sorry', undefined, '192.0.2.1');
      const unknown = await signOn(
        testApp,
        'nobody@example.com',
        'not this one, sorry',
        undefined,
        '192.0.2.1',
      );
      expect(wrong.status).toBe(401);
      expect({ ...unknown.body, requestId: '' }).toEqual({ ...wrong.body, requestId: '' });
      expect(wrong.body).toMatchObject({
        errorType: 'AUTHORIZATION_ERROR',
        errorKey: 'account.signOnFailed',
      });
      expect(wrong.headers['set-cookie']).toBeUndefined();
    });

    it('a session ends when the customer signs out', async () => {
      const { session } = await register(testApp);
      const copy = copyOf(session);
      const { status, headers } = await testApp.ask('logout', { session });
      expect(status).toBe(200);
      expect(headers['set-cookie']).toMatch(/^__Host-sid=; .*Max-Age=0/);
      expect((await testApp.call('userInfo2', { session: copy })).user).toBeNull();
      expect((await testApp.ask('logout', { session: testApp.shopper() })).status).toBe(200);
    });

    it('a session lasts while it is used, but not for ever', async () => {
      const { session } = await register(testApp);
      const start = testApp.clock.now();
      for (let at = start; at < start + customerLongestMs - customerIdleMs / 2; at += customerIdleMs / 2) {
        testApp.clock.set(at);
        expect((await testApp.call('userInfo2', { session })).user).not.toBeNull();
      }
      testApp.clock.set(start + customerLongestMs);
      expect((await testApp.call('userInfo2', { session })).user).toBeNull();
      const idle = await register(testApp);
      testApp.clock.advance(customerIdleMs);
      expect((await testApp.call('userInfo2', { session: idle.session })).user).toBeNull();
    });

    it('a sign-in renews a hash that was made with weaker parameters', async () => {
      const testApp = await costly();
      const { id, email } = await register(testApp);
      const weak = await weakHash(goodPassword);
      await testApp.db.transaction((trx) =>
        trx
          .updateTable('customers')
          .set({ password_hash: weak })
          .where('id', '=', id)
          .execute()
          .then(() => undefined),
      );
      expect((await signOn(testApp, email)).status).toBe(200);
      const row = await testApp.db.read
        .selectFrom('customers')
        .select('password_hash')
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      expect(row.password_hash).toMatch(/m=19456,t=2,p=1/);
      expect((await signOn(testApp, email)).status).toBe(200);
    });
  });

  describe('protection against guessing', () => {
    it('guesses at an account meet growing pauses, whether it exists or not', async () => {
      const { email } = await register(testApp);
      for (const userID of [email, 'nobody.at.all@example.com']) {
        const statuses: number[] = [];
        for (let n = 0; n < rateLimits.signOnAccount.free; n++)
          statuses.push(
            (await signOn(testApp, userID, `wrong guess ${n}`, undefined, `198.51.100.${n}`)).status,
          );
        expect(statuses).toEqual([401, 401, 401, 401, 401]);
        const refused = await signOn(testApp, userID, goodPassword, undefined, '198.51.100.99');
        expect(refused.status).toBe(429);
        expect(refused.body).toMatchObject({ errorType: 'RATE_LIMITED', errorKey: 'error.rateLimited' });
        expect(refused.headers['retry-after']).toBe('2');
        testApp.clock.advance(2000);
        expect((await signOn(testApp, userID, 'wrong again', undefined, '198.51.100.98')).status).toBe(401);
        expect(
          (await signOn(testApp, userID, 'wrong again', undefined, '198.51.100.97')).headers['retry-after'],
        ).toBe('4');
      }
    });

    it('guesses do not hold up the customer on a network where they have signed in before', async () => {
      const { email } = await register(testApp);
      await signOn(testApp, email, goodPassword, undefined, '203.0.113.7');
      for (let n = 0; n < rateLimits.signOnAccount.free + 1; n++)
        await signOn(testApp, email, 'a wrong guess', undefined, `198.51.100.${n}`);
      expect((await signOn(testApp, email, goodPassword, undefined, '198.51.100.50')).status).toBe(429);
      expect((await signOn(testApp, email, goodPassword, undefined, '203.0.113.7')).status).toBe(200);
    });

    it('guesses of strangers do not hold up a customer’s own browser, on whichever network it is', async () => {
      const { email, session } = await register(testApp);
      await testApp.call('logout', { session });
      for (let n = 0; n <= rateLimits.signOnAccount.free; n++)
        await signOn(testApp, email, 'a wrong guess', undefined, `198.51.100.${n}`);
      for (let n = 0; n <= rateLimits.signOnAddress.free; n++)
        await signOn(testApp, `somebody${n}@example.com`, 'a wrong guess', undefined, '203.0.113.99');
      expect((await signOn(testApp, email, goodPassword, undefined, '203.0.113.98')).status).toBe(429);
      expect((await signOn(testApp, email, goodPassword, session, '203.0.113.99')).status).toBe(200);
    });

    it('a known browser cannot be used to guess either, and is unknown to other accounts', async () => {
      const { email, session } = await register(testApp);
      const victim = await register(testApp);
      for (let n = 0; n < rateLimits.signOnKnownPlace.free; n++)
        expect((await signOn(testApp, email, `guess number ${n}`, session, `192.0.2.${n}`)).status).toBe(401);
      expect((await signOn(testApp, email, goodPassword, session, '192.0.2.77')).status).toBe(429);
      for (let n = 0; n < rateLimits.signOnAccount.free; n++)
        expect(
          (await signOn(testApp, victim.email, `guess number ${n}`, session, `192.0.2.${n}`)).status,
        ).toBe(401);
      expect((await signOn(testApp, victim.email, 'one more guess', session, '192.0.2.78')).status).toBe(429);
    });

    it('guesses from one network meet growing pauses, whatever the accounts', async () => {
      const address = '2001:db8:1:2::17';
      const answers = [];
      for (let n = 0; n < rateLimits.signOnAddress.free; n++)
        answers.push(
          (await signOn(testApp, `guess${n}@example.com`, 'some password', undefined, address)).status,
        );
      expect(new Set(answers)).toEqual(new Set([401]));
      expect(
        (await signOn(testApp, 'other@example.com', 'some password', undefined, '2001:db8:1:2:ffff::1'))
          .status,
      ).toBe(429);
      expect(
        (await signOn(testApp, 'other@example.com', 'some password', undefined, '2001:db8:1:3::1')).status,
      ).toBe(401);
    });

    it('many concurrent guesses are counted one by one', async () => {
      const { email } = await register(testApp);
      const all = await Promise.all(
        Array.from({ length: 30 }, (_, n) =>
          signOn(testApp, email, `guess number ${n}`, undefined, `203.0.113.${n}`),
        ),
      );
      expect(all.filter(({ status }) => status === 401)).toHaveLength(rateLimits.signOnAccount.free);
      expect(all.filter(({ status }) => status === 429)).toHaveLength(30 - rateLimits.signOnAccount.free);
    });

    it('a shop without a proxy does not trust a client’s claim about its address', async () => {
      const open = await createTestApp({ engine });
      for (let n = 0; n < rateLimits.signOnAddress.free; n++)
        await signOn(open, `x${n}@example.com`, 'some password', undefined, `198.51.100.${n}`);
      expect((await signOn(open, 'y@example.com', 'some password', undefined, '203.0.113.200')).status).toBe(
        429,
      );
      await open.close();
    });

    it('guesses are forgotten after a day, and after the right password', async () => {
      const { email } = await register(testApp);
      for (let n = 0; n < 4; n++) await signOn(testApp, email, 'a wrong guess', undefined, `198.51.100.${n}`);
      expect((await signOn(testApp, email, goodPassword, undefined, '198.51.100.4')).status).toBe(200);
      for (let n = 0; n < 5; n++)
        expect((await signOn(testApp, email, 'a wrong guess', undefined, `198.51.101.${n}`)).status).toBe(
          401,
        );
      testApp.clock.advance(24 * 60 * minute + 1);
      expect((await signOn(testApp, email, 'a wrong guess', undefined, '198.51.101.9')).status).toBe(401);
      expect((await signOn(testApp, email, 'a wrong guess', undefined, '198.51.101.10')).status).toBe(401);
    });
  });

  describe('the cart at sign-in', () => {
    it('a guest’s cart joins the customer’s: no line is lost, none doubled, and 98 is the most', async () => {
      const customer = await register(testApp);
      await add(testApp, customer.session, mug, 60);
      await add(testApp, customer.session, pot, 1);
      const guest = testApp.shopper();
      await add(testApp, guest, mug, 50);
      await add(testApp, guest, plate, 2);
      await testApp.call('updateCustomerComment', { session: guest, body: { value: 'Wrap it, please' } });
      const before = (await testApp.call('myCart', { session: guest })).version;
      await signOn(testApp, customer.email, goodPassword, guest);
      expect(await quantities(guest)).toEqual({ [mug]: 98, [pot]: 1, [plate]: 2 });
      const cart = await testApp.call('myCart', { session: guest });
      expect(cart.customerComment).toBe('Wrap it, please');
      expect(cart.version).toBeGreaterThan(before);
      expect(await testApp.call('myCart', { session: customer.session })).toEqual(cart);
      await signOn(testApp, customer.email, goodPassword, guest);
      expect(await quantities(guest)).toEqual({ [mug]: 98, [pot]: 1, [plate]: 2 });
    });

    it('a guest’s cart joins once when the same sign-in is sent twice', async () => {
      const { email, session } = await register(testApp);
      await add(testApp, session, mug, 3);
      const guest = testApp.shopper();
      await add(testApp, guest, mug, 2);
      const twin = copyOf(guest);
      await Promise.all([
        signOn(testApp, email, goodPassword, guest),
        signOn(testApp, email, goodPassword, twin),
      ]);
      expect(await quantities(session)).toEqual({ [mug]: 5 });
    });

    it('a customer’s cart follows them to another device, choices included', async () => {
      const guest = testApp.shopper();
      await add(testApp, guest, pot, 2);
      await deliver(testApp, guest);
      const { email } = await register(testApp, {}, guest);
      const phone = testApp.shopper();
      await signOn(testApp, email, goodPassword, phone);
      expect(await testApp.call('myCart', { session: phone })).toMatchObject({
        method: 'shipping',
        lineItems: [{ sku: pot, quantity: 2 }],
      });
      await add(testApp, phone, mug);
      expect(await quantities(guest)).toEqual({ [pot]: 2, [mug]: 1 });
      await testApp.call('logout', { session: phone });
      expect(await quantities(phone)).toEqual({});
      const paid = await pay(testApp, guest, cards.approve);
      expect(paid.status).toBe(200);
      expect(await quantities(guest)).toEqual({});
    });

    it('a joined cart keeps the record of failed payments', async () => {
      const { email, session } = await register(testApp);
      await add(testApp, session, mug);
      const guest = testApp.shopper();
      await add(testApp, guest, pot);
      await deliver(testApp, guest);
      expect((await pay(testApp, guest, cards.decline)).status).toBe(402);
      expect((await signOn(testApp, email, goodPassword, guest)).status).toBe(200);
      expect(await quantities(session)).toEqual({ [mug]: 1, [pot]: 1 });
    });
  });
});

async function weakHash(password: string): Promise<string> {
  const { argon2Sync, randomBytes } = await import('node:crypto');
  const nonce = randomBytes(16);
  const tag = argon2Sync('argon2id', {
    message: password,
    nonce,
    memory: 1024,
    passes: 1,
    parallelism: 1,
    tagLength: 32,
  });
  const text = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '');
  return `$argon2id$v=19$m=1024,t=1,p=1$${text(nonce)}$${text(tag)}`;
}
