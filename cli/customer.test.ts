/** Commands about customers and guests, as a merchant types them. */
import { beforeAll, expect, test } from 'vitest';
import { confirmEmail, goodPassword, mailsFor, register, signOn } from '#tests/accounts.ts';
import { contactForm, publish } from '#tests/blocks.ts';
import { sellProduct } from '#tests/products.ts';
import { add, address, cards, contact, deliver, pay } from '#tests/shop-actions.ts';
import { shopCommand } from '#tests/shop-command.ts';
import { createTestApp, forEachEngine, type Shopper, type TestApp } from '#tests/test-app.ts';

const mug = 'MUG-OAT';

forEachEngine((engine) => {
  let testApp: TestApp;
  beforeAll(async () => {
    testApp = await createTestApp({ engine, demo: true, now: Date.now() });
    await sellProduct(testApp, mug);
    await publish(testApp, 'questions', [contactForm]);
  });

  const shop = (...words: string[]) => shopCommand(testApp, words);

  async function order(session: Shopper, email: string, card: string = cards.approve): Promise<string> {
    await add(testApp, session, mug);
    await deliver(testApp, session, { contact: { ...contact, email } });
    return (await pay(testApp, session, card)).body.orderID ?? '';
  }

  function write(session: Shopper, email: string, text: string) {
    const values = { name: 'Jo', email, phone: '', topic: 'Tea', text };
    const messageDetails = Object.entries(values).map(([key, value]) => ({ key, value }));
    const { uiFormName: formName, uiMailTo: mailTo } = contactForm;
    return testApp.call('submitForm', {
      session,
      body: { formName, mailTo, messageDetails, secondsOpen: 20 },
    });
  }

  const rowOf = (id: string) =>
    testApp.db.read.selectFrom('orders').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  const isSignedIn = async (session: Shopper) => (await testApp.call('userInfo2', { session })).user !== null;

  test('customer export prints the data of a guest, and customer delete leaves what bookkeeping needs', async () => {
    const session = testApp.shopper();
    const [mine, other] = ['jo_guest@example.com', 'joxguest@example.com'];
    const done = await order(session, mine);
    await testApp.db.transaction((trx) =>
      trx.updateTable('orders').set({ state: 'completed' }).where('id', '=', done).execute(),
    );
    const foreign = await order(testApp.shopper(), other);
    await write(session, ` ${mine.toUpperCase()}`, 'Is the\u00ad tieguanyin in?');
    await mailsFor(testApp, mine);

    const exported = await shop('customer', 'export', ' Jo_Guest@example.com');
    expect(exported.code).toBe(0);
    expect(exported.printed).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u);
    const data = JSON.parse(exported.printed);
    expect(data).toMatchObject({
      account: null,
      guestOrders: [{ orderID: done }],
      messages: [{ formName: contactForm.uiFormName }],
    });
    expect(data.guestOrders).toHaveLength(1);
    expect(data.guestOrders[0].shippingAddress.city).toBe(address.city);
    expect(JSON.stringify(data.messages)).toContain('tieguanyin');
    expect(data.mails).toMatchObject([{ kind: 'orderConfirmation' }]);

    expect(await shop('customer', 'delete', mine)).toEqual({
      code: 0,
      printed:
        'Deleted no account and 1 message.\nRemoved the contact data from 1 guest order; open orders keep it until they are completed or cancelled.',
    });
    const row = await rowOf(done);
    expect(row).toMatchObject({ order_number: expect.any(String), session_hash: null });
    expect(JSON.stringify(row).toLowerCase()).not.toContain(mine);
    expect((await rowOf(foreign)).contact).toContain(other);
    expect(JSON.parse((await shop('customer', 'export', mine)).printed)).toMatchObject({
      guestOrders: [],
      messages: [],
      mails: [],
    });
  });

  test('customer sign-out, block, unblock and delete act on an account', async () => {
    const { session, email, id } = await register(testApp);
    const phone = testApp.shopper();
    await signOn(testApp, email, goodPassword, phone);
    expect(await shop('customer', 'sign-out', email)).toEqual({ code: 0, printed: 'Ended 2 sessions.' });
    expect([await isSignedIn(session), await isSignedIn(phone)]).toEqual([false, false]);

    await signOn(testApp, email, goodPassword, session);
    expect((await shop('customer', 'block', email)).code).toBe(0);
    expect(await isSignedIn(session)).toBe(false);
    expect((await signOn(testApp, email, 'not the password')).status).toBe(401);
    expect(await signOn(testApp, email)).toMatchObject({
      status: 403,
      body: { errorKey: 'account.blocked' },
    });
    await testApp.call('forgotPassword', { session: testApp.shopper(), query: { emailID: email } });
    expect(await mailsFor(testApp, email, 'temporaryPassword')).toEqual([]);
    expect((await shop('customer', 'unblock', email)).code).toBe(0);
    expect((await signOn(testApp, email)).status).toBe(200);

    expect((await shop('customer', 'delete', email)).printed).toContain('Deleted the account');
    expect(await testApp.db.read.selectFrom('customers').select('id').where('id', '=', id).execute()).toEqual(
      [],
    );
    for (const words of [
      ['block', email],
      ['sign-out', email],
      ['eat', email],
      ['export'],
      ['delete', 'nobody'],
    ])
      expect((await shop('customer', ...words)).code).toBe(1);
  });

  test('a deleted account takes its form messages along, except those sent with an email that was never confirmed', async () => {
    const { session, email } = await register(testApp);
    await write(testApp.shopper(), email, 'Sent as a guest');
    await write(session, email, 'Sent as a customer');
    const texts = async (who: Shopper) =>
      JSON.stringify((await testApp.call('accountData', { session: who })).messages);
    expect(await texts(session)).toContain('Sent as a customer');
    expect(await texts(session)).not.toContain('Sent as a guest');
    const again = await confirmEmail(testApp, email);
    expect(await texts(again)).toContain('Sent as a guest');
    await testApp.call('deleteAccount', {
      session: again,
      body: { currentPassword: 'a kettle of keemun at five' },
    });
    const left = await testApp.db.read
      .selectFrom('form_messages')
      .select('id')
      .where('reply_to', '=', email)
      .execute();
    expect(left).toEqual([]);
  });

  test('the email news box follows the setting newsletterTicked, and without it the law of the country', async () => {
    const subscribed = async () => {
      const { session } = await register(testApp);
      return (await testApp.call('userInfo', { session })).user?.acceptNewsletter;
    };
    const offered = async () => (await testApp.call('appInfoInit')).appContent.newsletterTicked;
    // In Canada. A client that says nothing gets the default of the specification.
    expect([await offered(), await subscribed()]).toEqual([false, true]);
    expect((await shop('settings', 'set', 'newsletterTicked', 'off')).code).toBe(0);
    expect([await offered(), await subscribed()]).toEqual([false, false]);
    expect((await shop('settings', 'set', 'newsletterTicked', 'on')).code).toBe(0);
    expect([await offered(), await subscribed()]).toEqual([true, true]);
    expect((await shop('settings', 'set', 'newsletterTicked', 'maybe')).code).toBe(1);
    expect((await shop('settings', 'set', 'newsletterTicked', 'null')).code).toBe(0);
    expect(await offered()).toBe(false);
  });
});
