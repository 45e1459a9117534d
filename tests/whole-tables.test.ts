/** Each read of shop and office, with every field of its query: which tables SQLite reads from one end to the other for it. */
import { StatementSync } from 'node:sqlite';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Endpoint } from '#contract/endpoint.ts';
import { apiBase, clientToken, clientTokenHeader, staffBase, staffToken } from '#contract/limits.ts';
import { endpoints } from '#contract/shop/endpoints.ts';
import { changesOf, type StaffEndpoint } from '#contract/staff/endpoint.ts';
import { staffEndpoints } from '#contract/staff/endpoints.ts';
import { dearest } from './dearest.ts';
import { joinDemo } from './staff.ts';
import { createTestApp, type TestApp } from './test-app.ts';

/** Tables that grow with the goods, the sales and the visitors of a shop. What is left has few rows, or rows of what is open. */
const growing: ReadonlySet<string> = new Set(
  `products skus stock stock_movements product_tags listings customers orders order_lines order_events order_words order_notes order_links
  payments refunds shipments coupon_uses deliveries ledger_entries journal sessions drafts agent_carts settlement_rows searches`.split(
    /\s+/,
  ),
);

/** By call, the tables that it may read whole. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  // Looks at everything, in pieces beside its answer.
  shopLacks: [...growing],
  // Counts by an index that holds nothing else.
  categories: ['products'],
  brands: ['products'],
  tags: ['product_tags'],
};

/** The texts of statements, by the call that sent them. */
async function statementsOf(work: (begin: (call: string) => void) => Promise<void>) {
  const texts = new Map<string, Set<string>>();
  let now = '';
  const methods = ['all', 'get', 'run'] as const;
  const originals = methods.map((name) => Reflect.get(StatementSync.prototype, name) as () => unknown);
  for (const [index, name] of methods.entries())
    Reflect.set(StatementSync.prototype, name, function (this: StatementSync, ...input: unknown[]) {
      const calls = texts.get(this.sourceSQL) ?? new Set();
      texts.set(this.sourceSQL, calls.add(now));
      return Reflect.apply(originals[index] as () => unknown, this, input);
    });
  await work((call) => {
    now = call;
  });
  for (const [index, name] of methods.entries()) Reflect.set(StatementSync.prototype, name, originals[index]);
  return texts;
}

async function firstIds({ db }: TestApp) {
  const first = async (table: string, column = 'id'): Promise<string> => {
    const { rows } = await sql<{ id: string }>`select ${sql.ref(column)} as id from ${sql.table(table)}
      where ${sql.ref(column)} is not null order by 1 limit 1`.execute(db.read);
    return rows[0]?.id ?? 'a';
  };
  const store = await first('stores');
  return {
    byName: { place: store, store, sku: await first('skus'), number: await first('orders', 'order_number') },
    byPath: {
      'stores/': store,
      product: await first('products'),
      goods: await first('products'),
      categor: await first('categories'),
      brand: await first('brands'),
      tag: await first('tags'),
      customers: await first('customers'),
    },
  };
}

test('no read of shop or office reads a table as a whole that grows with the shop', async () => {
  const testApp = await createTestApp({ engine: 'sqlite', demo: true });
  const as = await joinDemo(testApp, 'demo-mei');
  const { byName, byPath } = await firstIds(testApp);
  const known = { text: ['tea'], nameLike: ['tea'], lang: ['zh'], from: ['2026-01-01'], to: ['2026-03-01'] };
  const filled = (path: string) =>
    path.replace(/:(\w+)/g, (_, name: string) => {
      const [, id] = Object.entries(byPath).find(([part]) => path.includes(part)) ?? [];
      return encodeURIComponent((byName as Record<string, string>)[name] ?? id ?? 'a');
    });
  const queryOf = (query: StaffEndpoint['query']) =>
    query
      ? `?${new URLSearchParams(Object.entries(dearest(query, known, 2000) as object).map(([name, value]) => [name, String(value)]))}`
      : '';
  const ask = async ({ route, query, body }: Endpoint | StaffEndpoint, base: string, headers: object) => {
    const [method = '', path = ''] = route.split(' ');
    const payload = body ? { payload: JSON.stringify(dearest(body, known, 4000)) } : {};
    return testApp.app.inject({
      method: method as 'GET' | 'POST',
      url: base + filled(path) + queryOf(query),
      headers: { ...headers, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...payload,
    });
  };
  let answered = 0;
  const texts = await statementsOf(async (begin) => {
    for (const [name, endpoint] of Object.entries<StaffEndpoint>(staffEndpoints)) {
      // The feed does not end.
      if (changesOf(endpoint) || name === 'feed') continue;
      begin(name);
      const headers = { [clientTokenHeader]: staffToken, cookie: as.header };
      answered += Number((await ask(endpoint, staffBase, headers)).statusCode === 200);
    }
    for (const [name, endpoint] of Object.entries<Endpoint>(endpoints)) {
      if (endpoint.changes) continue;
      begin(name);
      answered += Number(
        (await ask(endpoint, apiBase, { [clientTokenHeader]: clientToken })).statusCode === 200,
      );
    }
    begin('tickets');
    await testApp.services.deliveries.run();
  });
  expect(answered).toBeGreaterThan(100);
  // They hold only the rows that are asked for.
  const { rows: partial } = await sql<{ name: string }>`select name from sqlite_master
    where type = 'index' and sql like '% where %'`.execute(testApp.db.read);
  const narrow = new Set(partial.map(({ name }) => name));
  const wholeIn = (detail: string) => {
    const [, table, index = ''] = /^SCAN (\w+)(?: USING (?:COVERING )?INDEX (\w+))?/.exec(detail) ?? [];
    return table && !narrow.has(index) ? [table] : [];
  };
  const found: string[] = [];
  for (const [text, calls] of texts) {
    if (!/^\s*(?:select|with)\b/i.test(text)) continue;
    const { rows } = await sql<{ detail: string }>`explain query plan ${sql.raw(text)}`.execute(
      testApp.db.read,
    );
    const tables = rows.flatMap(({ detail }) => wholeIn(detail));
    for (const table of tables.filter((each) => growing.has(each)))
      for (const call of [...calls].filter((each) => !allowed[each]?.includes(table)))
        found.push(`${call} reads ${table}: ${text}`);
  }
  expect(found).toEqual([]);
});
