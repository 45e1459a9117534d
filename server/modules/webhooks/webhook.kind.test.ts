/** The room Webhooks, over HTTP. */
import { randomUUID } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import { requestKeyHeader } from '#contract/limits.ts';
import { askStaff, joinStaff, secureStaff } from '#tests/staff.ts';
import { createTestApp, forEachEngine, type Shopper, type TestApp } from '#tests/test-app.ts';

const events = ['order.placed', 'stock.low'];

forEachEngine((engine) => {
  let testApp: TestApp;
  let as: Shopper;
  beforeAll(async () => {
    testApp = await createTestApp({ engine, demo: true });
    as = await joinStaff(testApp, 'owner@webhooks.example');
    await secureStaff(testApp, as);
  });

  let added = 0;
  const add = async () => {
    added += 1;
    const body = { url: `https://receiver.example/hooks/${added}`, events };
    return (await askStaff(testApp, 'addWebhook', { as, body })).body;
  };
  const load = async (id: string) => (await askStaff(testApp, 'webhook', { as, params: { id } })).body;
  const save = async (id: string, edits: object[], revision?: number) =>
    askStaff(testApp, 'saveWebhook', {
      as,
      params: { id },
      body: { revision: revision ?? (await load(id)).revision, edits },
    });
  const secretOf = async (id: string) =>
    (
      await testApp.db.read
        .selectFrom('webhook_endpoints')
        .select('secret')
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
    ).secret;

  it('the secret of a webhook is shown by the call that makes one, and is in no document, list, journal or file', async () => {
    const { content } = await add();
    const { id } = content;
    const first = await secretOf(id);
    const headers = { [requestKeyHeader]: randomUUID() };
    const { body: made } = await askStaff(testApp, 'rotateWebhook', { as, params: { id }, headers });
    expect([made.secret, made.secret === first]).toEqual([await secretOf(id), false]);
    // The answer was lost: sent again, it is the same, and makes no other.
    expect((await askStaff(testApp, 'rotateWebhook', { as, params: { id }, headers })).body).toEqual(made);
    expect(await secretOf(id)).toBe(made.secret);
    await save(id, [{ path: ['paused'], to: true }]);
    const answers = [
      await load(id),
      (await askStaff(testApp, 'webhooks', { as })).body,
      (await askStaff(testApp, 'journal', { as })).body,
      (await askStaff(testApp, 'webhookRevisions', { as, params: { id } })).body,
      (await testApp.container.exports.shopFiles.whole()).shop,
    ];
    const rows = await testApp.db.read.selectFrom('journal').selectAll().execute();
    const kept = await testApp.db.read.selectFrom('request_keys').selectAll().execute();
    for (const secret of [first, made.secret])
      expect(JSON.stringify([answers, rows, kept])).not.toContain(secret.slice(6));
    expect(JSON.stringify(answers)).toContain(id);
  });

  it('the journal says that an address has changed, and not what it is: it may hold a token', async () => {
    const { content, revision } = await add();
    const params = { id: content.id };
    const [before, after] = [
      content.url,
      'https://receiver.example/services/T0001/B0002/token-of-the-receiver',
    ];
    expect((await save(content.id, [{ path: ['url'], to: after }])).status).toBe(200);
    const { entries } = (await askStaff(testApp, 'journal', { as })).body;
    expect(entries[0]?.fields).toEqual([{ field: 'url' }]);
    expect(JSON.stringify(entries)).not.toContain(after);
    // It is led back all the same.
    const { revision: seen } = await load(content.id);
    const { status } = await askStaff(testApp, 'restoreWebhook', { as, params, body: { revision, seen } });
    expect([status, (await load(content.id)).content.url]).toEqual([200, before]);
  });

  it('two people edit different fields of a webhook, an edit of the same one is a conflict, and edits are led back', async () => {
    const { content, revision } = await add();
    const { id } = content;
    expect((await save(id, [{ path: ['events'], to: ['order.paid'] }], revision)).status).toBe(200);
    expect((await save(id, [{ path: ['paused'], to: true }], revision)).status).toBe(200);
    expect((await load(id)).content).toEqual({ ...content, events: ['order.paid'], paused: true });
    expect((await save(id, [{ path: ['events'], to: ['stock.low'] }], revision)).status).toBe(409);
    // A new secret is beside the document: the way back leads over it.
    await askStaff(testApp, 'rotateWebhook', { as, params: { id } });
    const { revision: seen } = await load(id);
    const { body } = await askStaff(testApp, 'restoreWebhook', {
      as,
      params: { id },
      body: { revision, seen },
    });
    expect(body.content).toEqual(content);
  });

  it('an address that no receiver can have, and unknown events, are refused at their fields', async () => {
    const { content } = await add();
    const { content: other } = await add();
    const refused = async (edit: object) => Object.keys((await save(content.id, [edit])).body.errors ?? {});
    const url = `webhooks.${content.id}.url`;
    for (const to of ['http://receiver.example/', 'https://127.0.0.1/', 'nothing', other.url, ''])
      expect(await refused({ path: ['url'], to }), to).toEqual([url]);
    expect(await refused({ path: ['events'], to: [] })).toEqual([`webhooks.${content.id}.events`]);
    expect((await refused({ path: ['events'], to: ['order.eaten'] })).length).toBe(1);
    expect(
      (await askStaff(testApp, 'addWebhook', { as, body: { url: other.url, events } })).body.errors,
    ).toHaveProperty(['url']);
    expect((await load(content.id)).content).toEqual(content);
  });

  it('a webhook is removed with its deliveries, and those of agents are none of the room', async () => {
    const { content } = await add();
    const { id } = content;
    await testApp.db.transaction((trx) =>
      trx
        .insertInto('webhook_endpoints')
        .values({
          id: 'agent_1',
          url: 'https://agent.example/',
          events: '[]',
          state: 'active',
          secret: '',
          previous_secret: null,
          previous_until: null,
          failing_since: null,
          created_at: 1,
        })
        .execute(),
    );
    expect((await askStaff(testApp, 'webhook', { as, params: { id: 'agent_1' } })).status).toBe(404);
    expect((await askStaff(testApp, 'webhookUse', { as, params: { id } })).body).toEqual({
      refused: null,
      affected: [],
    });
    expect((await askStaff(testApp, 'removeWebhook', { as, params: { id } })).status).toBe(200);
    expect((await askStaff(testApp, 'webhook', { as, params: { id } })).status).toBe(404);
    const manager = await joinStaff(testApp, 'manager@webhooks.example', 'manager');
    await secureStaff(testApp, manager);
    expect((await askStaff(testApp, 'webhooks', { as: manager })).status).toBe(403);
  });

  it('a webhook that a file adds is paused, with a secret of its own', async () => {
    const webhook = {
      id: 'we_0123456789abcdef',
      url: 'https://copy.example/',
      events: ['order.paid' as const],
      paused: false,
    };
    const { webhooks } = testApp.container;
    await testApp.container.changes.run({ kind: 'terminal' }, 'fill', (change) =>
      webhooks.putAll(change, [webhook]),
    );
    expect((await load(webhook.id)).content).toEqual({ ...webhook, paused: true });
    expect(await secretOf(webhook.id)).toMatch(/^whsec_/);
    const wrong = [{ ...webhook, id: 'we_fedcba9876543210' }];
    expect((await webhooks.problemsOf(wrong)).map(({ path, key }) => [path.join('.'), key])).toEqual([
      ['webhooks.we_fedcba9876543210.url', 'problem.webhook.repeated'],
    ]);
  });
});
