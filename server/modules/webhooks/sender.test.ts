/** How deliveries are sent, repeated, given up and kept apart, as receivers see it. */
import { beforeEach, describe, expect, it } from 'vitest';
import { createContainer, type Services } from '#server/container.ts';
import type { MerchantAlert } from '#server/modules/notifications/index.ts';
import { mailsFor, subjectOf } from '#tests/accounts.ts';
import { createTestApp, onBothEngines, type TestApp } from '#tests/test-app.ts';
import { verifyWebhook, type WebhookReceiver, webhookReceiver } from '#tests/webhook-receiver.ts';
import { retryForMs } from './events.service.ts';
import { retryPauseMs, type WebhookFailure } from './sender.ts';

const day = 24 * 60 * 60_000;

onBothEngines((engine) => {
  describe('the webhook sender', () => {
    let testApp: TestApp;
    let receiver: WebhookReceiver;
    const alerts: MerchantAlert[] = [];
    const failures: WebhookFailure[] = [];
    /** A process of the shop. */
    let other: () => Services;
    beforeEach(async () => {
      receiver = await webhookReceiver();
      const services = (deps: Parameters<typeof createContainer>[0]) =>
        createContainer({
          ...deps,
          reach: receiver.reach,
          onMerchantAlert: (alert) => void alerts.push(alert),
          onWebhookProblem: (failure) => void failures.push(failure),
        });
      testApp = await createTestApp({ engine, now: Date.now(), services });
      other = () => services({ db: testApp.db, env: testApp.env, now: testApp.clock.now });
      alerts.length = 0;
      failures.length = 0;
    });

    const add = (path: string) => testApp.services.webhooks.add(receiver.url(path), ['stock.low']);
    let causes = 0;
    /** Causes one event. */
    function cause(left = 1): Promise<void> {
      causes += 1;
      const data = () => ({ sku: 'MUG', store: 'queen', left, threshold: 5 });
      const event = { type: 'stock.low', cause: String(causes), data } as const;
      return testApp.db.transaction((trx) => testApp.services.webhookEvents.record(trx, event));
    }
    const run = () => testApp.services.deliveries.run();
    const deliveries = () => testApp.services.webhooks.deliveries({ most: 100 });
    const only = async () => {
      const [delivery, ...rest] = await deliveries();
      if (!delivery || rest.length > 0) throw new Error('Expected one delivery');
      return delivery;
    };

    it('a delivery is signed by Standard Webhooks, and its id is that of its event', async () => {
      receiver.answer('/a', 204);
      const { secret } = await add('/a');
      await cause();
      await run();
      const [message] = receiver.at('/a');
      if (!message) throw new Error('Nothing arrived');
      expect(message.headers).toMatchObject({
        'content-type': 'application/json',
        'user-agent': 'Shopwright',
      });
      const event = verifyWebhook(message, secret);
      expect(event).toMatchObject({
        id: message.headers['webhook-id'],
        type: 'stock.low',
        data: { sku: 'MUG', left: 1 },
      });
      expect(() => verifyWebhook({ ...message, body: message.body.replace('MUG', 'POT') }, secret)).toThrow();
      const { secret: another } = await add('/b');
      expect(() => verifyWebhook(message, another)).toThrow();
      expect(await only()).toMatchObject({
        state: 'delivered',
        attempts: 1,
        answer: '204',
        eventId: event.id,
      });
    });

    it('a delivery is sent once, however many processes send', async () => {
      receiver.answer('/a', 204);
      await add('/a');
      for (let count = 1; count <= 12; count++) await cause(count);
      const processes = [other(), other(), other(), other()];
      await Promise.all(processes.map(({ deliveries }) => deliveries.run()));
      await Promise.all(processes.map(({ deliveries }) => deliveries.run()));
      const ids = receiver.at('/a').map(({ headers }) => headers['webhook-id']);
      expect(ids).toHaveLength(12);
      expect(new Set(ids).size).toBe(12);
    });

    it('the claim of a process that died is taken over once it has expired, with the same id', async () => {
      receiver.answer('/a', 204);
      await add('/a');
      await cause();
      const claim = { state: 'sending', attempts: 1, due_at: testApp.clock.now() + 1000 };
      await testApp.db.transaction((trx) => trx.updateTable('deliveries').set(claim).execute());
      await run();
      expect(receiver.at('/a')).toEqual([]);
      testApp.clock.advance(1000);
      await run();
      expect(receiver.at('/a')[0]?.headers['webhook-id']).toBe((await only()).eventId);
    });

    it('a receiver that does not answer holds up no other', async () => {
      let recover = () => {};
      const recovered = new Promise<void>((resolve) => {
        recover = resolve;
      });
      receiver.answer('/sick', async (response) => {
        await recovered;
        response.writeHead(204).end();
      });
      receiver.answer('/well', 204);
      await add('/sick');
      await add('/well');
      await cause();
      const { deliveries: queue } = testApp.services;
      await queue.start();
      await expect.poll(() => receiver.at('/well').length).toBe(1);
      await expect.poll(() => receiver.at('/sick').length).toBe(1);
      await cause();
      await expect
        .poll(async () => {
          await queue.start();
          return receiver.at('/well').length;
        })
        .toBe(2);
      recover();
      await run();
      const ids = receiver.at('/sick').map(({ headers }) => headers['webhook-id']);
      expect(ids).toHaveLength(2);
      expect(new Set(ids).size).toBe(2);
    });

    it('a failed delivery is repeated after growing pauses for two days, then given up with an alert', async () => {
      const { contactEmail } = await testApp.services.settings.all();
      expect(contactEmail).toBe('');
      await testApp.services.settings.update({ contactEmail: 'owner@shop.example' });
      receiver.answer('/secret-path', (response) => response.writeHead(500).end('database\n is locked'));
      const { id } = await add('/secret-path');
      const began = testApp.clock.now();
      await cause();
      let before = 0;
      for (;;) {
        await run();
        const { state, attempts, dueAt, answer } = await only();
        expect(answer).toBe('500 database is locked');
        if (state === 'failed') break;
        const pause = dueAt - testApp.clock.now();
        const isLast = dueAt === began + retryForMs;
        if (!isLast) {
          expect(pause).toBeGreaterThanOrEqual(retryPauseMs(attempts, 0));
          expect(pause).toBeLessThanOrEqual(retryPauseMs(attempts, 1));
          expect(pause).toBeGreaterThan(before / 2);
        }
        before = pause;
        testApp.clock.advance(pause - 1);
        await run();
        expect((await only()).attempts).toBe(attempts);
        testApp.clock.advance(1);
      }
      expect(testApp.clock.now()).toBe(began + retryForMs);
      const received = receiver.at('/secret-path');
      expect(received.length).toBeGreaterThan(9);
      expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
      expect(new Set(received.map(({ headers }) => headers['webhook-timestamp'])).size).toBe(received.length);
      expect(alerts).toMatchObject([
        { kind: 'webhookGivenUp', values: { endpoint: id, host: 'secure.example' } },
      ]);
      expect(failures.map(({ level }) => level)).toEqual([...received.slice(1).map(() => 'warn'), 'error']);
      expect(JSON.stringify([alerts, failures])).not.toMatch(/secret-path|whsec|locked/);
      await run();
      expect((await mailsFor(testApp, 'owner@shop.example')).map(subjectOf)[0]).toContain(
        'Webhooks to secure.example',
      );
    });

    it('a Retry-After header makes the pause longer, up to twelve hours', async () => {
      receiver.answer('/a', (response, count) =>
        response.writeHead(503, { 'retry-after': count === 1 ? '3600' : '999999' }).end(),
      );
      await add('/a');
      await cause();
      await run();
      expect((await only()).dueAt - testApp.clock.now()).toBe(3_600_000);
      testApp.clock.advance(3_600_000);
      await run();
      expect((await only()).dueAt - testApp.clock.now()).toBe(12 * 3_600_000);
    });

    it('an endpoint that answers 410 is disabled with an alert, and gets nothing more until it is resumed', async () => {
      receiver.answer('/a', 410);
      const { id } = await add('/a');
      await cause();
      await run();
      await cause();
      await run();
      expect(receiver.at('/a')).toHaveLength(1);
      expect(await testApp.services.webhooks.list()).toMatchObject([
        { id, state: 'gone', failed: 1, waiting: 0 },
      ]);
      expect(alerts).toMatchObject([{ kind: 'webhookGone', values: { endpoint: id } }]);
      receiver.answer('/a', 204);
      const [{ id: delivery = '' } = {}] = await deliveries();
      await expect(testApp.services.webhooks.resend(delivery)).rejects.toThrow('webhooks resume');
      await testApp.services.webhooks.resume(id);
      await testApp.services.webhooks.resend(delivery);
      await cause();
      await run();
      expect(receiver.at('/a')).toHaveLength(3);
      expect(await testApp.services.webhooks.list()).toMatchObject([
        { state: 'active', failingSince: null, delivered: 2 },
      ]);
    });

    it('a redirect is a failure that is not followed, and a long answer is read no further than its beginning', async () => {
      receiver.answer('/a', (response, count) => {
        if (count === 1) response.writeHead(302, { location: receiver.url('/elsewhere') }).end();
        else response.writeHead(400).write('x'.repeat(100_000));
      });
      receiver.answer('/elsewhere', 204);
      await add('/a');
      await cause();
      await run();
      expect(await only()).toMatchObject({ state: 'waiting', answer: '302' });
      testApp.clock.advance(day);
      await run();
      expect((await only()).answer).toBe(`400 ${'x'.repeat(196)}`);
      expect(receiver.at('/elsewhere')).toEqual([]);
    });

    it('a name that leads to a private address gets no request, also if it led to a public one before', async () => {
      receiver.answer('/a', 500);
      await add('/a');
      await cause();
      receiver.names.set('secure.example', [
        ['93.184.215.14'],
        ['127.0.0.1'],
        ['10.0.0.7'],
        ['169.254.169.254'],
        ['fd00::1'],
      ]);
      await run();
      expect(receiver.at('/a')).toHaveLength(1);
      for (let attempt = 2; attempt <= 5; attempt++) {
        testApp.clock.advance(3 * 3_600_000);
        await run();
        expect(await only()).toMatchObject({ attempts: attempt, answer: 'a private address' });
      }
      expect(receiver.at('/a')).toHaveLength(1);
    });

    it('a rotated endpoint gets both signatures for a day, then only the new one', async () => {
      receiver.answer('/a', 204);
      const { id, secret: old } = await add('/a');
      const { secret } = await testApp.services.webhooks.rotate(id);
      await cause();
      await run();
      const [first] = receiver.at('/a');
      if (!first) throw new Error('Nothing arrived');
      expect(verifyWebhook(first, secret)).toEqual(verifyWebhook(first, old));
      testApp.clock.advance(day);
      await cause();
      await run();
      expect(receiver.at('/a')[0]?.headers['webhook-signature']).toMatch(/^v1,\S+ v1,\S+$/);
      expect(receiver.at('/a')[1]?.headers['webhook-signature']).toMatch(/^v1,\S+$/);
    });

    it('a paused endpoint gets nothing, and what waited for it after it is resumed', async () => {
      receiver.answer('/a', 204);
      const { id } = await add('/a');
      await testApp.services.webhooks.pause(id);
      await cause();
      testApp.clock.advance(3 * day);
      await run();
      expect(receiver.at('/a')).toEqual([]);
      expect(await testApp.services.webhooks.resume(id)).toBe(1);
      await run();
      expect(receiver.at('/a')).toHaveLength(1);
    });

    it('a process that stops ends its attempts, and another one repeats them at once', async () => {
      receiver.answer('/a', (response, count) => void (count > 1 && response.writeHead(204).end()));
      await add('/a');
      await cause();
      const stopping = other().deliveries;
      await stopping.start();
      await expect.poll(() => receiver.at('/a').length).toBe(1);
      await stopping.stop();
      expect(await only()).toMatchObject({ state: 'waiting', attempts: 0 });
      expect(failures).toEqual([]);
      await run();
      expect(await only()).toMatchObject({ state: 'delivered', attempts: 1 });
    });

    it('a database that is away in a lane is reported by the next start', async () => {
      receiver.answer('/a', 204);
      await add('/a');
      await cause();
      const db = { ...testApp.db, transaction: () => Promise.reject(new Error('away')) };
      const broken = createContainer({ db, env: testApp.env, now: testApp.clock.now, reach: receiver.reach });
      await expect(broken.deliveries.run()).rejects.toThrow('away');
      await run();
      expect(receiver.at('/a')).toHaveLength(1);
    });

    it('deliveries are deleted after 30 days', async () => {
      receiver.answer('/a', 204);
      await add('/a');
      await cause();
      await run();
      testApp.clock.advance(30 * day);
      await testApp.services.runMaintenance();
      expect(await deliveries()).toHaveLength(1);
      testApp.clock.advance(1);
      await testApp.services.runMaintenance();
      expect(await deliveries()).toEqual([]);
    });
  });
});
