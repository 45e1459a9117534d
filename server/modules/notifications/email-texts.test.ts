/** The texts of emails, over HTTP and in the emails themselves. */
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { type CustomerEmail, type EmailId, emailIds, fieldsIn, slotOf, slotsOf } from '#contract/emails.ts';
import { requestKeyHeader } from '#contract/limits.ts';
import { type Locale, localeCodes } from '#contract/locales.ts';
import messages from '#contract/messages/en.json' with { type: 'json' };
import type { EmailTexts } from '#contract/schemas/email.ts';
import { translate } from '#server/platform/i18n.ts';
import { mailsFor, subjectOf } from '#tests/accounts.ts';
import { askStaff, joinDemo, joinStaff } from '#tests/staff.ts';
import { createTestApp, onBothEngines, type Shopper, type TestApp } from '#tests/test-app.ts';
import { textsOfMail } from './outbox.service.ts';

const customerIds = emailIds.filter((id): id is CustomerEmail => id !== 'everyEmail');
/** Own words, with every field that the text may have. */
const markOf = (id: EmailId, name: string) => `Own ${name} of ${id}`;
const ownText = (id: EmailId, name: Parameters<typeof slotOf>[1]) =>
  [markOf(id, name), ...(slotOf(id, name)?.fields ?? []).map((field) => `{${field}}`)]
    .join(' ')
    .slice(0, name === 'button' ? 40 : 150);

onBothEngines((engine) => {
  let testApp: TestApp;
  let as: Shopper;
  beforeAll(async () => {
    testApp = await createTestApp({ engine, demo: true });
    as = await joinDemo(testApp, 'demo-mei');
  });
  const load = async (id: string) => (await askStaff(testApp, 'email', { as, params: { id } })).body;
  const save = async (id: string, edits: object[], lang = 'en') => {
    const { revision } = await load(id);
    return askStaff(testApp, 'saveEmail', { as, params: { id }, query: { lang }, body: { revision, edits } });
  };
  const tried = async (id: string, edits: object[], language: Locale = 'en') =>
    (await askStaff(testApp, 'tryEmail', { as, params: { id }, body: { edits, language } })).body;
  const stored = async () => (await testApp.services.settings.all()).emails;

  describe('the list of emails', () => {
    /** Of a shop with an address, so that its emails have links, and without any products. */
    let empty: TestApp;
    beforeAll(async () => {
      empty = await createTestApp({ engine, env: { PUBLIC_URL: 'https://shop.example' } });
    });

    it('each email that the shop sends says which texts of it merchants write, or is to the staff', () => {
      const { templates } = testApp.container.emails;
      expect(Object.keys(textsOfMail).sort()).toEqual(Object.keys(templates).sort());
      const written = Object.values(textsOfMail).flatMap((ids) => ids ?? []);
      expect([...written].sort()).toEqual([...customerIds].sort());
    });

    it.each(customerIds)(
      'the email %s sends each text that somebody writes, in both languages',
      async (id) => {
        const names = slotsOf(id);
        const texts = (): EmailTexts =>
          Object.fromEntries(
            names.map((name) => [
              name,
              Object.fromEntries(localeCodes.map((code) => [code, ownText(id, name)])),
            ]),
          );
        for (const locale of localeCodes) {
          const email = await empty.container.emails.example(id, locale, { [id]: texts() });
          const said = `${email.subject}\n${email.text}`;
          // Whoever is welcomed or invited has no name yet, so that a greeting with one is left out.
          const isNamed = (name: string) => name !== 'greeting' || !['welcome', 'invitation'].includes(id);
          for (const name of names.filter(isNamed))
            expect(said, `${name} in ${locale}`).toContain(markOf(id, name));
          expect(said).not.toMatch(/[{}]|undefined|null/);
          expect(email.html).not.toMatch(/\{\w+\}/);
        }
      },
    );

    it.each(emailIds)('the email %s is as delivered as long as nobody writes its texts', async (id) => {
      const { content, slots } = await load(id);
      expect(content).toEqual({ id });
      for (const { name, delivered } of slots) {
        const key = slotOf(id, name)?.delivered ?? null;
        expect(delivered).toEqual(
          key && Object.fromEntries(localeCodes.map((code) => [code, translate(code)(key)])),
        );
      }
      for (const language of localeCodes) {
        const { subject, html } = await tried(id, [], language);
        expect(subject).not.toMatch(/[{}]/);
        expect(html).not.toMatch(/undefined|\{\w+\}/);
      }
    });
  });

  it('a text that is saved is in the next email, and in the other language the email stays as delivered', async () => {
    const params = { id: 'orderShipped' };
    expect(
      (await save(params.id, [{ path: ['text', 'en'], to: 'Order {number} left our kiln.' }])).status,
    ).toBe(200);
    const [en, zh] = [await tried(params.id, [], 'en'), await tried(params.id, [], 'zh')];
    expect(en.html).toMatch(/Order \S+-000204 left our kiln\./);
    expect(zh.html).toContain('已发货');
    const { emails } = (await askStaff(testApp, 'emails', { as })).body;
    expect(emails.filter(({ changed }) => changed.length > 0)).toEqual([
      { id: 'orderShipped', group: 'orders', changed: ['en'] },
    ]);
    const [entry] = (await askStaff(testApp, 'journal', { as })).body.entries;
    expect(entry).toMatchObject({ action: 'emails change', kind: 'email', id: 'orderShipped' });
    expect(entry?.fields?.map(({ field }) => field)).toEqual(['text']);
  });

  it('a text that is not changed follows the messages: what is written as delivered, or is blank, is not kept', async () => {
    const { slots } = await load('orderReady');
    const delivered = slots.find(({ name }) => name === 'subject')?.delivered;
    const edits = [
      { path: ['subject', 'en'], to: delivered?.en },
      { path: ['subject', 'zh'], to: '  ' },
      { path: ['closing', 'en'], to: ' See you soon. ' },
    ];
    expect((await save('orderReady', edits)).status).toBe(200);
    expect((await load('orderReady')).content).toEqual({
      id: 'orderReady',
      closing: { en: 'See you soon.' },
    });
    expect((await save('orderReady', [{ path: ['closing'] }])).status).toBe(200);
    expect(await stored()).not.toHaveProperty('orderReady');
  });

  it('a closing that is written in one language is in the emails of the other too, as other content is', async () => {
    const edits = [{ path: ['closing', 'en'], to: 'Thank you for supporting a small studio.' }];
    expect((await tried('orderShipped', edits, 'zh')).html).toContain(
      'Thank you for supporting a small studio.',
    );
  });

  it('the small print of every email is in each of them that has none of its own', async () => {
    await testApp.services.settings.update({
      emails: {
        everyEmail: { foot: { en: 'Maple Street 1\nToronto' } },
        refund: { foot: { en: 'Refunds take a week.' } },
      },
    });
    expect((await tried('welcome', [])).html).toContain('Maple Street 1<br>Toronto');
    const refund = (await tried('refund', [])).html;
    expect(refund).toContain('Refunds take a week.');
    expect(refund).not.toContain('Maple Street 1');
  });

  it('an email leaves out a greeting with a name that it does not know', async () => {
    const edits = [{ path: ['greeting', 'en'], to: 'Dear {name}' }];
    expect((await tried('orderShipped', edits)).html).toContain('Dear Sam');
    expect((await tried('welcome', edits)).html).not.toMatch(/Dear/);
  });

  it.each([
    ['an unknown field', ['subject', 'en'], 'Order {nummer}', /\{nummer\}.*\{number\}/],
    ['a brace alone', ['subject', 'en'], 'Order {number', /brace/],
    ['a field of Liquid', ['text', 'en'], 'Order {{ order.name }}', /field/],
    ['markup', ['text', 'en'], '<b>Order</b> {number}', /<b>/],
    ['a character of HTML', ['closing', 'en'], 'Salt &amp; clay', /&amp;/],
    ['two lines of a subject', ['subject', 'en'], 'Order\nBcc: all@example.com', /one line/],
    ['a subject that is too long', ['subject', 'en'], 'x'.repeat(151), /150/],
  ])('%s is refused at its field, and changes nothing', async (_, path, to, said) => {
    const before = await load('orderShipped');
    const { status, body } = await save('orderShipped', [{ path, to }]);
    expect(status).toBe(400);
    expect(body.errors).toEqual({ [`emails.orderShipped.${path.join('.')}`]: expect.stringMatching(said) });
    const zh = await save('orderShipped', [{ path, to }], 'zh');
    for (const text of Object.values(zh.body.errors ?? {})) expect(text).toMatch(/\p{Script=Han}/u);
    expect(await load('orderShipped')).toEqual(before);
  });

  it('a text without what the email is sent for is refused', async () => {
    const { status, body } = await save('pickupMoved', [{ path: ['text', 'zh'], to: '取货时间已更改。' }]);
    expect([status, Object.keys(body.errors ?? {})]).toEqual([400, ['emails.pickupMoved.text.zh']]);
    expect(Object.values(body.errors ?? {})[0]).toContain('{when}');
  });

  it('a file or a command is refused the same, at the same place', async () => {
    const emails = { orderShipped: { subject: { en: 'Order {nummer}' } } };
    await expect(testApp.services.settings.update({ emails })).rejects.toMatchObject({
      problems: [
        { path: ['settings', 'emails', 'orderShipped', 'subject', 'en'], key: 'problem.words.field' },
      ],
    });
    await expect(
      testApp.services.settings.update({ emails: { refund: { closing: { zh: '再见\u0007' } } } }),
    ).rejects.toMatchObject({
      problems: [{ path: ['settings', 'emails', 'refund', 'closing', 'zh'], key: 'problem.words.signs' }],
    });
    await expect(
      testApp.services.settings.update({ emails: { everyEmail: { subject: { en: 'Hello' } } } }),
    ).rejects.toMatchObject({ problems: [{ path: ['settings', 'emails', 'everyEmail', 'subject'] }] });
  });

  it('an email that a file changed has that in its history, and goes back over it to the same bytes', async () => {
    const { revision, content } = await load('refund');
    await testApp.services.settings.update({
      emails: { refund: { subject: { en: 'Money back for {number}' } } },
    });
    const after = await load('refund');
    expect(after.revision).toBeGreaterThan(revision);
    const body = { revision, seen: after.revision };
    expect((await askStaff(testApp, 'restoreEmail', { as, params: { id: 'refund' }, body })).status).toBe(
      200,
    );
    expect(JSON.stringify((await load('refund')).content)).toBe(JSON.stringify(content));
  });

  it('two people who change different texts both keep theirs, and the same text is a conflict', async () => {
    const { revision } = await load('welcome');
    const of = (path: string[], to: string) => ({
      as,
      params: { id: 'welcome' },
      body: { revision, edits: [{ path, to }] },
    });
    expect((await askStaff(testApp, 'saveEmail', of(['subject', 'en'], 'Hello from {shop}'))).status).toBe(
      200,
    );
    expect((await askStaff(testApp, 'saveEmail', of(['closing', 'en'], 'Bye'))).status).toBe(200);
    expect((await load('welcome')).content).toMatchObject({
      subject: { en: 'Hello from {shop}' },
      closing: { en: 'Bye' },
    });
    expect((await askStaff(testApp, 'saveEmail', of(['subject', 'en'], 'Hi from {shop}'))).status).toBe(409);
  });

  it('a text that cannot be sent yet is shown as it was, and neither a test nor a trial changes anything', async () => {
    const before = [await stored(), (await load('orderChanged')).revision];
    const { subject } = await tried('orderChanged', [{ path: ['subject', 'en'], to: 'Order {num' }]);
    expect(subject).toMatch(/^Order \S+ has changed/);
    await askStaff(testApp, 'sendTestEmail', {
      as,
      params: { id: 'orderChanged' },
      body: { edits: [], language: 'en' },
    });
    expect([await stored(), (await load('orderChanged')).revision]).toEqual(before);
  });

  it('a test goes to whoever asks, once for a request that is sent again, and not without end', async () => {
    const send = (key: string, lang: Locale = 'en') =>
      askStaff(testApp, 'sendTestEmail', {
        as,
        params: { id: 'temporaryPassword' },
        body: { edits: [{ path: ['subject', 'en'], to: 'Cheers, {shop}' }], language: lang },
        headers: { [requestKeyHeader]: key },
      });
    const key = randomUUID();
    const answers = [await send(key), await send(key)];
    const [to = ''] = answers.map(({ body }) => body.to);
    expect(to).toMatch(/@/);
    expect(answers.map(({ status, body }) => [status, body])).toEqual(
      [1, 2].map(() => [200, { to, sends: false }]),
    );
    const sent = async () =>
      (await mailsFor(testApp, to, 'emailTest')).map(subjectOf).filter((each) => /Cheers/.test(each));
    expect(await sent()).toEqual(['Test: Cheers, Maple & Clay']);
    expect((await send(randomUUID(), 'zh')).status).toBe(200);
    expect((await mailsFor(testApp, to, 'emailTest')).map(subjectOf)).toContain('测试：【枫土】您的临时密码');
    const statuses = [];
    for (let count = 0; count < 25; count += 1) statuses.push((await send(randomUUID())).status);
    expect([statuses[0], statuses.at(-1)]).toEqual([200, 429]);
  });

  it('a person who may not change settings of the shop sees no texts and sends no test', async () => {
    const writer = await joinStaff(testApp, `writer-words@${engine}.example`, 'writer');
    const params = { id: 'welcome' };
    expect((await askStaff(testApp, 'emails', { as: writer })).status).toBe(403);
    expect(
      (await askStaff(testApp, 'tryEmail', { as: writer, params, body: { edits: [], language: 'en' } }))
        .status,
    ).toBe(403);
    const test = await askStaff(testApp, 'sendTestEmail', {
      as: writer,
      params,
      body: { edits: [], language: 'en' },
    });
    expect(test.status).toBe(403);
    expect((await askStaff(testApp, 'email', { as, params: { id: 'nothing' } })).status).toBe(404);
    expect(
      (
        await askStaff(testApp, 'tryEmail', {
          as,
          params: { id: 'toString' },
          body: { edits: [], language: 'en' },
        })
      ).status,
    ).toBe(404);
  });
});

/** What stands in emails besides the texts of the table, and why nobody writes it: facts, and emails to the staff. */
const facts =
  /^mail\.(?:alert|change|example|formMessage|lineNote|newOrder|order\.|tableCard|why)|^mail\.(?:orderCancelled\.comesBack|passwordChanged\.(?:notYou|sessions)|paymentReceived\.cash|refund\.(?:cash|cashRounded|row|rowTip|when)|restCancelled\.units|temporaryPassword\.(?:notYou|old|until)|invitation\.how)$/;

it('each message of emails is a text of the table, a fact, or for the staff', () => {
  const ofTable = emailIds.flatMap((id) => slotsOf(id).map((name) => slotOf(id, name)?.delivered));
  const unknown = Object.keys(messages).filter(
    (key) => key.startsWith('mail.') && !ofTable.includes(key as never) && !facts.test(key),
  );
  expect(unknown).toEqual([]);
});

it('each field of a delivered text is one that the text may have', () => {
  for (const id of emailIds)
    for (const name of slotsOf(id)) {
      const { delivered, fields = [], required = [] } = slotOf(id, name) ?? {};
      const used = delivered ? fieldsIn(translate('en')(delivered)) : [];
      expect([id, name, used.filter((field) => !(fields as readonly string[]).includes(field))]).toEqual([
        id,
        name,
        [],
      ]);
      if (delivered) expect([id, required.filter((field) => !used.includes(field))]).toEqual([id, []]);
    }
});
