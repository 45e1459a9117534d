/** Emails of orders that staff send once more, and addresses that they correct. */
import { beforeAll, describe, expect, it } from 'vitest';
import { hourMs } from '#server/platform/time-zone.ts';
import { mailsFor } from '#tests/accounts.ts';
import { emailedTokens, placeLinkedOrder as place, tokenFor } from '#tests/order-links.ts';
import { sellProduct } from '#tests/products.ts';
import { setUnits } from '#tests/shop-actions.ts';
import { askStaff as ask, joinStaff } from '#tests/staff.ts';
import { createTestApp, onOneEngine, type Shopper, type TestApp, testNow } from '#tests/test-app.ts';

const mug = 'MUG-MAILS';

onOneEngine((engine) => {
  let testApp: TestApp;
  let as: Shopper;
  beforeAll(async () => {
    testApp = await createTestApp({ engine, demo: true, env: { PUBLIC_URL: 'https://shop.example' } });
    await sellProduct(testApp, mug);
    await setUnits(testApp, mug, 40, 'toronto-queen-west');
    as = await joinStaff(testApp, 'mails@shop.example');
  });
  let time = testNow + 4 * hourMs;
  const placed = () => {
    // Each time has room for a few orders.
    time += hourMs / 2;
    return place(testApp, { how: 'reserve', sku: mug, store: 'toronto-queen-west', pickupAt: time });
  };
  const sheet = async (number: string) => (await ask(testApp, 'order', { as, params: { number } })).body;
  const again = (number: string, mail = '') =>
    ask(testApp, 'sendMailAgain', { as, params: { number, mail } });
  const correct = (number: string, email: string) =>
    ask(testApp, 'correctEmail', { as, params: { number }, body: { email } });

  describe('emails of an order', () => {
    it('an email is sent again as it reads now, once a minute, and the journal says so', async () => {
      const { number, email } = await placed();
      await testApp.services.deliveries.run();
      const mail = (await sheet(number)).mails.find(({ kind }) => kind === 'orderConfirmation');
      expect(mail).toMatchObject({ kind: 'orderConfirmation', to: email, state: 'file', problem: null });
      const answers = await Promise.all([again(number, mail?.id), again(number, mail?.id)]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
      expect(new Set(await emailedTokens(testApp, email, 'orderConfirmation')).size).toBe(2);
      expect((await sheet(number)).mails.map(({ kind }) => kind).sort()).toEqual([
        'newOrder',
        'orderConfirmation',
        'orderConfirmation',
      ]);
      testApp.clock.advance(60_000);
      expect((await again(number, mail?.id)).status).toBe(200);
      const [entry] = await testApp.container.changes.journal({ most: 1 });
      expect(entry).toMatchObject({
        action: 'orders send-again',
        fields: [{ field: 'sentAgain', to: 'orderConfirmation' }],
      });
    });

    it('an email of another order is not there, and an order gets no more than twenty a day', async () => {
      const { number } = await placed();
      const other = await placed();
      const mail = (await sheet(number)).mails.find(({ kind }) => kind === 'orderConfirmation');
      expect((await again(other.number, mail?.id)).status).toBe(404);
      const statuses: number[] = [];
      for (let count = 0; count < 20; count++) {
        testApp.clock.advance(60_000);
        statuses.push((await again(number, mail?.id)).status);
      }
      // With the two of its placement.
      expect(statuses).toEqual([...Array.from({ length: 18 }, () => 200), 409, 409]);
    });
  });

  describe('corrected addresses', () => {
    it('a corrected address gets what waits and what is sent again, ends the old links, and is not in the journal', async () => {
      const { number, email } = await placed();
      const token = await tokenFor(testApp, email);
      await testApp.services.fulfilment.move(number, 'ready');
      const right = `right.${number.toLowerCase()}@example.com`;
      expect((await correct(number, ` ${right} `)).status).toBe(200);
      expect(await mailsFor(testApp, right, 'orderReady')).toHaveLength(1);
      expect(await mailsFor(testApp, email, 'orderReady')).toEqual([]);
      expect((await testApp.ask('orderLink', { params: { token } })).status).toBe(410);
      const { mails, order } = await sheet(number);
      expect(order.orderContact?.email).toBe(right);
      const old = mails.find(({ kind }) => kind === 'orderConfirmation');
      expect(old?.to).toMatch(/^.…@/);
      expect((await again(number, old?.id)).status).toBe(200);
      expect(await mailsFor(testApp, right, 'orderConfirmation')).toHaveLength(1);
      const journal = JSON.stringify(
        await testApp.container.changes.journal({ kind: 'order', id: number, most: 9 }),
      );
      expect(journal).toContain('contact.email');
      expect(journal).not.toContain('@example.com');
      const found = await ask(testApp, 'orders', { as, query: { text: right } });
      expect(found.body.orders.map((row) => row.number)).toEqual([number]);
    });

    it('a text that is no address is refused at its field, and an order without a customer has none', async () => {
      const { number, id } = await placed();
      const answer = await correct(number, 'nobody');
      expect([answer.status, Object.keys(answer.body.errors ?? {})]).toEqual([400, ['email']]);
      await testApp.db.transaction((trx) =>
        trx.updateTable('orders').set({ contact: null }).where('id', '=', id).execute(),
      );
      expect((await correct(number, 'a@example.com')).status).toBe(409);
    });
  });
});
