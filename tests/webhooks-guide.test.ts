/** Runs the receiver of docs/how-to/webhooks.md as printed, and compares its messages with those that the shop sends. */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createSecret } from '#server/modules/webhooks/sender.ts';
import { sellProduct } from './products.ts';
import { add, deliver, pay } from './shop-actions.ts';
import { createTestApp, type TestApp } from './test-app.ts';

const root = join(import.meta.dirname, '..');
const guide = readFileSync(join(root, 'docs/how-to/webhooks.md'), 'utf8');
const blocks = (language: string) =>
  [...guide.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(
    ([, code = '']) => code,
  );
const mug = 'MUG-OAT';

const running: (() => void)[] = [];
afterEach(() => {
  for (const end of running.splice(0)) end();
});

/** Starts the receiver of the guide. Returns its URL and what it has printed. */
async function startReceiver(secret: string): Promise<{ url: string; printed: () => string }> {
  const child = spawn(process.execPath, ['--input-type=module'], {
    cwd: root,
    env: { PATH: process.env.PATH, WEBHOOK_SECRET: secret, PORT: '0' },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  running.push(() => child.kill('SIGKILL'));
  let printed = '';
  child.stdout.on('data', (chunk) => {
    printed += chunk;
  });
  child.stdin.end(blocks('js')[0]);
  await expect.poll(() => printed).toMatch(/^Listening on \d+/);
  return { url: `http://127.0.0.1:${/\d+/.exec(printed)?.[0]}/`, printed: () => printed };
}

/** The names and types of a value's fields; null stands for any type. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(shapeOf);
  if (typeof value !== 'object') return typeof value;
  return value && Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shapeOf(inner)]));
}

describe('the guide to webhooks', () => {
  let testApp: TestApp;
  beforeAll(async () => {
    testApp = await createTestApp({
      engine: 'sqlite',
      demo: true,
      now: Date.now(),
      env: { WEBHOOKS_ALLOW_PRIVATE: '1' },
    });
    await sellProduct(testApp, mug);
  });

  test('the receiver of the guide accepts each message of the shop once, and rejects forged ones', async () => {
    const { webhooks, deliveries, stock } = testApp.services;
    // The receiver starts with a secret, and its port is known only then, so the endpoint gets that secret afterwards.
    const secret = createSecret();
    const { url, printed } = await startReceiver(secret);
    const endpoint = await webhooks.add(url, ['stock.low']);
    await testApp.db.transaction((trx) => trx.updateTable('webhook_endpoints').set({ secret }).execute());
    await stock.count([{ sku: mug, place: 'warehouse', units: 6 }]);
    await stock.count([{ sku: mug, place: 'warehouse', units: 4 }]);
    await deliveries.run();
    const [delivery] = await webhooks.deliveries({ most: 1 });
    expect(delivery).toMatchObject({ state: 'delivered', answer: '204' });
    await webhooks.resend(delivery?.id ?? '');
    await deliveries.run();
    await expect
      .poll(printed)
      .toContain('stock.low {"sku":"MUG-OAT","store":"warehouse","left":4,"threshold":5}\n');
    expect(printed().match(/stock\.low/g)).toHaveLength(1);
    expect(await webhooks.test(endpoint.id)).toMatchObject({ accepted: true, status: 204 });
    await webhooks.rotate(endpoint.id);
    await testApp.db.transaction((trx) =>
      trx.updateTable('webhook_endpoints').set({ previous_until: 0 }).execute(),
    );
    expect(await webhooks.test(endpoint.id)).toMatchObject({ accepted: false, status: 400 });
    await webhooks.remove(endpoint.id);
  });

  test('the messages in the guide have the fields of those that the shop sends', async () => {
    const { webhooks, orderRefunds, stock } = testApp.services;
    await webhooks.add('https://receiver.example/', ['order.refunded', 'stock.low']);
    await stock.count([{ sku: mug, place: 'warehouse', units: 6 }]);
    const session = testApp.shopper();
    await add(testApp, session, mug, 2);
    await deliver(testApp, session);
    const { orderID } = (await pay(testApp, session)).body;
    const { orderNumber } = await testApp.call('order', { session, params: { id: orderID } });
    await orderRefunds.refund(orderNumber ?? '', { reason: 'chipped', amount: 500 });
    const rows = await testApp.db.read
      .selectFrom('deliveries')
      .selectAll()
      .where('endpoint_id', 'is not', null)
      .execute();
    const sent = new Map(rows.map(({ kind, body }) => [kind, JSON.parse(body)]));
    const printed = blocks('json').map((code) => JSON.parse(code));
    expect(printed.map(({ type }) => type)).toEqual(['order.refunded', 'stock.low']);
    for (const message of printed) expect(shapeOf(sent.get(message.type))).toEqual(shapeOf(message));
  });
});
