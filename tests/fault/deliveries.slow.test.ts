/** Kills the server while it delivers emails and webhooks. Nothing is lost, and only what was under way is delivered twice. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { parseMail } from '#tests/accounts.ts';
import { startShop } from '#tests/processes.ts';
import { fakeSmtp } from '#tests/smtp.ts';
import { createTestApp, forEachEngine } from '#tests/test-app.ts';
import { environment } from './buying.ts';

const count = 40;
/** The most attempts at once. */
const underWay = { emails: 5, webhooks: 4 };

forEachEngine((engine) => {
  it('emails and webhooks survive SIGKILL, and repeat at most what was under way', async () => {
    const smtp = await fakeSmtp();
    const events: string[] = [];
    let onEvent = () => {};
    const receiver = createServer((request, response) => {
      events.push(String(request.headers['webhook-id']));
      response.writeHead(204).end();
      onEvent();
    });
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    const env = { SMTP_URL: smtp.url, WEBHOOKS_ALLOW_PRIVATE: '1' };
    const testApp = await createTestApp({ engine, connections: 10, now: Date.now(), env });
    const { mail, webhooks, webhookEvents, deliveries } = testApp.services;
    await webhooks.add(`http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`, ['stock.low']);
    const emails = Array.from({ length: count }, (_, index) => `shopper.${index}@example.com`);
    await testApp.db.transaction(async (trx) => {
      for (const [index, recipient] of emails.entries()) {
        await mail.enqueue(trx, { kind: 'welcome', recipient, locale: 'en', data: {} });
        const data = () => ({ sku: 'MUG', store: 'warehouse', left: 1, threshold: 5 });
        await webhookEvents.record(trx, { type: 'stock.low', cause: String(index), data });
      }
    });

    const shop = await startShop({ ...environment(testApp), ...env });
    await new Promise<void>((resolve) => {
      onEvent = () => {
        if (events.length < count / 3 || smtp.received.length < 3) return;
        shop.child.kill('SIGKILL');
        resolve();
      };
    });
    await shop.end();
    expect(events.length).toBeLessThan(count);

    // The claims of the killed process have expired.
    testApp.clock.set(Date.now() + 10 * 60_000);
    await deliveries.run();
    receiver.close();
    await smtp.close();
    expect(new Set(smtp.received.map(({ to }) => to))).toEqual(new Set(emails));
    const messageIds = new Set(smtp.received.map(({ source }) => parseMail(source).headers['message-id']));
    expect(messageIds.size).toBe(count);
    expect(smtp.received.length).toBeLessThanOrEqual(count + underWay.emails);
    expect(new Set(events).size).toBe(count);
    expect(events.length).toBeLessThanOrEqual(count + underWay.webhooks);
    const states = await testApp.db.read.selectFrom('deliveries').select('state').distinct().execute();
    expect(states).toEqual([{ state: 'delivered' }]);
  });
});
