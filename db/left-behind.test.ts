/** Walks what people leave behind: the rows that name them, before and after they are changed, blocked or erased. */
import { type RawBuilder, sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { staffBase } from '#contract/limits.ts';
import { register } from '#tests/accounts.ts';
import { sellProduct } from '#tests/products.ts';
import { add, visit } from '#tests/shop-actions.ts';
import { askStaff, joinDemo, joinStaff } from '#tests/staff.ts';
import { createTestApp, type Shopper, type TestApp } from '#tests/test-app.ts';
import type { Trx } from './database.ts';
import { type Fate, leftByCustomers, leftByStaff, leftElsewhere, namesNobody } from './left-behind.ts';

/** Columns that name a person of the staff or a customer. */
const personal =
  /^(staff_id|person_id|customer_id|\w+_by|actor|owner|email_key|email_hash|reply_to|session_hash|liker|recipient)$/;
const tablesOf = async ({ db }: TestApp) => {
  const tables = await db.read.introspection.getTables();
  return tables.map(({ name, columns }) => ({ name, columns }));
};

it('every column that names a person says what becomes of it', async () => {
  const testApp = await createTestApp({ engine: 'sqlite' });
  const named = new Set<string>();
  for (const { name, columns } of await tablesOf(testApp)) {
    const { rows } = await sql<{
      from: string;
      table: string;
    }>`select "from", "table" from pragma_foreign_key_list(${name})`.execute(testApp.db.read);
    for (const { from, table } of rows)
      if (['staff', 'customers', 'staff_sessions', 'sessions'].includes(table)) named.add(`${name}.${from}`);
    for (const column of columns) if (personal.test(column.name)) named.add(`${name}.${column.name}`);
  }
  // Without a reference, because a station has devices that are told of orders, too.
  named.add('staff_push.session_id');
  const said = [leftByStaff, leftByCustomers, namesNobody].flatMap((each) => Object.keys(each));
  expect([...named].filter((each) => !said.includes(each))).toEqual([]);
  expect(said.filter((each) => !named.has(each))).toEqual([]);
});

/** A row that names the person, whatever else the table wants. */
async function seed(
  testApp: TestApp,
  trx: Trx,
  place: string,
  value: string,
  known: Record<string, string>,
): Promise<void> {
  const [table = '', named = ''] = place.split('.');
  const found = (await tablesOf(testApp)).find(({ name }) => name === table);
  const values = (found?.columns ?? []).flatMap((column): [string, string | number][] => {
    if (column.name === named) return [[named, value]];
    if (known[column.name] !== undefined && !column.isNullable)
      return [[column.name, known[column.name] ?? '']];
    // SQLite calls every key of one column nullable.
    const isKey = /^(id|\w*hash)$/.test(column.name);
    if ((column.isNullable && !isKey) || column.hasDefaultValue || column.isAutoIncrementing) return [];
    return [
      [
        column.name,
        /int|real|num/i.test(column.dataType)
          ? /(^|_)at$|until$/.test(column.name)
            ? 4e12
            : 0
          : `${table} ${place}`,
      ],
    ];
  });
  const columns = sql.join(values.map(([name]) => sql.ref(name)));
  await sql`insert into ${sql.table(table)} (${columns}) values (${sql.join(values.map(([, each]) => each as unknown as RawBuilder<string>))})`.execute(
    trx,
  );
}

async function count({ db }: TestApp, place: string, value: string | null): Promise<number> {
  const [table = '', column = ''] = place.split('.');
  const where = value === null ? sql`` : sql`where ${sql.ref(column)} = ${value}`;
  const { rows } = await sql<{
    count: number;
  }>`select count(*) as count from ${sql.table(table)} ${where}`.execute(db.read);
  return Number(rows[0]?.count);
}

/** What becomes of a row of each place in an event. */
async function walk(
  testApp: TestApp,
  places: ReadonlyMap<string, string>,
  known: Record<string, string>,
  event: () => Promise<unknown>,
) {
  for (const [place, value] of places) {
    if ((await count(testApp, place, value)) > 0) continue;
    await testApp.db
      .transaction((trx) => seed(testApp, trx, place, value, known))
      .catch((error: unknown) => {
        throw new Error(`${place} cannot be seeded`, { cause: error });
      });
  }
  const all = new Map<string, number>();
  for (const place of places.keys()) all.set(place, await count(testApp, place, null));
  await event();
  const became: Record<string, string> = {};
  for (const [place, value] of places) {
    const [left, rows] = [await count(testApp, place, value), await count(testApp, place, null)];
    became[place] = left > 0 ? 'there' : rows < (all.get(place) ?? 0) ? 'gone' : 'unnamed';
  }
  return became;
}

/** As it can be seen in the tables. */
const seenAs: Readonly<Record<Fate, readonly string[]>> = {
  ends: ['gone', 'unnamed'],
  asked: ['there'],
  stays: ['there'],
  unnamed: ['unnamed'],
};

function compare(became: Record<string, string>, fates: Readonly<Record<string, Fate>>): void {
  const wrong = Object.entries(fates).filter(([place, fate]) => !seenAs[fate].includes(became[place] ?? ''));
  expect(wrong.map(([place, fate]) => `${place} ${fate}, but is ${became[place]}`)).toEqual([]);
}

/** The cart of somebody else. */
async function orderOf(testApp: TestApp): Promise<string> {
  const { orderID } = (await add(testApp, testApp.shopper(), 'MC-SW-01')).body;
  return orderID ?? '';
}

describe('a person of the staff', () => {
  it.each(['changed', 'blocked', 'erased'] as const)(
    'everything of a person who is %s becomes what the table says',
    async (event) => {
      const testApp = await createTestApp({ engine: 'sqlite', demo: true });
      const email = 'leaves@shop.example';
      await joinStaff(testApp, email, 'manager', ['toronto-queen-west']);
      const read = testApp.db.read;
      const { id } = await read
        .selectFrom('staff')
        .select('id')
        .where('email', '=', email)
        .executeTakeFirstOrThrow();
      const session = await read
        .selectFrom('staff_sessions')
        .select('id')
        .where('staff_id', '=', id)
        .executeTakeFirstOrThrow();
      const customer = await register(testApp);
      const nameIn = (place: string) => {
        if (place.endsWith('email_key')) return email;
        if (place.endsWith('session_id')) return session.id;
        return /actor|owner|^stock_takes|^ledger_periods/.test(place) ? `staff:${id}` : id;
      };
      const places = new Map(Object.keys(leftByStaff).map((place) => [place, nameIn(place)]));
      const known = {
        order_id: await orderOf(testApp),
        customer_id: customer.id,
        store_id: 'toronto-queen-west',
        bank_line_id: 'bank_lines bank_lines.actor',
      };
      const mei = await joinDemo(testApp, 'demo-mei');
      const change = (body: object) => askStaff(testApp, 'changeStaff', { as: mei, params: { id }, body });
      const became = await walk(testApp, places, known, async () => {
        if (event === 'changed') expect((await change({ role: 'assistant' })).status).toBe(200);
        if (event === 'blocked') expect((await change({ blocked: true })).status).toBe(200);
        if (event !== 'erased') return;
        // Only the demo's people are ever deleted.
        await testApp.db.transaction((trx) =>
          trx.updateTable('staff').set({ password_hash: '' }).where('id', '=', id).execute(),
        );
        await testApp.container.demoStaff.withdraw();
        await testApp.container.runMaintenance();
      });
      compare(
        became,
        Object.fromEntries(Object.entries(leftByStaff).map(([place, fates]) => [place, fates[event]])),
      );
    },
  );
});

describe('a customer', () => {
  it.each(['blocked', 'erased'] as const)(
    'everything of a customer who is %s becomes what the table says',
    async (event) => {
      const testApp = await createTestApp({ engine: 'sqlite', demo: true });
      const { id, email } = await register(testApp);
      const nameIn = (place: string) =>
        /email_key|recipient|reply_to/.test(place)
          ? email
          : place === 'blog_likes.liker'
            ? `customer:${id}`
            : id;
      const places = new Map(Object.keys(leftByCustomers).map((place) => [place, nameIn(place)]));
      const read = testApp.db.read;
      const { code_key } = await read.selectFrom('coupons').select('code_key').executeTakeFirstOrThrow();
      const post = await read.selectFrom('blog_posts').select('id').executeTakeFirstOrThrow();
      const known = { order_id: await orderOf(testApp), code_key, post_id: post.id };
      const became = await walk(testApp, places, known, async () => {
        if (event === 'blocked') await testApp.services.accounts.fulfilment.setBlocked(email, true);
        else await testApp.services.accounts.fulfilment.erase(email);
      });
      compare(
        became,
        Object.fromEntries(Object.entries(leftByCustomers).map(([place, fates]) => [place, fates[event]])),
      );
    },
  );
});

describe('what names nobody in a table', () => {
  const told: Record<string, () => Promise<Record<string, Fate>>> = {
    async 'the link of a file that staff export'() {
      const testApp = await createTestApp({ engine: 'sqlite', demo: true });
      const mei = await joinDemo(testApp, 'demo-mei');
      const became: Record<string, Fate> = {};
      for (const event of ['changed', 'blocked', 'erased'] as const) {
        const as = await joinStaff(testApp, `${event}@shop.example`, 'manager');
        const { id } = await testApp.db.read
          .selectFrom('staff')
          .select('id')
          .where('email', '=', `${event}@shop.example`)
          .executeTakeFirstOrThrow();
        const { ticket } = (
          await askStaff(testApp, 'exportGoods', { as, body: { table: 'products', form: 'own', filter: {} } })
        ).body;
        const load = async () =>
          (
            await testApp.app.inject({
              url: `${staffBase}exports/file?ticket=${ticket}`,
              headers: { cookie: as.header },
            })
          ).statusCode;
        expect(await load()).toBe(200);
        const change = (body: object) => askStaff(testApp, 'changeStaff', { as: mei, params: { id }, body });
        if (event === 'changed')
          expect((await change({ role: await roleWithout(testApp, mei) })).status).toBe(200);
        if (event === 'blocked') expect((await change({ blocked: true })).status).toBe(200);
        if (event === 'erased')
          await testApp.db.transaction((trx) =>
            trx.deleteFrom('staff_sessions').where('staff_id', '=', id).execute(),
          );
        became[event] = (await load()) === 200 ? 'stays' : 'asked';
      }
      return became;
    },

    async 'the time at which a draft is published'() {
      const became: Record<string, Fate> = {};
      for (const event of ['changed', 'blocked', 'erased'] as const) {
        const testApp = await createTestApp({ engine: 'sqlite', demo: true });
        const mei = await joinDemo(testApp, 'demo-mei');
        const as = await joinStaff(testApp, 'manager@shop.example', 'manager');
        const body = { id: 'tomorrow', title: { en: 'Tomorrow' }, beginning: 'blank' };
        const { revision } = (await askStaff(testApp, 'addPage', { as, body })).body;
        const block = {
          id: 'words',
          type: 'text',
          title: null,
          items: [],
          paragraphs: [{ en: 'Open tomorrow' }],
        };
        const edits = [{ path: ['blocks', 'words'], to: block }];
        const params = { id: 'tomorrow' };
        const { revision: seen } = (
          await askStaff(testApp, 'savePage', { as, params, body: { revision, edits } })
        ).body;
        const at = testApp.clock.now() + 60 * 60_000;
        expect((await askStaff(testApp, 'publishPage', { as, params, body: { seen, at } })).status).toBe(200);
        const { id } = await testApp.db.read
          .selectFrom('staff')
          .select('id')
          .where('email', '=', 'manager@shop.example')
          .executeTakeFirstOrThrow();
        const change = (given: object) =>
          askStaff(testApp, 'changeStaff', { as: mei, params: { id }, body: given });
        if (event === 'changed') expect((await change({ role: 'assistant' })).status).toBe(200);
        if (event === 'blocked') expect((await change({ blocked: true })).status).toBe(200);
        if (event === 'erased')
          await testApp.db.transaction((trx) => trx.deleteFrom('staff').where('id', '=', id).execute());
        testApp.clock.advance(2 * 60 * 60_000);
        await testApp.container.runMaintenance();
        const { status } = await testApp.ask('pageContent', { query: { pageName: 'tomorrow' } });
        became[event] = status === 200 ? 'stays' : 'ends';
      }
      return became;
    },

    async 'the links to orders in mails'() {
      const became: Record<string, Fate> = {};
      for (const event of ['blocked', 'erased'] as const) {
        const testApp = await createTestApp({
          engine: 'sqlite',
          demo: true,
          env: { PUBLIC_URL: 'https://shop.example' },
        });
        const { session, email } = await register(testApp);
        await sellProduct(testApp, 'MUG');
        await add(testApp, session, 'MUG');
        await visit(testApp, session);
        const { orderID } = await testApp.call('reserve', { session });
        const token = 'a-link-that-was-in-a-mail-of-this-order-0001';
        await testApp.container.orderLinks.ensureReading(orderID ?? '', token);
        const open = async () =>
          (await testApp.ask('orderLink', { session: testApp.shopper(), params: { token } })).status;
        expect(await open()).toBe(200);
        if (event === 'blocked') await testApp.services.accounts.fulfilment.setBlocked(email, true);
        else await testApp.services.accounts.fulfilment.erase(email);
        became[event] = (await open()) === 200 ? 'stays' : 'ends';
      }
      return became;
    },
  };

  it.each(Object.keys(leftElsewhere))('%s becomes what the table says', async (what) => {
    expect(await told[what]?.()).toEqual(leftElsewhere[what]);
  });
});

/** Of one's own making, without the goods. */
async function roleWithout(testApp: TestApp, as: Shopper): Promise<string> {
  const { body } = await askStaff(testApp, 'addRole', {
    as,
    body: { name: 'Orders', permissions: ['orders.read'] },
  });
  return body.roles.at(-1)?.id ?? '';
}
