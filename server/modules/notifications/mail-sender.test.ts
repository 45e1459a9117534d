import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createContainer } from '#server/container.ts';
import { confirmEmail, mailsFor, parseMail, register, subjectOf } from '#tests/accounts.ts';
import { sellMugInColours, sellProduct } from '#tests/products.ts';
import { add, address, cards, contact, deliver, finish, pay, reserve, visit } from '#tests/shop-actions.ts';
import { type FakeSmtp, fakeSmtp } from '#tests/smtp.ts';
import { createTestApp, onBothEngines, type TestApp } from '#tests/test-app.ts';
import { createMailTransport, type DeliveryFailure, retryDelayMs } from './mail-sender.ts';

const mug = 'MUG-OAT';
const pot = 'TEAPOT';

onBothEngines((engine) => {
  let smtp: FakeSmtp;
  let testApp: TestApp;
  const reports: DeliveryFailure[] = [];
  beforeAll(async () => {
    smtp = await fakeSmtp();
    testApp = await createTestApp({
      engine,
      demo: true,
      env: { SMTP_URL: smtp.url, PUBLIC_URL: 'https://shop.example' },
    });
    for (const sku of [mug, pot]) await sellProduct(testApp, sku);
  });
  afterAll(() => smtp.close());
  beforeEach(() => {
    smtp.received.length = 0;
    reports.length = 0;
  });

  /** Another process of the same shop. */
  const other = () =>
    createContainer({
      db: testApp.db,
      env: testApp.env,
      now: testApp.clock.now,
      onMailProblem: (report) => reports.push(report),
    });
  let asked = 0;
  /** Queues one email, and returns its recipient. */
  async function cause(): Promise<string> {
    asked += 1;
    const email = `writes.to.${asked}@example.com`;
    await testApp.call('clientRegistration', {
      session: testApp.shopper(),
      body: { firstName: 'Mei', lastName: 'Chen', email, password: 'a pot of oolong at four' },
    });
    return email;
  }
  const rowFor = (email: string) =>
    testApp.db.read
      .selectFrom('deliveries')
      .selectAll()
      .where('recipient', '=', email)
      .executeTakeFirstOrThrow();

  describe('the mailer', () => {
    it('the mailer sends what is due, each email once, however many processes send', async () => {
      const emails = [
        await cause(),
        await cause(),
        await cause(),
        await cause(),
        await cause(),
        await cause(),
        await cause(),
      ];
      const processes = [other(), other(), other(), other()];
      await Promise.all(processes.map(({ deliveries }) => deliveries.run()));
      await Promise.all(processes.map(({ deliveries }) => deliveries.run()));
      expect(smtp.received.map(({ to }) => to).sort()).toEqual([...emails].sort());
      const row = await rowFor(emails[0] ?? '');
      expect(row).toMatchObject({ state: 'delivered', attempted_at: testApp.clock.now(), attempts: 1 });
      const { headers, text, html } = parseMail(
        smtp.received.find(({ to }) => to === emails[0])?.source ?? '',
      );
      expect(headers['message-id']).toBe(`<${row.id}@maple-and-clay.example>`);
      expect(headers.subject).toBe('Welcome to Maple & Clay');
      expect(text).toContain('https://shop.example/account/menu');
      expect(html).not.toMatch(/<img|<script|<link|src=/);
    });

    it('the mailer retries after growing pauses and reports failures without naming anybody', async () => {
      const { deliveries } = other();
      const email = await cause();
      smtp.fail('connect', null);
      smtp.fail('RCPT', 451);
      smtp.fail('end', 452);
      for (const attempt of [1, 2, 3]) {
        await deliveries.run();
        expect(smtp.received).toEqual([]);
        testApp.clock.advance(retryDelayMs(attempt) - 1);
        await deliveries.run();
        expect((await rowFor(email)).attempts).toBe(attempt);
        testApp.clock.advance(1);
      }
      await deliveries.run();
      expect(smtp.received.map(({ to }) => to)).toEqual([email]);
      expect(await rowFor(email)).toMatchObject({ state: 'delivered', attempts: 4, answer: null });
      expect(reports.map(({ level }) => level)).toEqual(['warn', 'warn', 'warn']);
      expect(JSON.stringify(reports)).not.toContain('@');
      expect(retryDelayMs(2)).toBeGreaterThan(retryDelayMs(1));
      expect(retryDelayMs(30)).toBe(12 * 3_600_000);
    });

    it('the mailer gives up on an address that is rejected for good', async () => {
      const { deliveries } = other();
      const email = await cause();
      smtp.fail('RCPT', 550);
      await deliveries.run();
      expect(await rowFor(email)).toMatchObject({ state: 'failed', attempts: 1 });
      expect(reports).toMatchObject([{ level: 'error', kind: 'welcome' }]);
      testApp.clock.advance(24 * 3_600_000);
      await deliveries.run();
      expect(smtp.received).toEqual([]);
    });

    it('the mailer sends again under the same Message-ID if the answer was lost', async () => {
      const { deliveries } = other();
      await cause();
      smtp.fail('end', null);
      await deliveries.run();
      testApp.clock.advance(retryDelayMs(1));
      await deliveries.run();
      const ids = smtp.received.map(({ source }) => parseMail(source).headers['message-id']);
      expect(ids).toHaveLength(2);
      expect(new Set(ids).size).toBe(1);
    });

    it('the mailer takes over the claims of a process that died, and not before', async () => {
      const { deliveries } = other();
      const email = await cause();
      const { id } = await rowFor(email);
      await testApp.db.transaction(async (trx) => {
        const claim = { state: 'sending', attempts: 1, due_at: testApp.clock.now() + 1000 };
        await trx.updateTable('deliveries').set(claim).where('id', '=', id).execute();
      });
      await deliveries.run();
      expect(smtp.received).toEqual([]);
      testApp.clock.advance(1000);
      await deliveries.run();
      expect(smtp.received).toHaveLength(1);
    });

    it('an unreachable mail server delays no order', async () => {
      const session = testApp.shopper();
      // The customer's email and the staff's.
      smtp.fail('connect', null, 2);
      await add(testApp, session, mug);
      await deliver(testApp, session, { contact: { ...contact, email: 'patient@example.com' } });
      expect((await pay(testApp, session, cards.approve)).status).toBe(200);
      await other().deliveries.run();
      expect((await rowFor('patient@example.com')).state).toBe('waiting');
    });
  });

  describe('the confirmation of an order', () => {
    it('the confirmation of an order is written with the order or not at all', async () => {
      const session = testApp.shopper();
      await add(testApp, session, mug);
      await deliver(testApp, session, { contact: { ...contact, email: 'declined@example.com' } });
      expect((await pay(testApp, session, cards.decline)).status).toBe(402);
      expect(
        await testApp.db.read
          .selectFrom('deliveries')
          .select('id')
          .where('recipient', '=', 'declined@example.com')
          .execute(),
      ).toEqual([]);
    });
  });
});

describe('a shop without a mail server', () => {
  it('emails become files, and orders are confirmed in the language they were placed in', async () => {
    const testApp = await createTestApp({ engine: 'sqlite', demo: true });
    await sellMugInColours(testApp);
    const english = testApp.shopper();
    await add(testApp, english, mug, 2);
    await deliver(testApp, english, {
      contact: { ...contact, email: 'english@example.com' },
      shippingContact: { firstName: '<b>Jo', lastName: 'Lin' },
    });
    await testApp.call('updateCustomerComment', { session: english, body: { value: 'Ring <twice> & wait' } });
    const paid = await pay(testApp, english, cards.approve);
    await pay(testApp, english, cards.approve);
    const order = await testApp.call('order', { session: english, params: { id: paid.body.orderID } });
    const [mail, ...more] = await mailsFor(testApp, 'english@example.com');
    expect(more).toEqual([]);
    expect(mail && subjectOf(mail)).toBe(`Order ${order.orderNumber} is confirmed – Maple & Clay`);
    expect(mail?.text).toContain('2 × Mug (Oat): $64.00');
    expect(mail?.text).toContain(`Total: $${(order.bill.total / 100).toFixed(2)}`);
    expect(mail?.text).toMatch(/Ontario\s+Canada/);
    expect(mail?.text).not.toContain('http');
    for (const typed of [
      'Jo',
      'Lin',
      'Ring',
      contact.firstName,
      address.streetNumberAndNameDetails,
      address.city,
    ])
      expect(mail?.text + (mail?.html ?? '')).not.toContain(typed);

    const chinese = testApp.shopper();
    await sellProduct(testApp, pot);
    await add(testApp, chinese, pot);
    await visit(testApp, chinese);
    await testApp.ask('reserve', { session: chinese, lang: 'zh', body: {} });
    await reserve(testApp, chinese);
    const [reserved, ...others] = (await mailsFor(testApp, contact.email)).filter(({ file }) =>
      file.includes('orderConfirmation'),
    );
    expect(others).toEqual([]);
    expect(reserved?.text).toContain('皇后西街');
    expect(reserved?.text).not.toMatch(/Order number|Total/);
    expect(reserved?.html).toContain('<html lang="zh-CN">');
    expect(readdirSync(join(testApp.dataDir, 'outbox')).every((file) => file.endsWith('.eml'))).toBe(true);
  });
});

describe('the email that confirms an order', () => {
  it('a confirmation that is sent late shows the order as it was placed, in its language', async () => {
    const testApp = await createTestApp({ engine: 'sqlite', demo: true });
    await sellMugInColours(testApp);
    const session = testApp.shopper();
    await add(testApp, session, mug);
    await deliver(testApp, session);
    await finish(testApp, session, { how: 'pay', lang: 'zh' });
    await sellMugInColours(testApp, { name: { en: 'Beaker', zh: '烧杯' }, priceCents: 9900 });
    await testApp.services.settings.update({ taxRates: [] });
    const [mail] = await mailsFor(testApp, contact.email, 'orderConfirmation');
    expect(mail?.html).toContain('<html lang="zh-CN">');
    expect(mail?.text).toMatch(/1 × 马克杯.*32\.00/);
    expect(mail?.text).not.toMatch(/烧杯|99\.00/);
    expect(mail?.text).toContain('13%');
  });

  it('the email has the order’s pictures, number, address and one button, and its text says the same', async () => {
    const testApp = await createTestApp({
      engine: 'sqlite',
      demo: true,
      env: { PUBLIC_URL: 'https://shop.example' },
    });
    await sellMugInColours(testApp);
    const session = testApp.shopper();
    await add(testApp, session, mug);
    await visit(testApp, session);
    const { body } = await reserve(testApp, session);
    const { orderNumber, lineItems } = await testApp.call('order', {
      session,
      params: { id: body.orderID ?? '' },
    });
    const [mail] = await mailsFor(testApp, contact.email, 'orderConfirmation');
    const { html = '', text = '' } = mail ?? {};
    const name = lineItems[0]?.image?.imageURL.split('/').at(-1);
    expect(html.match(/<img src="[^"]+"/g)).toEqual([`<img src="https://shop.example/media/160/${name}"`]);
    expect(html.match(/<a /g)).toHaveLength(1);
    expect(html).toContain('max-width:560px');
    expect(html).toContain('@media (prefers-color-scheme:dark)');
    expect(html).toMatch(/<div style="display:none[^>]*>Pick up at /);
    expect(html).toContain(`>${orderNumber?.split('-').at(-1)}</strong>`);
    // Without markup, the page has the words of the text, except for the address that its button leads to.
    const words = (markup: string) =>
      markup
        .replace(/<style>.*?<\/style>|<[^>]+>/gs, ' ')
        .replaceAll('&amp;', '&')
        .toLowerCase();
    const said =
      text
        .replace(/https:\S+/g, '')
        .toLowerCase()
        .match(/[^\s():-]+/g) ?? [];
    expect(said.length).toBeGreaterThan(50);
    expect(said.filter((word) => !words(html).includes(word))).toEqual([]);
  });
});

describe('emails to an unconfirmed address', () => {
  const spam = 'WIN $1000 https://evil.example';

  it('an unconfirmed address gets none of the words that a guest or new customer typed, from the welcome to the refund', async () => {
    const testApp = await createTestApp({
      engine: 'sqlite',
      demo: true,
      env: { PUBLIC_URL: 'https://shop.example' },
    });
    await sellMugInColours(testApp);
    const victim = 'victim@example.com';
    const place = { ...address, streetNumberAndNameDetails: spam, city: spam, postCode: 'K1A 0B1' };
    const person = { ...contact, firstName: spam, lastName: spam, email: victim };
    const guest = testApp.shopper();
    const { session: customer } = await register(testApp, { firstName: spam, lastName: spam, email: victim });
    for (const session of [guest, customer]) {
      await add(testApp, session, mug);
      await deliver(testApp, session, { contact: person, shippingContact: person, address: place });
      await testApp.call('updateCustomerComment', { session, body: { value: spam } });
      const paid = await pay(testApp, session, cards.approve);
      expect(paid.status).toBe(200);
      const { orderNumber } = await testApp.call('order', { session, params: { id: paid.body.orderID } });
      await testApp.services.orderRefunds.refund(orderNumber ?? '', { amount: 100, reason: spam });
      await testApp.services.fulfilment.move(orderNumber ?? '', 'shipped');
    }
    await testApp.call('forgotPassword', { session: testApp.shopper(), query: { emailID: victim } });
    await testApp.call('resetPassword', {
      session: customer,
      body: {
        currentPassword: 'a pot of oolong at four',
        password: 'one more pot of oolong',
        passwordConfirm: 'one more pot of oolong',
      },
    });
    const mails = await mailsFor(testApp, victim);
    const kinds = new Set(mails.map(({ file }) => file.split('-').at(-2)));
    expect([...kinds].sort()).toEqual([
      'orderConfirmation',
      'orderShipped',
      'passwordChanged',
      'refund',
      'temporaryPassword',
      'welcome',
    ]);
    for (const { file, text, html, headers } of mails)
      expect(`${JSON.stringify(headers)}${text}${html}`, file).not.toMatch(/WIN|evil/);
  });

  it('an address is confirmed once the customer has used a temporary password that was emailed there', async () => {
    const testApp = await createTestApp({ engine: 'sqlite', demo: true });
    await sellMugInColours(testApp);
    const { email } = await register(testApp, { firstName: 'Mei' });
    const session = await confirmEmail(testApp, email);
    await add(testApp, session, mug);
    await deliver(testApp, session, { contact: { ...contact, firstName: 'Mei', email } });
    await testApp.call('updateCustomerComment', { session, body: { value: 'Ring <twice> & wait' } });
    await pay(testApp, session, cards.approve);
    // To an unconfirmed address, the email for the same customer's order contains no personal data.
    await add(testApp, session, mug);
    await deliver(testApp, session, {
      contact: { ...contact, firstName: 'Mei', email: 'other@example.com' },
    });
    await pay(testApp, session, cards.approve);
    const [own] = await mailsFor(testApp, email, 'orderConfirmation');
    expect(own?.html).toContain('Mei');
    expect(own?.html).toContain('Ring &lt;twice&gt; &amp; wait');
    expect(own?.text).toContain(address.streetNumberAndNameDetails);
    const [foreign] = await mailsFor(testApp, 'other@example.com', 'orderConfirmation');
    expect(foreign?.text).not.toContain('Mei');
  });
});

describe('a mail server without TLS', () => {
  const letter = {
    id: 'm1',
    kind: 'welcome',
    createdAt: 0,
    from: { name: '', address: 'shop@example.com' },
    to: 'mei@example.com',
  };
  const content = { subject: 'Welcome', text: 'Welcome', html: '<p>Welcome</p>' };

  it('a mail server without TLS gets emails on this machine only, since elsewhere they would travel unencrypted', async () => {
    const smtp = await fakeSmtp();
    const sendTo = (host: string) =>
      createMailTransport({ smtpUrl: smtp.url.replace('127.0.0.1', host), dataDir: '' }).send({
        ...letter,
        ...content,
      });
    // Not a loopback name to the shop, but the same server.
    await expect(sendTo('0.0.0.0')).rejects.toMatchObject({ code: 'ETLS' });
    expect(smtp.received).toEqual([]);
    await sendTo('127.0.0.1');
    expect(smtp.received).toHaveLength(1);
    await smtp.close();
  });
});
