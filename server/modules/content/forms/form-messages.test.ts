import { beforeEach, describe, expect, it } from 'vitest';
import type { FormMessage } from '#contract/shop/content.ts';
import { parseMail, subjectOf } from '#tests/accounts.ts';
import { contactForm, publish } from '#tests/blocks.ts';
import { type FakeSmtp, fakeSmtp } from '#tests/smtp.ts';
import { createTestApp, onBothEngines, type TestApp } from '#tests/test-app.ts';

const { uiFormName: formName, uiMailTo: mailTo } = contactForm;
const good = {
  name: 'Mei Chen',
  email: 'mei@example.com',
  phone: '',
  topic: 'Tea',
  text: 'Is the tieguanyin in?\n\nMei',
};

function message(values: Record<string, string> = good, more: Partial<FormMessage> = {}): FormMessage {
  const messageDetails = Object.entries(values).map(([key, value]) => ({ key, value }));
  return { mailTo, formName, messageDetails, secondsOpen: 20, ...more };
}

onBothEngines((engine) => {
  describe('forms of a page', async () => {
    let testApp: TestApp;
    let smtp: FakeSmtp;
    beforeEach(async () => {
      smtp = await fakeSmtp();
      testApp = await createTestApp({ engine, env: { SMTP_URL: smtp.url } });
      await publish(testApp, 'questions', [contactForm]);
      return async () => {
        await testApp.close();
        await smtp.close();
      };
    });

    const send = (body: unknown = message(), lang: 'en' | 'zh' = 'en') =>
      testApp.ask('submitForm', { body, lang });
    const kept = (suspected = false) => testApp.services.formMessages.latest({ suspected, most: 100 });
    const mails = () =>
      testApp.db.read.selectFrom('deliveries').selectAll().where('kind', '=', 'formMessage').execute();

    it('a form sends its fields to the address that it names', async () => {
      expect(await send()).toMatchObject({ status: 200, body: { status: 'success' } });
      expect(await kept()).toMatchObject([
        {
          formName,
          mailTo,
          replyTo: 'mei@example.com',
          createdAt: testApp.clock.now(),
          details: [
            { name: 'name', label: 'Your name', value: 'Mei Chen' },
            { name: 'email', label: 'Email', value: 'mei@example.com' },
            { name: 'topic', label: 'Topic', value: 'Tea' },
            { name: 'text', label: 'Question', value: good.text },
          ],
        },
      ]);
      await testApp.services.deliveries.run();
      expect(smtp.received.map(({ to }) => to)).toEqual([mailTo]);
      const mail = parseMail(smtp.received[0]?.source ?? '');
      const { headers, text, html } = mail;
      expect(headers['reply-to']).toBe('mei@example.com');
      expect(headers.to).toBe(mailTo);
      expect(subjectOf(mail)).toContain('questions');
      for (const words of ['Mei Chen', 'Is the tieguanyin in?', 'Topic']) {
        expect(text.toLowerCase()).toContain(words.toLowerCase());
        expect(html).toContain(words);
      }
    });

    it('a form mail is in the language that the form was filled in', async () => {
      expect((await send(message({ ...good, topic: '茶' }), 'zh')).status).toBe(200);
      await testApp.services.deliveries.run();
      const { text } = parseMail(smtp.received[0]?.source ?? '');
      expect(text).toContain('姓名');
      expect(text).toContain('有新留言');
    });

    it.each([
      ['en', 'Your name is missing', 'Please enter a valid email', 'Topic is missing', 'Question is missing'],
      ['zh', '请填写姓名', '请填写有效的邮箱地址', '请选择主题', '请填写问题'],
    ] as const)(
      'an invalid form names in %s what is wrong with each field, and nothing is stored or sent',
      async (lang, name, email, topic, text) => {
        const { status, body } = await send(
          message({ name: ' ', email: 'mei@', topic: 'Coffee', text: '' }),
          lang,
        );
        expect(status).toBe(400);
        expect(body.errorType).toBe('REQUEST_VALIDATION_ERROR');
        expect(body.errors).toEqual({ name, email, topic, text });
        expect([await kept(), await kept(true), await mails()]).toEqual([[], [], []]);
      },
    );

    it('forms that share a name and an address are told apart by their fields', async () => {
      const [name, email] = contactForm.fields;
      await publish(testApp, 'short', [
        { ...contactForm, id: 'short', fields: [name, { ...email, name: 'mail' }] },
      ]);
      expect((await send(message({ name: 'Mei Chen', mail: 'mei@example.com' }))).status).toBe(200);
      expect((await send()).status).toBe(200);
      expect((await kept()).map(({ details }) => details.map((detail) => detail.name).join()).sort()).toEqual(
        ['name,email,topic,text', 'name,mail'],
      );
    });

    it('a form message is stored once however often it is sent', async () => {
      await Promise.all([send(), send(), send()]);
      await send();
      expect(await kept()).toHaveLength(1);
      expect(await mails()).toHaveLength(1);
      await send(message({ ...good, text: 'And the keemun?' }));
      expect(await kept()).toHaveLength(2);
    });

    it.each([
      ['another address', { mailTo: 'victim@example.com' }],
      ['a second address', { mailTo: `${mailTo}, victim@example.com` }],
      ['a header', { mailTo: `${mailTo}\r\nBcc: victim@example.com` }],
      ['another form', { formName: 'wholesale' }],
      [
        'a field it does not have',
        { messageDetails: [...message().messageDetails, { key: 'bcc', value: 'victim@example.com' }] },
      ],
    ])('a form message with %s is sent to nobody', async (_kind, change) => {
      expect((await send({ ...message(), ...change })).status).toBe(404);
      expect([await kept(), await mails()]).toEqual([[], []]);
    });

    it('a form that its page no longer has is no longer sent', async () => {
      await publish(testApp, 'questions', []);
      expect((await send()).status).toBe(404);
    });

    it('a form cannot be made to send headers, markup or more mails', async () => {
      const evil = 'x\r\nBcc: victim@example.com\r\nSubject: Buy\r\n\r\n<script>alert(1)</script>';
      for (const email of [
        'mei@example.com\r\nBcc: victim@example.com',
        'a@b.example, victim@example.com',
        '<mei@example.com>',
      ]) {
        expect((await send(message({ ...good, email }))).status).toBe(400);
      }
      expect(
        (
          await send(
            message({ ...good, name: evil, text: `${evil}\u2028.\r\n.\r\nRCPT TO:<victim@example.com>` }),
          )
        ).status,
      ).toBe(200);
      await testApp.services.deliveries.run();
      expect(smtp.received.map(({ to }) => to)).toEqual([mailTo]);
      const source = smtp.received[0]?.source ?? '';
      const { headers, html } = parseMail(source);
      expect(Object.keys(headers)).not.toContain('bcc');
      expect(headers.subject).not.toContain('Buy');
      expect(html).toContain('&lt;script&gt;');
      expect(html).not.toContain('<script');
      expect((await kept())[0]?.details[0]?.value).not.toMatch(/[\r\n]/);
    });

    it.each([
      ['a value in the hidden field', { website: 'https://spam.example' }],
      ['too little time to fill it in', { secondsOpen: 0.4 }],
    ])('a form message with %s is kept apart as spam, without saying so', async (_kind, sign) => {
      expect(await send(message(good, sign))).toMatchObject({ status: 200, body: { status: 'success' } });
      expect(await kept()).toEqual([]);
      expect(await mails()).toEqual([]);
      expect(await kept(true)).toHaveLength(1);
    });

    it('a sender of many form messages is slowed down, and nobody else', async () => {
      const from = (address: string, text: string) =>
        testApp.app.inject({
          method: 'POST',
          url: '/api/istore/client/message/submitForm',
          headers: { 'x-client-token': 'shopwright-storefront' },
          remoteAddress: address,
          payload: message({ ...good, text }),
        });
      const statuses: number[] = [];
      for (let i = 0; i < 8; i++) statuses.push((await from('198.51.100.7', `Question ${i}`)).statusCode);
      expect(statuses).toEqual([200, 200, 200, 200, 200, 200, 429, 429]);
      expect((await from('198.51.100.8', 'Another')).statusCode).toBe(200);
      testApp.clock.advance(31_000);
      expect((await from('198.51.100.7', 'Once more')).statusCode).toBe(200);
    });

    it('a form message is deleted in the end: spam after a month, the rest after a year', async () => {
      await send();
      await send(message({ ...good, text: 'Buy now' }, { website: 'x' }));
      const day = 24 * 60 * 60 * 1000;
      testApp.clock.advance(31 * day);
      await testApp.services.formMessages.sweep();
      expect([(await kept()).length, (await kept(true)).length]).toEqual([1, 0]);
      testApp.clock.advance(335 * day);
      await testApp.services.formMessages.sweep();
      expect(await kept()).toEqual([]);
    });
  });
});
