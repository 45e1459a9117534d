import { beforeAll, describe, expect, it } from 'vitest';
import { rateLimits } from '#server/platform/rate-limits/rate-limits.service.ts';
import { goodPassword, mailsFor, outbox, register, signOn, temporaryPasswordIn } from '#tests/accounts.ts';
import { sellProduct } from '#tests/products.ts';
import { add } from '#tests/shop-actions.ts';
import { createTestApp, forEachEngine, type TestApp } from '#tests/test-app.ts';

const other = 'seven clay cups and a kettle';
const mug = 'MUG-OAT';

forEachEngine((engine) => {
  let testApp: TestApp;
  beforeAll(async () => {
    testApp = await createTestApp({ engine, demo: true, env: { PUBLIC_URL: 'https://shop.example' } });
    await sellProduct(testApp, mug);
  });
  const signedOn = async (session: ReturnType<TestApp['shopper']>) =>
    (await testApp.call('userInfo2', { session })).user !== null;
  const forget = (emailID: string, address = '192.0.2.9') =>
    testApp.ask('forgotPassword', {
      session: testApp.shopper(),
      query: { emailID },
      headers: { 'x-forwarded-for': address },
    });
  const reset = (
    userID: string,
    temporaryPassword: string,
    password = other,
    { session = testApp.shopper(), address = '192.0.2.8' } = {},
  ) =>
    testApp.ask('resetPasswordExternal', {
      session,
      body: { userID, temporaryPassword, password, passwordConfirm: password },
      headers: { 'x-forwarded-for': address },
    });
  const temporaryFor = async (email: string) => {
    await forget(email);
    const mails = await mailsFor(testApp, email, 'temporaryPassword');
    return mails.map(temporaryPasswordIn).at(-1) ?? '';
  };

  describe('a change of password', () => {
    const change = (session: ReturnType<TestApp['shopper']>, body: object) =>
      testApp.ask('resetPassword', {
        session,
        body: { currentPassword: goodPassword, password: other, passwordConfirm: other, ...body },
      });

    it('a changed password rotates the session, ends all others and emails the customer', async () => {
      const { session, email } = await register(testApp, { firstName: 'Ben' });
      const phone = testApp.shopper();
      await signOn(testApp, email, goodPassword, phone);
      await add(testApp, session, mug);
      const before = session.header;
      expect((await change(session, { userID: email })).status).toBe(200);
      expect(session.header).not.toBe(before);
      expect(await signedOn(session)).toBe(true);
      expect(await signedOn(phone)).toBe(false);
      expect(
        (await testApp.ask('userInfo2', { session: testApp.shopper(), headers: { cookie: before } })).body
          .user,
      ).toBeNull();
      expect((await testApp.call('myCart', { session })).lineItems).toHaveLength(1);
      expect((await signOn(testApp, email)).status).toBe(401);
      expect((await signOn(testApp, email, other)).status).toBe(200);
      const [mail] = await mailsFor(testApp, email, 'passwordChanged');
      expect(mail?.text).toContain('Your account password was just changed.');
      expect(mail?.text).not.toContain('Ben');
    });

    it('a changed password removes the trusted networks', async () => {
      const { email } = await register(testApp);
      const session = testApp.shopper();
      const at = (address: string) => ({ 'x-forwarded-for': address });
      const from = (address: string, who = testApp.shopper(), password = goodPassword) =>
        testApp.ask('signon', { session: who, body: { userID: email, password }, headers: at(address) });
      for (const address of ['198.51.100.1', '198.51.100.2']) await from(address);
      await from('198.51.100.3', session);
      const changed = { currentPassword: goodPassword, password: other, passwordConfirm: other };
      expect(
        (await testApp.ask('resetPassword', { session, body: changed, headers: at('198.51.100.3') })).status,
      ).toBe(200);
      // Attempts from unknown networks share one limit per account; the owner's known network is not affected by them.
      for (let n = 0; n < rateLimits.signOnAccount.free; n++)
        await from(`198.51.100.${(n % 2) + 1}`, testApp.shopper(), 'a guess of theirs');
      expect((await from('198.51.100.1', testApp.shopper(), other)).status).toBe(429);
      expect((await from('198.51.100.3', testApp.shopper(), other)).status).toBe(200);
      const temporary = await temporaryFor(email);
      expect((await reset(email, temporary, goodPassword)).status).toBe(200);
      const places = await testApp.db.read
        .selectFrom('trusted_networks')
        .innerJoin('customers', 'customers.id', 'trusted_networks.customer_id')
        .select('key')
        .where('email', '=', email)
        .execute();
      // Only the browser that set it.
      expect(places).toHaveLength(1);
    });

    it('a change of password needs the current one and cannot be used to guess it', async () => {
      const { session, email } = await register(testApp);
      const wrong = await change(session, { currentPassword: 'not this one' });
      expect(wrong.status).toBe(400);
      expect(wrong.body.errors).toEqual({ currentPassword: 'Current password is incorrect' });
      for (let n = 1; n < rateLimits.confirmPassword.free; n++)
        await change(session, { currentPassword: `guess number ${n}` });
      expect((await change(session, {})).status).toBe(429);
      expect((await signOn(testApp, email)).status).toBe(200);
    });

    it('a change of password names what is wrong with the new one', async () => {
      const { session, email } = await register(testApp);
      expect((await change(session, { password: 'short' })).body.errors).toHaveProperty('password');
      expect((await change(session, { password: email, passwordConfirm: email })).body.errors).toHaveProperty(
        'password',
      );
      expect((await change(session, { passwordConfirm: 'something else' })).body.errors).toHaveProperty(
        'passwordConfirm',
      );
      expect(
        (await change(session, { password: 'salamander', passwordConfirm: 'salamander' })).body.errors,
      ).toEqual({
        password: 'This password is too easy to guess. Please choose another.',
      });
      expect(
        (await change(session, { password: goodPassword, passwordConfirm: goodPassword })).body.errors,
      ).toHaveProperty('password');
      expect((await signOn(testApp, email)).status).toBe(200);
    });

    it('a customer can change only their own password', async () => {
      const { session } = await register(testApp);
      const victim = await register(testApp);
      for (const userID of [victim.email, victim.id, 'nobody@example.com']) {
        const { status, body } = await change(session, { userID });
        expect(status).toBe(403);
        expect(body.errorType).toBe('FORBIDDEN');
      }
      expect((await change(testApp.shopper(), {})).status).toBe(401);
      expect((await signOn(testApp, victim.email)).status).toBe(200);
    });
  });

  describe('a forgotten password', () => {
    it('a temporary password is emailed and sets a new one once; until then the old one works', async () => {
      const { email, session } = await register(testApp, { firstName: 'Cleo' });
      const answer = await testApp.ask('forgotPassword', {
        lang: 'zh',
        query: { emailID: email },
        session: testApp.shopper(),
      });
      expect(answer).toMatchObject({ status: 200, body: { status: 'success' } });
      const [mail] = await mailsFor(testApp, email, 'temporaryPassword');
      if (!mail) throw new Error('no mail');
      expect(mail.text).not.toContain('Cleo');
      expect(mail.text).toContain('https://shop.example/zh/account/verifypassword');
      const temporary = temporaryPasswordIn(mail);
      expect(mail.html).toContain(temporary);
      expect((await signOn(testApp, email)).status).toBe(200);
      expect((await signOn(testApp, email, temporary)).status).toBe(401);

      expect((await reset(email, temporary)).status).toBe(200);
      expect(await signedOn(session)).toBe(false);
      expect((await signOn(testApp, email)).status).toBe(401);
      expect((await signOn(testApp, email, other)).status).toBe(200);
      expect(await mailsFor(testApp, email, 'passwordChanged')).toHaveLength(1);

      const again = await reset(email, temporary, 'yet another password');
      expect(again.status).toBe(400);
      expect(again.body.errors).toHaveProperty('temporaryPassword');
    });

    it('a temporary password is never stored, neither before nor after it is sent', async () => {
      const { email } = await register(testApp);
      await forget(email);
      const temporary = temporaryPasswordIn(
        (await mailsFor(testApp, email, 'temporaryPassword'))[0] ?? {
          file: '',
          headers: {},
          text: '',
          html: '',
        },
      );
      expect(temporary).toHaveLength(19);
      const rows = JSON.stringify([
        await testApp.db.read.selectFrom('deliveries').selectAll().execute(),
        await testApp.db.read.selectFrom('temporary_passwords').selectAll().execute(),
      ]);
      expect(rows).not.toContain(temporary);
      expect(rows).not.toContain(temporary.replaceAll('-', ''));
    });

    it('a temporary password is valid for 30 minutes', async () => {
      const { email } = await register(testApp);
      const temporary = await temporaryFor(email);
      testApp.clock.advance(30 * 60_000);
      expect((await reset(email, temporary)).status).toBe(400);
      const fresh = await temporaryFor(email);
      testApp.clock.advance(30 * 60_000 - 1);
      expect((await reset(email, ` ${fresh.toUpperCase()} `)).status).toBe(200);
    });

    it('two concurrent uses of a temporary password set one password', async () => {
      const { email } = await register(testApp);
      const temporary = await temporaryFor(email);
      const both = await Promise.all(
        ['first of two passwords', 'second of two passwords'].map((password) =>
          reset(email, temporary, password),
        ),
      );
      expect(both.map(({ status }) => status).sort()).toEqual([200, 400]);
    });

    it('a temporary password does not work for another account', async () => {
      const mine = await register(testApp);
      const victim = await register(testApp);
      const temporary = await temporaryFor(mine.email);
      expect((await reset(victim.email, temporary)).status).toBe(400);
      expect((await signOn(testApp, victim.email)).status).toBe(200);
    });

    it('a request for an address without an account gets the same answer, and no email is sent', async () => {
      const { email } = await register(testApp);
      await outbox(testApp);
      const known = await forget(email, '192.0.2.21');
      const unknown = await forget('nobody.here@example.com', '192.0.2.22');
      expect(unknown.body).toEqual(known.body);
      expect(unknown.status).toBe(known.status);
      // The same email row is written for both: they differ only later, in the mailer.
      const waiting = await testApp.db.read
        .selectFrom('deliveries')
        .selectAll()
        .where('state', '=', 'waiting')
        .execute();
      const comparable = waiting.map(({ id: _id, recipient: _recipient, ...row }) => row);
      expect(comparable).toHaveLength(2);
      expect(comparable[0]).toEqual(comparable[1]);
      expect(await mailsFor(testApp, 'nobody.here@example.com')).toEqual([]);
      expect(
        await testApp.db.read
          .selectFrom('deliveries')
          .select('id')
          .where('recipient', '=', 'nobody.here@example.com')
          .execute(),
      ).toEqual([]);
      const wrong = await reset(email, 'aaaa-bbbb-cccc-dddd');
      const nobody = await reset('nobody.here@example.com', 'aaaa-bbbb-cccc-dddd');
      expect({ ...nobody.body, requestId: '' }).toEqual({ ...wrong.body, requestId: '' });
    });

    it('a request for a temporary password names a missing or malformed email and cannot flood a mailbox', async () => {
      expect((await forget('')).body.errors).toEqual({ emailID: 'Email is missing' });
      expect((await forget('nobody')).body.errors).toEqual({ emailID: 'Please enter a valid email' });
      const { email } = await register(testApp);
      for (let n = 0; n < rateLimits.forgotAccount.free; n++)
        expect((await forget(email, `198.51.100.${n}`)).status).toBe(200);
      expect((await forget(email, '198.51.100.77')).status).toBe(429);
    });

    it('wrong temporary passwords from strangers do not lock out the owner of the right one', async () => {
      const { email } = await register(testApp);
      const temporary = await temporaryFor(email);
      for (let n = 0; n < 30; n++)
        expect(
          (await reset(email, `aaaa-bbbb-cccc-d${n}`, other, { address: `198.51.100.${n}` })).status,
        ).toBe(400);
      expect((await reset(email, temporary)).status).toBe(200);
    });

    it('wrong temporary passwords from one network meet growing pauses', async () => {
      const { email } = await register(testApp);
      const address = '198.51.100.200';
      for (let n = 0; n < rateLimits.resetAddress.free; n++)
        expect((await reset(email, `aaaa-bbbb-cccc-d${n}`, other, { address })).status).toBe(400);
      expect((await reset(email, 'aaaa-bbbb-cccc-dddd', other, { address })).status).toBe(429);
    });

    it('the browser that sets a new password can sign in despite the guesses of strangers', async () => {
      const { email } = await register(testApp);
      const temporary = await temporaryFor(email);
      const session = testApp.shopper();
      expect((await reset(email, temporary, other, { session })).status).toBe(200);
      for (let n = 0; n <= rateLimits.signOnAccount.free; n++)
        await signOn(testApp, email, 'a guess of theirs', undefined, `198.51.100.${n}`);
      expect((await signOn(testApp, email, other, undefined, '203.0.113.77')).status).toBe(429);
      expect((await signOn(testApp, email, other, session, '203.0.113.78')).status).toBe(200);
    });

    it('a frequent password or the name of the shop is rejected as the new one, and the temporary one stays valid', async () => {
      const { email } = await register(testApp);
      const temporary = await temporaryFor(email);
      for (const password of ['terminator', 'shop.example'])
        expect((await reset(email, temporary, password)).body.errors).toEqual({
          password: 'This password is too easy to guess. Please choose another.',
        });
      expect((await reset(email, temporary)).status).toBe(200);
    });

    it('a temporary password goes to the registered address, not to one that looks like it', async () => {
      const { email } = await register(testApp, { email: 'Strasse@example.com' });
      await forget('STRASSE@EXAMPLE.COM');
      const [mail] = await mailsFor(testApp, email, 'temporaryPassword');
      expect(mail?.headers.to).toBe('Strasse@example.com');
      await forget('straße@example.com');
      expect(await mailsFor(testApp, 'straße@example.com')).toEqual([]);
    });
  });
});
