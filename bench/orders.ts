/**
 * Measures the pages of orders that the staff read, on a SQLite database of its own or an empty one of PostgreSQL:
 *   node scripts/run.mjs bench/orders.ts --orders 200000 [--postgres postgres://…]
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { sql } from 'kysely';
import { type Database, openDatabase } from '#db/database.ts';
import { migrate } from '#db/migrate.ts';
import { type OrderQuery, orderPage } from '#server/modules/orders/index.ts';
import { putOrders } from '#tests/placed-orders.ts';

const { values } = parseArgs({
  options: { orders: { type: 'string', default: '200000' }, postgres: { type: 'string' } },
});
const count = Number(values.orders);
if (!Number.isInteger(count) || count < 1000 || count > 1_000_000)
  throw new Error('--orders takes 1000 to 1000000');
const firstAt = Date.UTC(2021, 0, 1);
const batch = 5000;
const rounds = 60;
const stores = 5;

const dataDir = mkdtempSync(join(tmpdir(), 'orders-bench-'));
const db = await openDatabase({ dataDir, databaseUrl: values.postgres ?? null, durable: false });
try {
  await migrate(db);
  const began = performance.now();
  await fill(db);
  // PostgreSQL does it by itself after a while.
  if (values.postgres) await sql`vacuum analyze`.execute(db.read);
  console.log(`${count} orders in ${Math.round((performance.now() - began) / 1000)} s`);
  const some = (index: number) => (index * 7919) % count;
  const shapes: Record<string, (round: number) => OrderQuery> = {
    all: () => ({}),
    'open ones': () => ({ states: ['placed', 'reserved', 'ready', 'shipped'] }),
    'a store, a state': () => ({ stores: ['s1'], states: ['completed'] }),
    'a day': (round) => ({ from: placedAt(some(round)), to: placedAt(some(round)) + 86_400_000 }),
    'an email': (round) => ({ text: `buyer${some(round)}@example.com` }),
    'a number': (round) => ({ text: String(some(round)).padStart(6, '0') }),
    'a rare name': (round) => ({ text: `person${some(round) % 5000}` }),
    'a name of one in fifty': () => ({ text: 'wang' }),
    'the beginning of nearly every name': () => ({ text: 'fam' }),
    'that, owing money': () => ({ text: 'fam', owes: true }),
    'the beginning of old numbers': () => ({ text: 'b-2026-0' }),
    'the beginning of all numbers': () => ({ text: 'b-2026-' }),
    'that, open': () => ({ text: 'b-2026-', states: ['placed', 'reserved', 'ready', 'shipped'] }),
    'that, at a store': () => ({ text: 'fam', stores: ['s1'] }),
    'a phone number by its end': (round) => ({ text: String(some(round) % 10_000).padStart(4, '0') }),
    'a name that nobody has': () => ({ text: 'zzyzx' }),
  };
  for (const [name, query] of Object.entries(shapes))
    console.log(`${name.padEnd(34)} p95 ${await p95(query)} ms`);
} finally {
  await db.close();
  rmSync(dataDir, { recursive: true });
}

function placedAt(index: number): number {
  return firstAt + Math.floor((index / count) * 5 * 365 * 86_400_000);
}

async function fill(to: Database): Promise<void> {
  const texts = {
    name: '{}',
    description: '{}',
    address: '{}',
    phone: '',
    email: '',
    time_zone: 'America/Toronto',
    opening_hours: '[]',
  };
  const numbers = { lat: 0, lng: 0, main_store: 0, display: 1, allow_pickup: 1, position: 0 } as const;
  const pickup = {
    pickup_lead_minutes: 0,
    pickup_slot_capacity: 1,
    special_hours: '[]',
    tables: 0,
    image: null,
  };
  await to.transaction(async (trx) => {
    for (let store = 0; store < stores; store++)
      await trx
        .insertInto('stores')
        .values({ id: `s${store}`, ...texts, ...numbers, ...pickup })
        .execute();
  });
  for (let start = 0; start < count; start += batch)
    await to.transaction((trx) =>
      putOrders(
        to,
        trx,
        Array.from({ length: Math.min(batch, count - start) }, (_, offset) => {
          const index = start + offset;
          return {
            id: `bench-${(index * 7919) % count}-${index}`,
            number: `B-2026-${String(index).padStart(6, '0')}`,
            state: index > count - 40 ? 'placed' : index % 9 === 0 ? 'cancelled' : 'completed',
            storeId: `s${index % stores}`,
            placedAt: placedAt(index),
            contact: {
              firstName: `Person${index % 5000}`,
              lastName: index % 50 === 0 ? 'Wang' : `Family${index % 900}`,
              email: `buyer${index}@example.com`,
              phoneNumber: `+1 519 555 ${String(index % 10_000).padStart(4, '0')}`,
            },
          };
        }),
      ),
    );
}

/** Of first pages and of those after them. */
async function p95(query: (round: number) => OrderQuery): Promise<string> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const began = performance.now();
    const { next } = await orderPage(db.read, query(round), null, 50);
    times.push(performance.now() - began);
    if (!next) continue;
    const again = performance.now();
    await orderPage(db.read, query(round), next, 50);
    times.push(performance.now() - again);
  }
  times.sort((a, b) => a - b);
  return (times[Math.floor(times.length * 0.95)] ?? 0).toFixed(1);
}
