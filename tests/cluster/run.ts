/**
 * `npm run test:cluster`: kills the primary of a PostgreSQL cluster ten times while two shop processes sell, and audits the books.
 * Everything runs on the loopback address and ends with the run. Exits with 1 if anything is wrong, and with 0 if the programs are
 * not installed.
 */
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '#db/database.ts';
import { createContainer } from '#server/container.ts';
import { readEnv } from '#server/env.ts';
import { testCards } from '#tests/fakes/stripe/cards.ts';
import { type StripeFake, startStripeFake } from '#tests/fakes/stripe/server.ts';
import { openStripeBooks } from '#tests/fault/stripe-ledger.ts';
import { setUnits } from '#tests/shop-actions.ts';
import { type DatabaseCluster, startDatabaseCluster } from './database-cluster.ts';
import { findPrograms, freePorts, packages, type Started, start, until, user } from './programs.ts';
import { type Load, startLoad } from './shoppers.ts';

const kills = Number(process.env.CLUSTER_KILLS ?? 10);
/** How soon the shop sells again after each kill, s. */
const mostSeconds = 30;
/** The run ends with a failure after this time, ms. */
const mostMs = 600_000;
const hourMs = 3_600_000;
const skus = ['MC-CM-01-OAT', 'MC-TP-01', 'MC-TP-03'];
const units = 100_000;
/** Orders between two kills. */
const ordersBetween = 10;

const say = (line: string) => console.log(line);
const problems: string[] = [];

const programs = findPrograms();
if (!programs) {
  say(
    `Skipped: this test needs PostgreSQL, Patroni, etcd, HAProxy and PgBouncer. Install them with: apt-get install ${packages}`,
  );
  process.exit(0);
}
const limit = setTimeout(() => {
  say(`FAIL  the run took more than ${mostMs / 60_000} minutes`);
  process.exit(1);
}, mostMs);
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => process.exit(130));

const folder = mkdtempSync(join(tmpdir(), 'shopwright-cluster-'));
chmodSync(folder, 0o755);
if (user.uid !== undefined && user.gid !== undefined) chownSync(folder, user.uid, user.gid);
process.on('exit', (code) => {
  if (code === 0) rmSync(folder, { recursive: true, force: true });
  else say(`Logs: ${folder}`);
});

const [front = 0, ...shopPorts] = await freePorts(3);
const began = performance.now();
const cluster = await startDatabaseCluster(programs, folder, { front, shops: shopPorts });
say(`Three PostgreSQL under Patroni run after ${seconds(performance.now() - began)}.`);
try {
  await prove(cluster);
} catch (error) {
  problems.push(error instanceof Error ? error.message : String(error));
} finally {
  await cluster.end().catch((error) => problems.push(String(error)));
}
clearTimeout(limit);
say(problems.length === 0 ? 'OK' : problems.map((problem) => `FAIL  ${problem}`).join('\n'));
process.exit(problems.length === 0 ? 0 : 1);

async function prove(database: DatabaseCluster): Promise<void> {
  const fake = await startStripeFake();
  const shops = await startShops(database, fake);
  const db = await openDatabase({ dataDir: '', databaseUrl: database.severalHosts });
  for (const sku of skus) await setUnits({ db }, sku, units);
  const books = await openStripeBooks({ db }, fake, skus);
  const url = `http://127.0.0.1:${front}`;
  const pages = await somePages(url);
  const token = () => fake.token(testCards.approve.method);
  const load = startLoad({ url, buyers: 6, readers: 3, skus, pages, token });
  try {
    for (let round = 1; round <= kills; round++) await killOnce(database, load, round);
  } finally {
    await load.stop();
  }
  await database.settled(60_000);
  for (const shop of shops) await shop.kill();
  await settlePayments(fake);
  problems.push(...load.wrong.slice(0, 10), ...(await books.complaints()));
  await compare(load, db, fake);
  await db.close();
  await fake.close();
}

/** Two shop processes: one connects to the hosts itself, one through PgBouncer and HAProxy. */
async function startShops(database: DatabaseCluster, fake: StripeFake): Promise<Started[]> {
  const shops: Started[] = [];
  for (const [index, port] of shopPorts.entries()) {
    const dataDir = join(folder, `shop${index + 1}`);
    mkdirSync(dataDir);
    const env = {
      PATH: process.env.PATH ?? '',
      ...fake.env,
      DATA_DIR: dataDir,
      DATABASE_URL: index === 0 ? database.severalHosts : database.throughPgBouncer,
      DEMO: '1',
      LOG_LEVEL: 'warn',
      PORT: String(port),
      // HAProxy, and before it the address that each buyer sends.
      PROXY_HOPS: '2',
    };
    const log = join(folder, `shop${index + 1}.log`);
    shops.push(
      start(process.execPath, [join(import.meta.dirname, '../../server/main.mjs')], {
        cwd: folder,
        log,
        env,
      }),
    );
    // The first fills the database with the demo shop.
    await until(
      `shop ${index + 1} is ready`,
      120_000,
      async () => (await fetch(`http://127.0.0.1:${port}/readyz`)).ok,
    );
  }
  return shops;
}

/** Home and what it links to, in both languages. */
async function somePages(url: string): Promise<string[]> {
  const home = await (await fetch(url)).text();
  const links = [...home.matchAll(/href="(\/products\/[^"#?]+|\/product\/[^"#?]+)"/g)].map(
    ([, path]) => path ?? '',
  );
  return ['/', ...new Set(links)].slice(0, 30).flatMap((path) => [path, path === '/' ? '/zh' : `/zh${path}`]);
}

/** Kills the primary and waits until the shop has acknowledged an order again. Every other time its machine is lost as well. */
async function killOnce(database: DatabaseCluster, load: Load, round: number): Promise<void> {
  const leader = await database.settled(120_000);
  const before = load.sales.length;
  await until('the shop sells', 60_000, async () => load.sales.length >= before + ordersBetween);
  const machine = round % 2 === 1;
  const pages = load.answers.get('page 200') ?? 0;
  const killedAt = performance.now();
  await database.kill(leader, machine);
  const next = await database.leader();
  const led = performance.now() - killedAt;
  const sale = await until('the shop sells again', 120_000, async () =>
    load.sales.find(({ at }) => at > killedAt + led / 2),
  );
  const took = sale.at - killedAt;
  const read = (load.answers.get('page 200') ?? 0) - pages;
  const what = machine ? 'PostgreSQL and Patroni' : 'PostgreSQL';
  say(
    `${round}. kill -9 ${what} on ${leader.name}: ${next.name} leads after ${seconds(led)}, sold again after ${seconds(took)}, ${read} pages meanwhile`,
  );
  if (took > mostSeconds * 1000)
    problems.push(`kill ${round}: the shop sold again only after ${seconds(took)}`);
  if (read === 0) problems.push(`kill ${round}: no page was served meanwhile`);
  if (machine) database.restart(leader);
}

/** An hour on, everything that was open has been settled one way or the other. */
async function settlePayments(fake: StripeFake): Promise<void> {
  const db = await openDatabase({ dataDir: '', databaseUrl: cluster.severalHosts });
  const env = readEnv({
    ...fake.env,
    NODE_ENV: 'test',
    DATA_DIR: folder,
    DATABASE_URL: cluster.severalHosts,
  });
  const { payments } = createContainer({ db, env, now: () => Date.now() + hourMs });
  await payments.reconcile();
  await fake.webhooks.settled();
  await db.close();
}

/** Compares what shoppers were told with the orders and with the charges at the provider. */
async function compare(
  load: Load,
  db: Awaited<ReturnType<typeof openDatabase>>,
  fake: StripeFake,
): Promise<void> {
  const rows = await db.read
    .selectFrom('orders')
    .select(['id', 'contact'])
    .where('state', '=', 'placed')
    .execute();
  const placed = rows.filter(({ contact }) => contact?.includes('buyer-'));
  const ids = new Set(placed.map(({ id }) => id));
  const lost = load.sales.filter(({ orderID }) => !ids.has(orderID));
  const buyers = placed.map(({ contact }) => (JSON.parse(contact ?? '{}') as { email?: string }).email);
  const doubled = buyers.length - new Set(buyers).size;
  const charges = [...fake.account.charges.values()].filter(
    ({ paid, amount, amount_refunded: back }) => paid && back < amount,
  );
  say(`Acknowledged orders: ${load.sales.length}, lost: ${lost.length}, doubled: ${doubled}.`);
  say(`Placed orders: ${placed.length}, charges at the provider: ${charges.length}.`);
  say(
    `Answers: ${[...load.answers]
      .sort()
      .map(([kind, count]) => `${kind}: ${count}`)
      .join(', ')}.`,
  );
  if (lost.length > 0) problems.push(`${lost.length} acknowledged orders are lost`);
  if (doubled > 0) problems.push(`${doubled} orders were placed twice`);
  if (charges.length !== placed.length)
    problems.push(`${placed.length} orders were placed and ${charges.length} charged`);
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
