/** Staff of one store find nothing of another's by its ids, whichever call they try. New calls join by themselves. */
import fc from 'fast-check';
import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { clientTokenHeader, staffBase, staffToken } from '#contract/limits.ts';
import type { StaffEndpoint } from '#contract/staff/endpoint.ts';
import { type StaffEndpointName, staffEndpoints } from '#contract/staff/endpoints.ts';
import { repeats } from '#tests/long.ts';
import { roughly } from '#tests/schema-arbitrary.ts';
import { joinStaff, secureStaff } from '#tests/staff.ts';
import { createTestApp, onOneEngine, type Shopper, type TestApp } from '#tests/test-app.ts';
import { everyTable, textOf } from '#tests/whole-database.ts';

/** Bodies that are tried with each id; about half fit the schema. */
const bodies = repeats(2, 6);
const withParams = (Object.entries(staffEndpoints) as [StaffEndpointName, StaffEndpoint][]).filter(
  ([, { params, needs }]) => params && needs !== 'nobody' && needs !== 'anybody',
);

onOneEngine((engine) => {
  let testApp: TestApp;
  let manager: Shopper;
  let ids: string[];
  let stored: string;

  const tables = async () =>
    textOf([...(await everyTable(testApp))].filter(([table]) => table !== 'staff_sessions'));

  beforeAll(async () => {
    testApp = await createTestApp({ engine, demo: true });
    manager = await joinStaff(testApp, 'ottawa@shop.example', 'manager', ['ottawa-byward']);
    await secureStaff(testApp, manager);
    // The demo's orders are those of other stores.
    const orders = await testApp.db.read
      .selectFrom('orders')
      .select(['id', 'order_number', 'store_id'])
      .where('order_number', 'is not', null)
      .execute();
    expect(orders.map(({ store_id }) => store_id)).not.toContain('ottawa-byward');
    const parts = await sql<{ id: string }>`select id from payments union select id from refunds`.execute(
      testApp.db.read,
    );
    ids = [
      ...orders.flatMap(({ id, order_number }) => [id, String(order_number)]),
      ...parts.rows.map(({ id }) => String(id)),
      'demo-noah',
      'toronto-queen-west',
    ];
    expect(ids.length).toBeGreaterThan(7);
    stored = await tables();
  });

  test.each(withParams)(
    'the staff call %s answers staff of another store as if there were nothing',
    async (_name, endpoint) => {
      const [method, path = ''] = endpoint.route.split(' ');
      const given = endpoint.body
        ? fc.sample(roughly(endpoint.body, {}), { numRuns: bodies, seed: 2026 })
        : [undefined];
      for (const id of ids)
        for (const body of given) {
          const answer = await testApp.app.inject({
            method: method as 'GET',
            url: staffBase + path.replace(/:\w+/g, encodeURIComponent(id)),
            headers: {
              [clientTokenHeader]: staffToken,
              cookie: manager.header,
              ...(body === undefined ? {} : { 'content-type': 'application/json' }),
            },
            ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
          });
          expect([400, 403, 404], `${id} ${answer.body.slice(0, 200)}`).toContain(answer.statusCode);
        }
      const before = stored;
      stored = await tables();
      expect(stored === before).toBe(true);
    },
  );
});
