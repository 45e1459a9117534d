/**
 * A merchant's heavy work in a large shop, beside shoppers (`npm run bench -- merchant [--products 50000] [--orders 100000]
 * [--postgres postgres://…/empty]`): two processes serve one database. The staff work on one of them, and a shopper of each loads a
 * page and changes a cart, again and again; the shopper of that process is the one that a bar is for.
 */
import { randomUUID } from 'node:crypto';
import http from 'node:http';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import {
  apiBase,
  clientToken,
  clientTokenHeader,
  requestKeyHeader,
  staffBase,
  staffToken,
  warehouse,
} from '#contract/limits.ts';
import type { ImportAnswer } from '#contract/staff/imports.ts';
import type { ShopLacks } from '#contract/staff/settings.ts';
import { insertMany, type NewRows, type SqlValue } from '#db/bulk-writes.ts';
import { type Database, openDatabase, type Trx } from '#db/database.ts';
import { putOrders } from '#tests/placed-orders.ts';
import { runScript, type Server, temporaryFolder } from './servers.ts';

export interface LargeShopOptions {
  products: number;
  orders: number;
  /** Of PostgreSQL, empty; null: SQLite. */
  databaseUrl: string | null;
  startShop: (env: Record<string, string>) => Promise<Server>;
}

const root = path.resolve(import.meta.dirname, '..');
/** Of a shopper beside the work, the 95th percentile, ms. */
const shopperBar = 20;
/** Orders that are written at once. */
const batch = 2000;
/** Rows of the file of stock, and SKUs that a stock-take counts. */
const [fileRows, counted] = [20_000, 2000];
const ownSku = 'MC-CM-01-OAT';

/** Placed over a year, of two lines each and paid at the counter. */
async function fillOrders(db: Database, count: number): Promise<void> {
  const skus = await db.read
    .selectFrom('skus')
    .select(['id', 'product_id'])
    .where('counted', '=', 1)
    .orderBy('id')
    .limit(5000)
    .execute();
  const store = await db.read.selectFrom('stores').select('id').orderBy('position').executeTakeFirstOrThrow();
  const year = 365 * 86_400_000;
  const firstAt = Date.now() - year;
  for (let start = 0; start < count; start += batch) {
    const orders = Array.from({ length: Math.min(batch, count - start) }, (_, offset) => {
      const index = start + offset;
      return {
        id: `bench-${index}`,
        number: `B-2026-${String(index).padStart(6, '0')}`,
        state: index > count - 40 ? 'placed' : index % 9 === 0 ? 'cancelled' : 'completed',
        storeId: store.id,
        placedAt: firstAt + Math.floor((index / count) * year),
        contact: {
          firstName: `Person${index % 5000}`,
          lastName: `Family${index % 900}`,
          email: `buyer${index}@example.com`,
          phoneNumber: `+1 519 555 ${String(index % 10_000).padStart(4, '0')}`,
        },
      };
    });
    await db.transaction(async (trx) => {
      await putOrders(db, trx, orders);
      await putLines(
        db,
        trx,
        orders.flatMap(({ id }, index) =>
          [0, 1].map((position) => ({
            id,
            position,
            sku: skus[(start + index * 2 + position) % skus.length],
          })),
        ),
      );
      await putRows(
        db,
        trx,
        'payments',
        orders.map(({ id, placedAt }) => ({
          id: `pay-${id}`,
          order_id: id,
          provider: 'counter',
          provider_reference: `ref-${id}`,
          amount_cents: 2500,
          currency: 'CAD',
          kind: 'cash',
          state: 'approved',
          created_at: placedAt,
          updated_at: placedAt,
        })),
      );
    });
  }
  if (db.engine === 'postgres') await sql`vacuum analyze`.execute(db.read);
}

interface NewLine {
  id: string;
  position: number;
  sku: { id: string; product_id: string } | undefined;
}

const putLines = (db: Database, trx: Trx, lines: readonly NewLine[]) =>
  putRows(
    db,
    trx,
    'order_lines',
    lines.map(({ id, position, sku }) => ({
      id: `${id}-${position}`,
      order_id: id,
      identity: `${sku?.id}-${position}`,
      sku: sku?.id ?? '',
      product_id: sku?.product_id ?? '',
      quantity: 1,
      position,
      name: '{"en":"A cup","zh":"杯子"}',
      brand: '{"en":"Bench","zh":"坊"}',
      option_pairs: '',
      option_text: '{"en":"","zh":""}',
      unit_price_cents: 1250,
      tax_class: 'standard',
    })),
  );

/** Rows of the same columns. */
const putRows = (db: Database, trx: Trx, into: NewRows['into'], rows: readonly Record<string, SqlValue>[]) =>
  insertMany(db, trx, {
    into,
    columns: Object.keys(rows[0] ?? {}),
    rows: rows.map((row) => Object.values(row)),
  });

interface Answer {
  status: number;
  body: Buffer;
  cookie: string | undefined;
}

/** A browser of its own. */
class Browser {
  readonly #agent = new http.Agent({ keepAlive: true });
  readonly #url: string;
  readonly #headers: Record<string, string>;
  #cookie: string | undefined;

  constructor(url: string, headers: Record<string, string>) {
    this.#url = url;
    this.#headers = headers;
  }

  async ask(method: string, address: string, body?: object | Buffer): Promise<Answer> {
    const sent = body === undefined || Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body));
    const type = Buffer.isBuffer(body) ? 'application/octet-stream' : 'application/json';
    const answer = await new Promise<Answer>((resolve, reject) => {
      const request = http.request(
        new URL(address, this.#url),
        {
          method,
          agent: this.#agent,
          headers: {
            ...this.#headers,
            [requestKeyHeader]: randomUUID(),
            ...(sent ? { 'content-type': type, 'content-length': sent.length } : {}),
            ...(this.#cookie ? { cookie: this.#cookie } : {}),
          },
        },
        (response) => {
          const parts: Buffer[] = [];
          response.on('data', (part: Buffer) => parts.push(part));
          response.once('error', reject);
          response.once('end', () => {
            const cookie = response.headers['set-cookie']?.[0]?.split(';')[0];
            resolve({ status: response.statusCode ?? 0, body: Buffer.concat(parts), cookie });
          });
        },
      );
      request.once('error', reject);
      request.end(sent);
    });
    this.#cookie = answer.cookie ?? this.#cookie;
    if (answer.status !== 200)
      throw new Error(
        `${method} ${address} answered ${answer.status}: ${answer.body.toString().slice(0, 300)}`,
      );
    return answer;
  }

  async json<T>(method: string, address: string, body?: object | Buffer): Promise<T> {
    return JSON.parse((await this.ask(method, address, body)).body.toString()) as T;
  }

  end(): void {
    this.#agent.destroy();
  }
}

let shoppers = 0;

/** Loads a page and changes a cart in turn until `ended`. Returns how long each took, ms. */
async function shop(url: string, ended: Promise<unknown>): Promise<number[]> {
  shoppers += 1;
  const shopper = new Browser(url, {
    [clientTokenHeader]: clientToken,
    'x-forwarded-for': `10.1.${shoppers >> 8}.${shoppers & 255}`,
  });
  const cart = `${apiBase}shoppingManagement4/myCart/${ownSku}`;
  await shopper.ask('POST', cart, { quantity: 1 });
  let isOver = false;
  void ended.finally(() => {
    isOver = true;
  });
  const times: number[] = [];
  while (!isOver || times.length < 100) {
    const begun = performance.now();
    if (times.length % 2 === 0) await shopper.ask('GET', '/product/speckled-mug');
    else await shopper.ask('PUT', cart, { quantity: 1 + (times.length % 5) });
    times.push(performance.now() - begun);
    await pause(5);
  }
  shopper.end();
  return times;
}

interface Work {
  what: string;
  run(): Promise<string>;
}

const p95 = (times: readonly number[]) =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? Number.NaN;

/** Whether the shopper beside it was quick. */
async function measure({ what, run }: Work, servers: readonly Server[]): Promise<boolean> {
  const begun = performance.now();
  const work = run();
  const beside = Promise.all(servers.map(({ url }) => shop(url, work)));
  const said = await work;
  const took = performance.now() - begun;
  const [own = Number.NaN, other = Number.NaN] = (await beside).map(p95);
  const isMet = own <= shopperBar;
  process.stdout.write(
    `| ${what} | ${(took / 1000).toFixed(2)} s | ${said} | ${own.toFixed(1)} | ${other.toFixed(1)} | ${isMet ? 'met' : '**not met**'} |\n`,
  );
  return isMet;
}

const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`;

/** Exports, findings, searches of stock and of the shop, a file of stock, and a stock-take. */
async function works(staff: Browser, db: Database): Promise<Work[]> {
  const office = (address: string) => staffBase + address;
  const file = async (address: string, body: object): Promise<string> => {
    const { ticket } = await staff.json<{ ticket: string }>('POST', office(address), body);
    return megabytes((await staff.ask('GET', office(`exports/file?ticket=${ticket}`))).body.length);
  };
  const goods = (table: string, form: string) => () => file('exports/goods', { table, form, filter: {} });
  const people = (table: string) => () => file('exports/people', { table });
  const skus = await db.read
    .selectFrom('skus')
    .select('id')
    .where('counted', '=', 1)
    .where('id', '<>', ownSku)
    .orderBy('id')
    .limit(fileRows)
    .execute();
  const state = async (id: string, wanted: RegExp): Promise<ImportAnswer> => {
    for (;;) {
      const now = await staff.json<ImportAnswer>('GET', office(`imports/${id}`));
      if (wanted.test(now.state)) return now;
      if (now.state === 'failed') throw new Error(JSON.stringify(now));
      await pause(100);
    }
  };
  let imported = '';
  return [
    { what: 'export of products, own form', run: goods('products', 'own') },
    { what: 'export of products, Shopify’s form', run: goods('products', 'shopify') },
    { what: 'export of stock', run: goods('stock', 'own') },
    { what: 'export of orders', run: people('orders') },
    { what: 'export of customers', run: people('customers') },
    { what: 'archive of the shop', run: () => file('exports/shop', {}) },
    {
      what: 'what the shop finds',
      run: async () => {
        for (;;) {
          const { found, looking } = await staff.json<ShopLacks>('GET', office('setup'));
          if (found && !looking) return `${found.checked} records`;
          await pause(100);
        }
      },
    },
    {
      what: 'stock search, the slowest of each word',
      run: async () => {
        const slowest = async (text: string) => {
          const times: number[] = [];
          for (let round = 0; round < 5; round++) {
            const begun = performance.now();
            await staff.ask('GET', office(`stock/${warehouse}?text=${encodeURIComponent(text)}`));
            times.push(performance.now() - begun);
          }
          return `${text} ${Math.max(...times).toFixed(0)} ms`;
        };
        const said: string[] = [];
        for (const text of ['tea', 'te', 'cup celadon', '茶', 'MC-', 'zzyzx']) said.push(await slowest(text));
        return said.join(', ');
      },
    },
    {
      what: `a file of stock of ${fileRows.toLocaleString('en')} rows, judged and imported`,
      run: async () => {
        const rows = skus.map(({ id }, index) => `${id},${index % 90}`);
        const csv = Buffer.from(`SKU,${warehouse}\n${rows.join('\n')}\n`);
        const { id, kind } = await staff.json<ImportAnswer>('POST', office('imports?name=stock.csv'), csv);
        imported = id;
        const { version } = await state(id, /^judged$/);
        await staff.ask('POST', office(`imports/${id}/apply`), { seen: version });
        const { counts } = await state(id, /^done$/);
        return `${kind}, ${JSON.stringify(counts)}`;
      },
    },
    {
      what: 'that import taken back',
      run: async () => {
        await staff.ask('POST', office(`imports/${imported}/take-back`));
        return (await state(imported, /^takenBack$/)).state;
      },
    },
    {
      what: `a stock-take of ${counted.toLocaleString('en')} SKUs, counted and booked`,
      run: async () => {
        const { id } = await staff.json<{ id: string }>('POST', office(`stock-takes/of/${warehouse}`), {
          key: randomUUID(),
        });
        const all = skus.slice(0, counted).map((sku, index) => ({
          id: randomUUID(),
          code: sku.id,
          units: index % 60,
          at: Date.now(),
        }));
        for (let at = 0; at < all.length; at += 200)
          await staff.ask('POST', office(`stock-takes/${id}/counts`), {
            now: Date.now(),
            counts: all.slice(at, at + 200),
          });
        for (;;) {
          const take = await staff.json<{ state: string; counts: number }>(
            'POST',
            office(`stock-takes/${id}/book`),
            {
              counts: all.length,
            },
          );
          if (take.state === 'booked') return take.state;
        }
      },
    },
  ];
}

export async function runMerchant({
  products,
  orders,
  databaseUrl,
  startShop,
}: LargeShopOptions): Promise<boolean> {
  const { folder, remove } = temporaryFolder();
  const env: Record<string, string> = {
    DATA_DIR: folder,
    PORT: '0',
    LOG_LEVEL: 'warn',
    DEMO: '1',
    DEMO_PAST: '0',
    PROXY_HOPS: '1',
    ...(databaseUrl === null ? {} : { DATABASE_URL: databaseUrl }),
  };
  const servers: Server[] = [];
  let staff: Browser | undefined;
  let db: Database | undefined;
  try {
    await runScript(path.join(root, 'bench/generate.ts'), ['--products', String(products)], env, 'inherit');
    db = await openDatabase({ dataDir: folder, databaseUrl, durable: false });
    await fillOrders(db, orders);
    for (const _ of [1, 2]) servers.push(await startShop(env));
    staff = new Browser(servers[0]?.url ?? '', { [clientTokenHeader]: staffToken });
    await staff.ask('POST', `${staffBase}sign-in/demo/demo-mei`);
    process.stdout.write(
      `\n${products.toLocaleString('en')} products, ${orders.toLocaleString('en')} orders, ${db.engine}, two processes. Bar: p95 of the shopper of that process ≤ ${shopperBar} ms.\n\n`,
    );
    process.stdout.write(
      '| The merchant’s work | takes | | p95 ms of a shopper there | in the other process | |\n',
    );
    process.stdout.write('|---|---:|---|---:|---:|---|\n');
    let isMet = await measure({ what: 'nothing', run: () => pause(3000, '') }, servers);
    for (const work of await works(staff, db)) isMet = (await measure(work, servers)) && isMet;
    return isMet;
  } finally {
    staff?.end();
    for (const server of servers) await server.stop();
    await db?.close();
    remove();
  }
}
