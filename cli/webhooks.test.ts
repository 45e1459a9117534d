/** The webhooks command, as a merchant types it, with a receiver on this machine. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { shopCommand } from '#tests/shop-command.ts';
import { createTestApp, onBothEngines, type TestApp } from '#tests/test-app.ts';
import { type ReceivedWebhook, verifyWebhook } from '#tests/webhook-receiver.ts';

const hour = 60 * 60_000;

onBothEngines((engine) => {
  let testApp: TestApp;
  let server: Server;
  let url = '';
  let status = 204;
  const received: ReceivedWebhook[] = [];
  beforeAll(async () => {
    testApp = await createTestApp({ engine, now: Date.now(), env: { WEBHOOKS_ALLOW_PRIVATE: '1' } });
    server = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      received.push({
        headers: request.headers as Record<string, string>,
        body: Buffer.concat(chunks).toString(),
      });
      response.writeHead(status).end(status === 204 ? undefined : 'no\u001b[31m room');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`;
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));
  beforeEach(async () => {
    status = 204;
    received.length = 0;
    for (const { id } of await testApp.services.webhooks.list()) await testApp.services.webhooks.remove(id);
  });

  const shop = (words: readonly string[], allowPrivate = '1') =>
    shopCommand(testApp, words, { WEBHOOKS_ALLOW_PRIVATE: allowPrivate });
  const webhooks = (...words: string[]) => shop(['webhooks', ...words]);

  async function added(): Promise<{ id: string; secret: string }> {
    const { printed } = await webhooks('add', url, '--events', 'stock.low,order.paid');
    const [, id = ''] = /Added endpoint (we_\w+): http:/.exec(printed) ?? [];
    const [, secret = ''] = /Secret \(shown only now[^:]*: (whsec_\S+)$/m.exec(printed) ?? [];
    return { id, secret };
  }
  const cause = () =>
    testApp.db.transaction((trx) =>
      testApp.services.webhookEvents.record(trx, {
        type: 'stock.low',
        cause: String(Math.random()),
        data: () => ({ sku: 'MUG', store: 'queen', left: 1, threshold: 5 }),
      }),
    );

  it('an endpoint is added with a secret that is shown once, tested, listed and removed', async () => {
    const { id, secret } = await added();
    expect(await webhooks('test', id)).toEqual({ code: 0, printed: 'OK    The endpoint answered 204.' });
    const [message] = received;
    if (!message) throw new Error('Nothing arrived');
    expect(verifyWebhook(message, secret)).toMatchObject({ type: 'webhook.test', data: {} });
    status = 507;
    expect(await webhooks('test', id)).toEqual({ code: 1, printed: 'FAIL  Not accepted: 507 no [31m room' });
    const { printed } = await webhooks('list');
    expect(printed).toContain(`${id}  active  ${url}\n    events: stock.low, order.paid\n`);
    expect(printed).not.toContain(secret);
    expect((await webhooks('add', url, '--events', 'all')).printed).toContain('already');
    expect((await webhooks('remove', id)).printed).toBe(`Removed endpoint ${id} and its deliveries.`);
    expect((await webhooks('list')).printed).toMatch(/^No endpoints\./);
  });

  it('deliveries are listed with their answers and sent again by their id', async () => {
    const { id, secret } = await added();
    status = 500;
    await cause();
    await testApp.services.deliveries.run();
    const listed = await webhooks('deliveries', '--endpoint', id, '--state', 'waiting');
    const [, delivery = '', event = ''] =
      /^(dlv_\w+) {2}waiting .* stock\.low to we_\w+ \((evt_\w+)\)$/m.exec(listed.printed) ?? [];
    expect(listed.printed).toMatch(
      /attempts: 1, last answer: 500 no \[31m room, next attempt: 20\S+\+00:00$/m,
    );
    status = 204;
    expect((await webhooks('resend', delivery)).printed).toBe(
      `Queued stock.low for ${id} again (${delivery}). The running shop sends it.`,
    );
    // The command queues with the machine's clock, which may be ahead of the test's.
    testApp.clock.set(Date.now() + 1);
    await testApp.services.deliveries.run();
    expect((await webhooks('deliveries', '--state', 'delivered')).printed).toContain(delivery);
    expect(received.map(({ headers }) => headers['webhook-id'])).toEqual([event, event]);
    const [, last] = received;
    if (!last) throw new Error('Nothing arrived');
    expect(verifyWebhook(last, secret).id).toBe(event);
  });

  it('an endpoint is paused, resumed and gets a new secret', async () => {
    const { id, secret } = await added();
    expect((await webhooks('pause', id)).code).toBe(0);
    await cause();
    expect((await webhooks('list')).printed).toContain(`${id}  paused  `);
    expect((await webhooks('resume', id)).printed).toBe(`Resumed endpoint ${id}. Deliveries waiting: 1.`);
    const { printed } = await webhooks('rotate', id);
    expect(printed).toMatch(
      /Secret \(shown only now[^:]*: whsec_\S+\nMessages are signed with the previous secret as well until 20/,
    );
    expect(printed).not.toContain(secret);
    expect((await webhooks('list')).printed).toContain('previous secret until');
  });

  it('doctor names endpoints that have failed for hours or are gone', async () => {
    const { id } = await added();
    const doctor = async () => (await shop(['doctor'])).printed;
    expect(await doctor()).toContain('OK    Webhooks: no endpoint failing');
    const fail = (failing_since: number) =>
      testApp.db.transaction((trx) => trx.updateTable('webhook_endpoints').set({ failing_since }).execute());
    await fail(Date.now() - 5 * hour);
    expect(await doctor()).toContain('OK    Webhooks');
    await fail(Date.now() - 7 * hour);
    expect(await doctor()).toMatch(
      new RegExp(
        `^FAIL  Webhooks: ${id} \\(127\\.0\\.0\\.1:\\d+\\) has failed since .*, 0 deliveries given up\\. .*webhooks test ${id}`,
        'm',
      ),
    );
    await testApp.db.transaction((trx) =>
      trx.updateTable('webhook_endpoints').set({ state: 'gone' }).execute(),
    );
    expect(await doctor()).toContain(
      `answered 410 Gone and is disabled. Run "npm run shop -- webhooks remove ${id}"`,
    );
  });

  it.each([
    ['http://receiver.example/', 'must begin with https://'],
    ['https://127.0.0.1/', 'must not lead to a private address'],
    ['https://localhost/', 'must not lead to a private address'],
    ['https://receiver.example:8443/', 'on the default port'],
    ['https://user:word@receiver.example/', 'without a user name'],
    ['receiver.example', 'must look like https://'],
  ])('the URL %s is rejected unless private addresses are allowed', async (address, problem) => {
    const { code, printed } = await shop(['webhooks', 'add', address, '--events', 'all'], '0');
    expect([code, printed]).toEqual([1, expect.stringContaining(problem)]);
  });

  it.each([
    [['add', '--events', 'all'], "Missing required argument 'url'"],
    [
      ['add', 'https://receiver.example/', '--events', 'order.lost'],
      'Expected all, or some of order.placed,',
    ],
    [['add', 'https://receiver.example/'], "Required option '--events <types>' not specified."],
    [['remove', 'we_0'], 'Unknown endpoint: we_0'],
    [['pause', 'we_0'], 'Unknown endpoint: we_0'],
    [['resume', 'we_0'], 'Unknown endpoint: we_0'],
    [['rotate', 'we_0'], 'Unknown endpoint: we_0'],
    [['test', 'we_0'], 'Unknown endpoint: we_0'],
    [['resend', 'dlv_0'], 'Unknown delivery: dlv_0'],
    [['deliveries', '--endpoint', 'we_0'], 'Unknown endpoint: we_0'],
    [['deliveries', '--state', 'lost'], 'Allowed choices are waiting, sending, delivered, failed.'],
    [['give'], "Unknown command 'give'"],
  ])('the webhooks arguments %j are rejected with a hint how to fix them', async (words, hint) => {
    const { code, printed } = await webhooks(...words);
    expect([code, printed]).toEqual([1, expect.stringContaining(hint)]);
  });
});
