/** What the modules report to Prometheus, and that the how-to and the board name exactly these metrics. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { EngineName } from '#db/database.ts';
import { createContainer } from '#server/container.ts';
import { cacheMetrics, RequestMetrics } from '#server/http/request-metrics.ts';
import type { MetricSource } from '#server/platform/telemetry/metric.ts';
import { countAfterCommit } from '#server/platform/telemetry/metric.ts';
import { watchDatabase } from '#server/platform/telemetry/telemetry.ts';
import { noTracer } from '#server/platform/telemetry/tracer.ts';
import { crashDuringPayment } from './payment-actions.ts';
import { sellProduct } from './products.ts';
import { add, cards, pay, reserve, setUnits, shopperWithCart, visit } from './shop-actions.ts';
import { createTestApp, forEachEngine, type TestApp } from './test-app.ts';

const mug = 'MUG-OAT';
const read = (path: string) => readFileSync(join(import.meta.dirname, '..', path), 'utf8');

async function watchedShop(
  engine: EngineName,
): Promise<{ testApp: TestApp; sources: () => readonly MetricSource[] }> {
  const watched: MetricSource[] = [];
  const testApp = await createTestApp({
    engine,
    demo: true,
    services: (deps) => {
      const { db, metrics } = watchDatabase(deps.db, noTracer);
      watched.push(metrics);
      return createContainer({ ...deps, db });
    },
  });
  return {
    testApp,
    sources: () => [...watched, ...testApp.services.modules.flatMap(({ metrics = [] }) => metrics)],
  };
}

/** The values of a metric by the values of its labels. */
async function readMetric(sources: readonly MetricSource[], name: string): Promise<Record<string, number>> {
  for (const source of sources) {
    const metric = source.metrics.find((each) => each.name === name);
    if (!metric || metric.type === 'histogram') continue;
    await source.refresh?.();
    return Object.fromEntries(
      metric.samples().map(({ labels = {}, value }) => [Object.values(labels).join(' '), value]),
    );
  }
  throw new Error(`no metric ${name}`);
}

forEachEngine((engine) => {
  test('orders, payments and unsent emails are counted once each, after their transaction', async () => {
    const { testApp, sources } = await watchedShop(engine);
    await sellProduct(testApp, mug);
    await setUnits(testApp, mug, 50);
    const counts = (name: string) => readMetric(sources(), name);
    expect(await counts('shopwright_payments_open')).toEqual({});

    const paid = await shopperWithCart(testApp, mug);
    expect((await pay(testApp, paid)).status).toBe(200);
    expect((await pay(testApp, paid)).status).toBe(200);
    const declined = await shopperWithCart(testApp, mug);
    expect((await pay(testApp, declined, cards.decline)).status).toBe(402);
    await setUnits(testApp, mug, 50, 'toronto-queen-west');
    const visitor = testApp.shopper();
    await add(testApp, visitor, mug);
    await visit(testApp, visitor);
    expect((await reserve(testApp, visitor)).status).toBe(200);
    await setUnits(testApp, mug, 50);
    await crashDuringPayment(testApp, await shopperWithCart(testApp, mug), false);
    testApp.clock.advance(60_000);

    expect(await counts('shopwright_orders_placed_total')).toEqual({
      'shipping online': 1,
      'pickup store': 1,
    });
    expect(await counts('shopwright_payments_total')).toEqual({ 'house succeeded': 1, 'house failed': 1 });
    expect(await counts('shopwright_payments_open')).toEqual({ 'house pending': 1 });
    expect(await counts('shopwright_payments_oldest_seconds')).toEqual({ 'house pending': 60 });
    const { waiting, failed } = await counts('shopwright_mail_outbox');
    expect([waiting, failed]).toEqual([expect.any(Number), 0]);
    expect(waiting).toBeGreaterThanOrEqual(2);
    expect(await counts('shopwright_mail_oldest_seconds')).toEqual({ '': 60 });
    await testApp.services.deliveries.run();
    expect(await counts('shopwright_mail_outbox')).toEqual({ waiting: 0, failed: 0 });
    const transactions = await counts('shopwright_database_transactions_total');
    expect(transactions.committed).toBeGreaterThan(10);
    if (engine === 'postgres')
      expect(Object.keys(await counts('shopwright_database_connections'))).toEqual([
        'used',
        'idle',
        'waiting',
      ]);
  });

  test('a transaction that is rolled back counts nothing, and a committed one counts once', async () => {
    const { db } = await createTestApp({ engine });
    const watched = watchDatabase(db, noTracer);
    let counted = 0;
    const rolledBack = watched.db.transaction(async (trx) => {
      countAfterCommit(trx, () => {
        counted += 1;
      });
      throw new Error('the stock is gone');
    });
    await expect(rolledBack).rejects.toThrow('the stock is gone');
    expect(counted).toBe(0);
    await watched.db.transaction(async (trx) =>
      countAfterCommit(trx, () => {
        counted += 1;
      }),
    );
    expect(counted).toBe(1);
    const transactions = await readMetric([watched.metrics], 'shopwright_database_transactions_total');
    expect(transactions).toEqual({ 'rolled back': 1, committed: 1 });
  });
});

describe('the documentation of metrics', () => {
  const own = (text: string) => new Set(text.match(/shopwright_[a-z_]+[a-z]/g));

  test('the how-to lists every metric of the server, and no other', async () => {
    const { testApp, sources } = await watchedShop('postgres');
    const all = [...sources(), new RequestMetrics().source, cacheMetrics(testApp.app.contract.cache)];
    const names = all.flatMap(({ metrics }) => metrics.map(({ name }) => name));
    const listed = own(read('docs/how-to/watch-a-shop.md').split('## Board')[0] ?? '');
    listed.delete('shopwright_orders');
    expect([...listed].sort()).toEqual([...names, 'shopwright_metrics_source_up'].sort());
  });

  test('the board of Grafana and the alerts ask for listed metrics only', () => {
    const [listed = '', alerts = ''] = read('docs/how-to/watch-a-shop.md').split('## Board');
    const known = own(listed);
    const board = JSON.parse(read('docs/grafana-board.json')) as {
      panels: { title: string; targets: { expr: string }[] }[];
    };
    const asked = own(
      board.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)).join('\n') + alerts,
    );
    const withoutEndings = [...asked].map((name) => name.replace(/(?<=_seconds)_bucket$/, ''));
    expect(withoutEndings.filter((name) => !known.has(name))).toEqual([]);
    expect(withoutEndings.length).toBeGreaterThan(15);
  });
});
