/** The live feed of the office: what is told to whom, how soon across processes, and when a stream ends. */
import { randomUUID } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import { staffBase } from '#contract/limits.ts';
import type { FeedHint } from '#contract/staff/desk.ts';
import { kinds } from '#contract/staff/messages.ts';
import { addToFeed } from '#db/feed.ts';
import { addChangesToFeed } from '#server/modules/changes/journal.repository.ts';
import { dayMs } from '#server/platform/time-zone.ts';
import { type ShopProcess, startShop } from '#tests/processes.ts';
import { closeAtEnd } from '#tests/resources.ts';
import { add, pay, visit } from '#tests/shop-actions.ts';
import { shopCommand } from '#tests/shop-command.ts';
import { askStaff, joinStaff, secureStaff } from '#tests/staff.ts';
import { createTestApp, forEachEngine, type Shopper, type TestApp } from '#tests/test-app.ts';

const sku = 'MC-SW-01';

async function order(testApp: TestApp): Promise<string> {
  const session = testApp.shopper();
  await add(testApp, session, sku);
  await visit(testApp, session);
  const { body } = await pay(testApp, session);
  expect(body).toHaveProperty('orderID');
  return body.orderID ?? '';
}

/** Listens to the feed over HTTP. */
async function listen(base: string, as: Shopper, last?: string) {
  const abort = new AbortController();
  closeAtEnd(async () => abort.abort());
  const answer = await fetch(`${base}${staffBase}feed`, {
    headers: { cookie: as.header, accept: 'text/event-stream', ...(last ? { 'last-event-id': last } : {}) },
    signal: abort.signal,
  });
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  let ended = false;
  const hints = () =>
    [...text.matchAll(/^data: (.*)$/gm)].map(([, data = '']) => JSON.parse(data) as FeedHint);
  const ids = () => [...text.matchAll(/^id: (.*)$/gm)].map(([, id = '']) => id);
  async function next(): Promise<void> {
    const part = await reader?.read();
    ended = part?.done ?? true;
    text += part?.value ?? '';
  }
  /** Reads until it has heard of this, and returns how long that took, ms. */
  async function hear(wanted: (hint: FeedHint) => boolean): Promise<number> {
    const from = performance.now();
    while (!hints().some(wanted) && !ended) await next();
    expect(hints().some(wanted)).toBe(true);
    return performance.now() - from;
  }
  async function end(): Promise<void> {
    while (!ended) await next();
  }
  return { status: answer.status, hints, ids, hear, end, close: () => abort.abort() };
}

const beginning = ({ topic }: FeedHint) => topic === '*';
const about = (number: string | undefined) => (hint: FeedHint) =>
  hint.topic === 'order' && hint.subject === number;

forEachEngine((engine) => {
  let testApp: TestApp;
  let other: ShopProcess;
  beforeAll(async () => {
    testApp = await createTestApp({ engine, demo: true, now: Date.now() });
    const { dataDir: DATA_DIR, databaseUrl } = testApp.env;
    other = await startShop({ DATA_DIR, ...(databaseUrl ? { DATABASE_URL: databaseUrl } : {}) });
    return async () => expect(await other.end('SIGTERM')).toBe(0);
  });
  /** Now, because another process looks a quarter of a minute back by its own clock. */
  function orderNow(testApp: TestApp): Promise<string> {
    testApp.clock.set(Date.now());
    return order(testApp);
  }
  const numberOf = async (testApp: TestApp, id: string) =>
    (
      await testApp.db.read
        .selectFrom('orders')
        .select('order_number')
        .where('id', '=', id)
        .executeTakeFirst()
    )?.order_number ?? '';

  it('an order that another process places, or a command moves, is told within seconds, to its store and to nobody else', async () => {
    const here = await joinStaff(testApp, 'here@feed.example', 'assistant', ['toronto-queen-west']);
    const elsewhere = await joinStaff(testApp, 'elsewhere@feed.example', 'assistant', ['ottawa-byward']);
    const writer = await joinStaff(testApp, 'writer@feed.example', 'writer');
    const all = await joinStaff(testApp, 'all@feed.example', 'manager');
    const streams = await Promise.all([here, elsewhere, writer, all].map((as) => listen(other.url, as)));
    for (const stream of streams) await stream.hear(beginning);
    const [mine, others, writers, managers] = streams;

    const number = await numberOf(testApp, await orderNow(testApp));
    expect(await mine?.hear(about(number))).toBeLessThan(5000);
    expect((await shopCommand(testApp, ['orders', 'ready', number])).code).toBe(0);
    // What is marked last is heard by everybody, so that nothing else is on its way to them.
    expect((await shopCommand(testApp, ['sold-out', sku, '--store', 'ottawa-byward'])).code).toBe(0);
    await others?.hear(({ topic }) => topic === 'soldOut');
    testApp.clock.set(Date.now());
    await testApp.container.changes.run({ kind: 'terminal' }, 'settings set', async ({ note }) =>
      note('setting', 'shopName'),
    );
    for (const stream of streams) await stream?.hear(({ topic }) => topic === 'setting');
    expect(managers?.hints().filter(about(number)).length).toBeGreaterThanOrEqual(2);
    expect(mine?.hints().some(({ topic }) => topic === 'soldOut')).toBe(false);
    expect(
      [...(others?.hints() ?? []), ...(writers?.hints() ?? [])].filter(({ topic }) => topic === 'order'),
    ).toEqual([]);
  });

  it('a stream resumes where it was, and ends with its session', async () => {
    const as = await joinStaff(testApp, 'resumes@feed.example', 'manager');
    const first = await listen(other.url, as);
    await first.hear(beginning);
    const known = await numberOf(testApp, await orderNow(testApp));
    await first.hear(about(known));
    const last = first.ids().at(-1) ?? '';
    first.close();
    const missed = await numberOf(testApp, await orderNow(testApp));
    const second = await listen(other.url, as, last);
    await second.hear(about(missed));
    expect(second.hints().some(beginning)).toBe(false);
    await askStaff(testApp, 'signOut', { as });
    await second.end();
    expect((await listen(other.url, as)).status).toBe(401);
  });

  it('each kind is told only to those who may see it, and of a store only to those who work there', async () => {
    const testApp = await createTestApp({ engine, demo: true });
    const at = testApp.clock.now();
    const rows = kinds.flatMap((topic) =>
      [null, 'toronto-queen-west', 'ottawa-byward'].map((store_id) => ({
        at,
        topic,
        subject: `${topic} ${store_id}`,
        store_id,
      })),
    );
    await testApp.db.transaction((trx) => addToFeed(trx, rows));
    const heardBy = async (role: string, stores: string[] | null) => {
      const as = await joinStaff(testApp, `${role}-${stores?.length ?? 'all'}@hears.example`, role, stores);
      await secureStaff(testApp, as);
      const page = await testApp.app.inject({
        url: `${staffBase}feed?since=${at - 1}`,
        headers: { cookie: as.header },
      });
      return (page.json().hints as FeedHint[]).flatMap(({ topic, subject }) =>
        subject.startsWith(topic) ? [subject] : [],
      );
    };
    const everywhere = ['toronto-queen-west', 'ottawa-byward', 'null'];
    const all = (...topics: string[]) =>
      topics.flatMap((topic) => everywhere.map((store) => `${topic} ${store}`));
    const sorted = (subjects: readonly string[]) => [...subjects].sort();
    expect(sorted(await heardBy('packer', null))).toEqual(
      sorted(all('order', 'refund', 'orderView', 'setting', 'store')),
    );
    expect(sorted(await heardBy('packer', ['toronto-queen-west']))).toEqual(
      sorted([
        ...all('orderView', 'setting', 'store'),
        'order toronto-queen-west',
        'refund toronto-queen-west',
      ]),
    );
    const ofOne = await heardBy('manager', ['toronto-queen-west']);
    expect(ofOne).not.toContain('customer null');
    expect(ofOne.filter((subject) => /^(coupon|message|agent|product|staff)/.test(subject))).toEqual([]);
    expect(await heardBy('owner', null)).toEqual(expect.arrayContaining(all('coupon', 'customer', 'staff')));
  });

  it('a stock-take and a drawer of a store are told to nobody of another, who is not told that store’s name', async () => {
    const testApp = await createTestApp({ engine, demo: true });
    const at = testApp.clock.now();
    const owner = await joinStaff(testApp, 'owner@takes.example');
    await secureStaff(testApp, owner);
    const place = 'ottawa-byward';
    const started = await askStaff(testApp, 'startTake', {
      as: owner,
      params: { place },
      body: { key: randomUUID() },
    });
    expect(started.status).toBe(200);
    await testApp.db.transaction((trx) =>
      addChangesToFeed(trx, at, [
        { kind: 'cash', id: `${place} drawer-1` } as Parameters<typeof addChangesToFeed>[2][number],
      ]),
    );
    const heardBy = async (email: string, stores: string[]) => {
      const as = await joinStaff(testApp, email, 'manager', stores);
      await secureStaff(testApp, as);
      const page = await testApp.app.inject({
        url: `${staffBase}feed?since=${at - 1}`,
        headers: { cookie: as.header },
      });
      return (page.json().hints as FeedHint[]).filter(
        ({ topic }) => topic === 'stockTake' || topic === 'cash',
      );
    };
    expect(await heardBy('queen@takes.example', ['toronto-queen-west'])).toEqual([]);
    expect((await heardBy('byward@takes.example', [place])).map(({ topic }) => topic).sort()).toEqual([
      'cash',
      'stockTake',
    ]);
  });

  it('the feed forgets after a day, and whoever was away for longer looks at everything', async () => {
    const testApp = await createTestApp({ engine, demo: true });
    const as = await joinStaff(testApp, 'day@feed.example', 'manager');
    const before = testApp.clock.now();
    await order(testApp);
    const page = () =>
      testApp.app.inject({ url: `${staffBase}feed?since=${before}`, headers: { cookie: as.header } });
    expect((await page()).json().hints).toContainEqual(expect.objectContaining({ topic: 'order' }));
    testApp.clock.advance(dayMs + 1);
    await testApp.container.runMaintenance();
    expect(await testApp.db.read.selectFrom('feed').selectAll().execute()).toEqual([]);
    const again = await joinStaff(testApp, 'next-day@feed.example', 'manager');
    const late = await testApp.app.inject({
      url: `${staffBase}feed?since=${before}`,
      headers: { cookie: again.header },
    });
    expect(late.json().hints).toEqual([{ topic: '*', subject: '', store: null }]);
  });

  it('a person has a dozen streams at most', async () => {
    const testApp = await createTestApp({ engine });
    const base = await testApp.app.listen({ port: 0 });
    const as = await joinStaff(testApp, 'many@feed.example', 'writer');
    const streams = [];
    for (let count = 0; count < 13; count += 1) streams.push(await listen(base, as));
    expect(streams.map(({ status }) => status)).toEqual([...Array<number>(12).fill(200), 429]);
    for (const stream of streams) stream.close();
  });
});
