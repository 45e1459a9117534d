/** Messages of forms in the office: read, marked as done, and closed to who is limited to stores. */
import { beforeAll, describe, expect, it } from 'vitest';
import { messagesPage } from '#contract/staff/customers.ts';
import { mintPermit } from '#server/platform/permits.ts';
import { minuteMs } from '#server/platform/time-zone.ts';
import { contactForm, publish } from '#tests/blocks.ts';
import { askStaff, joinStaff } from '#tests/staff.ts';
import { createTestApp, forEachEngine, type TestApp } from '#tests/test-app.ts';

const { uiFormName: formName, uiMailTo: mailTo } = contactForm;
const permit = mintPermit('messages.read', { kind: 'terminal' }, null);

forEachEngine((engine) => {
  describe('messages of forms in the office', () => {
    let testApp: TestApp;
    beforeAll(async () => {
      testApp = await createTestApp({ engine, demo: true });
      await publish(testApp, 'questions', [contactForm]);
    });

    let senders = 0;
    function send(text: string, website = '') {
      const values = { name: 'Mei Chen', email: 'mei@example.com', phone: '', topic: 'Tea', text };
      const messageDetails = Object.entries(values).map(([key, value]) => ({ key, value }));
      senders += 1;
      return testApp.services.formMessages.submit(
        { mailTo, formName, messageDetails, secondsOpen: 20, website },
        { locale: 'en', address: `198.51.100.${senders}`, customerId: null },
      );
    }
    const page = (query: Parameters<typeof testApp.services.officeMessages.page>[1] = {}) =>
      testApp.services.officeMessages.page(permit, query);
    const texts = ({ messages }: Awaited<ReturnType<typeof page>>) =>
      messages.map(({ details }) => details.find(({ name }) => name === 'text')?.value);

    it('every message is on one page of the list, newest first, those of one moment included', async () => {
      const sent = Array.from({ length: messagesPage * 2 + 1 }, (_, at) => `Question ${at}`);
      for (const [at, text] of sent.entries()) {
        if (at % 3 === 0) testApp.clock.advance(minuteMs);
        await send(text);
      }
      await send('Buy now', 'https://spam.example');
      const listed = [];
      const sizes = [];
      for (let after: string | null | undefined; after !== null; ) {
        const answer = await page(after ? { after } : {});
        listed.push(...answer.messages);
        sizes.push(answer.messages.length);
        after = answer.after;
      }
      expect(sizes).toEqual([messagesPage, messagesPage, 1]);
      const times = listed.map(({ createdAt }) => createdAt);
      expect(times).toEqual(times.toSorted((a, b) => b - a));
      expect(texts({ messages: listed, after: null }).toSorted()).toEqual(sent.toSorted());
      expect(texts(await page({ state: 'spam' }))).toEqual(['Buy now']);
      await expect(page({ after: 'gone' })).rejects.toMatchObject({ status: 404 });
    });

    it('a message is done by whoever was first, and can be opened again; the journal has no word of it', async () => {
      testApp.clock.advance(minuteMs);
      await send('Is the tieguanyin in?');
      const [first, second] = [
        await joinStaff(testApp, 'li@shop.example', 'manager'),
        await joinStaff(testApp, 'noah@shop.example'),
      ];
      const { body: open } = await askStaff(testApp, 'messages', { as: first });
      expect(open.messages[0]).toMatchObject({
        formName,
        mailTo,
        locale: 'en',
        replyTo: 'mei@example.com',
        done: null,
      });
      const id = open.messages[0]?.id ?? '';
      const mark = (done: boolean, as = first) =>
        askStaff(testApp, 'markMessage', { as, params: { id }, body: { done } });
      const at = testApp.clock.now();
      expect((await mark(true)).body).toMatchObject({ id, done: { at, by: 'li' } });
      testApp.clock.advance(minuteMs);
      expect((await mark(true, second)).body.done).toEqual({ at, by: 'li' });
      expect(texts(await page({ state: 'done' }))).toEqual(['Is the tieguanyin in?']);
      expect((await page()).messages.map((each) => each.id)).not.toContain(id);
      const { changes } = testApp.container;
      const noted = await changes.journal({ kind: 'message', most: 10 });
      expect(noted).toMatchObject([
        { id, action: 'message mark', fields: [{ field: 'done', from: false, to: true }] },
      ]);
      expect(JSON.stringify(noted)).not.toMatch(/tieguanyin|Mei|@/);
      expect((await mark(false, second)).body.done).toBeNull();
      expect((await page({ state: 'done' })).messages).toEqual([]);
      const nowhere = await askStaff(testApp, 'markMessage', {
        as: first,
        params: { id: 'gone' },
        body: { done: true },
      });
      expect(nowhere.status).toBe(404);
      expect(await changes.journal({ kind: 'message', most: 10 })).toHaveLength(2);
    });

    it('messages, which name no store, are closed to a manager who is limited to stores', async () => {
      const limited = await joinStaff(testApp, 'limited@shop.example', 'manager', ['toronto-queen-west']);
      expect((await askStaff(testApp, 'messages', { as: limited })).status).toBe(403);
      const body = { done: true };
      expect(
        (await askStaff(testApp, 'markMessage', { as: limited, params: { id: 'x' }, body })).status,
      ).toBe(403);
    });
  });
});
