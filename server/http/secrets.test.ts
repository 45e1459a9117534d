/** The log, at every level, contains no identities and no credentials. */
import { expect, it } from 'vitest';
import { demoPassword } from '#demo/customer.ts';
import { createContainer } from '#server/container.ts';
import { goodPassword, mailsFor, register, signOn, temporaryPasswordIn } from '#tests/accounts.ts';
import { sellProduct } from '#tests/products.ts';
import { add, address, card, cards, contact, deliver, pay } from '#tests/shop-actions.ts';
import { fakeSmtp } from '#tests/smtp.ts';
import { createTestApp, forEachEngine } from '#tests/test-app.ts';

forEachEngine((engine) => {
  it('no password, card, cookie, temporary password or address is logged', async () => {
    const lines: string[] = [];
    const testApp = await createTestApp({
      engine,
      demo: true,
      env: { LOG_LEVEL: 'trace' },
      app: { logStream: { write: (line) => void lines.push(line) } },
    });
    await sellProduct(testApp, 'MUG-OAT');
    const { session, email, id } = await register(testApp, {
      email: 'very.private@example.com',
      mobilePhone: '416-555-0188',
    });
    await add(testApp, session, 'MUG-OAT');
    await deliver(testApp, session, { contact: { ...contact, email } });
    await pay(testApp, session, cards.decline);
    await pay(testApp, session, cards.approve);
    await signOn(testApp, email, 'a wrong password, typed');
    await signOn(testApp, 'demo@maple-and-clay.example', demoPassword);
    await testApp.call('forgotPassword', { query: { emailID: email } });
    const [mail] = await mailsFor(testApp, email, 'temporaryPassword');
    const temporary = mail ? temporaryPasswordIn(mail) : '';
    expect(temporary).toHaveLength(19);
    const fresh = 'brand new password here';
    await testApp.ask('resetPasswordExternal', {
      body: { userID: email, temporaryPassword: temporary, password: fresh, passwordConfirm: fresh },
    });
    await signOn(testApp, email, fresh, session);
    for (const userId of [email, encodeURIComponent(email), id]) {
      await testApp.ask('getAddresses', { session, params: { userId, addressType: 'shipping' } });
      await testApp.ask('updateAddresses', {
        session,
        params: { id: userId, addressType: 'shipping' },
        body: [{ ...address, city: '' }],
      });
    }
    const written = 'A very private question';
    await testApp.call('submitForm', {
      body: {
        mailTo: 'wholesale@maple-and-clay.example',
        formName: 'wholesale',
        messageDetails: Object.entries({
          businessName: 'Private Tea',
          contactName: 'Very Private',
          email,
          cityProvince: 'Ottawa',
          businessType: 'Hotel',
          interest: written,
        }).map(([key, value]) => ({ key, value })),
      },
    });
    await testApp.ask('submitForm', {
      body: { mailTo: email, formName: written, messageDetails: [{ key: 'email', value: email }] },
    });
    const cookies = [...session.cookies.values()].filter((value) => value !== '');
    expect(cookies).not.toEqual([]);

    // A mail server that repeats the address in its rejection, and a crash in the middle of a sign-in.
    const smtp = await fakeSmtp();
    smtp.fail('RCPT', 451);
    const env = { ...testApp.env, smtpUrl: smtp.url };
    const log = testApp.app.log;
    const other = createContainer({
      db: testApp.db,
      env,
      now: testApp.clock.now,
      onMailProblem: ({ level, ...report }) => log[level](report, 'mail not sent'),
    });
    await testApp.call('forgotPassword', { query: { emailID: email } });
    await other.deliveries.run();
    await smtp.close();
    const forget = testApp.db.transaction;
    Object.assign(testApp.db, {
      transaction: () =>
        Promise.reject(Object.assign(new Error('down'), { detail: `Key (email)=(${email})` })),
    });
    expect((await signOn(testApp, email, fresh, session)).status).toBe(500);
    Object.assign(testApp.db, { transaction: forget });

    const logged = lines.join('\n');
    expect(logged).toContain('crash');
    expect(logged).toContain('mail not sent');
    expect(logged).toContain('/common3/signon');
    const { creditCardNumber, cardCode } = card();
    const secrets = [
      goodPassword,
      demoPassword,
      fresh,
      'a wrong password',
      temporary,
      temporary.replaceAll('-', ''),
      ...cookies,
    ];
    const cardTexts = [creditCardNumber, creditCardNumber.replaceAll(' ', '')];
    const personal = [
      written,
      'Private Tea',
      email,
      encodeURIComponent(email),
      address.streetNumberAndNameDetails,
      'argon2id$',
    ];
    for (const secret of [...secrets, ...cardTexts, ...personal]) expect(logged).not.toContain(secret);
    // Times and random ids contain a few digits by chance, but neither as a word nor as a text.
    const texts = logged.replaceAll(/"\w+":[\d.]+/g, '');
    for (const digits of [cardCode, '0188'])
      expect(texts).not.toMatch(new RegExp(`(?<![\\w.])${digits}(?!\\w)`));
  });
});
