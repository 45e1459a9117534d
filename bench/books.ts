/**
 * Measures what writing the books costs an order:
 *   node scripts/run.mjs bench/books.ts [--rounds 60] [--orders 50]
 *
 * One server writes entries in one turn and none in the next, and which of a pair comes first alternates: two processes of the same program
 * differ by more than what is measured. Of each turn the processor time of the server is measured, which other work of the machine changes
 * less than the time of the clock. A turn is long enough that what an order leaves for later, such as garbage and pages to move into
 * the database's file, mostly falls into its own turn.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { parseArgs } from 'node:util';
import { warehouse } from '#contract/limits.ts';
import { sqliteFileName } from '#db/sqlite/open.ts';
import { type Server, startServer, temporaryFolder } from './servers.ts';
import { newShopper, orderByCard } from './shoppers.ts';

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '60' }, orders: { type: 'string', default: '50' } },
});
const [rounds, orders] = [Number(values.rounds), Number(values.orders)];
if (!(rounds >= 2 && orders >= 1)) throw new Error('--rounds takes 2 or more, --orders 1 or more');

const root = join(import.meta.dirname, '..');
const sku = 'MC-CM-01-OAT';
/** Compiling is over by then. */
const warmOrders = 300;

/** What a transaction writes of the books before its commit. */
const entries = 'if (touched.orders.length + touched.costs.length > 0) await book(trx, touched);';
/** The signal that turns this off, and on again. */
const turnOver = 'SIGUSR2';

/** A copy of the program that can leave its entries out. */
function copied(folder: string): string {
  const tree = join(folder, 'program');
  const left = new Set(['node_modules', 'dist', '.git', 'docs', 'test-results']);
  for (const name of readdirSync(root))
    if (!left.has(name)) cpSync(join(root, name), join(tree, name), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(tree, 'node_modules'));
  const file = join(tree, 'server/modules/ledger/ledger.ts');
  const before = readFileSync(file, 'utf8');
  if (!before.includes(entries)) throw new Error(`${file} has changed`);
  const toggle = `let isOff = false;\nprocess.on('${turnOver}', () => {\n  isOff = !isOff;\n});\n`;
  writeFileSync(file, `${before.replace(entries, `if (!isOff) ${entries}`)}\n${toggle}`);
  return tree;
}

/** A server whose units have a cost, which the books hold as well. */
async function started(tree: string, dataDir: string): Promise<Server> {
  const env = {
    NODE_ENV: 'test',
    PORT: '0',
    LOG_LEVEL: 'warn',
    DEMO: '1',
    DEMO_PAST: '0',
    PROXY_HOPS: '1',
    DATA_DIR: dataDir,
  };
  const server = await startServer(join(tree, 'tests/api-process.ts'), env);
  const count = ['stock', 'count', sku, warehouse, '--units', '900000'];
  execFileSync(process.execPath, [join(root, 'cli/index.ts'), ...count], {
    env: { ...process.env, ...env },
    stdio: 'ignore',
  });
  const file = new DatabaseSync(join(dataDir, sqliteFileName), { timeout: 5000 });
  file.prepare('update stock_costs set costed = units, cost_cents = units * 650 where sku = ?').run(sku);
  file.close();
  return server;
}

function bookedSales(dataDir: string): number {
  const file = new DatabaseSync(join(dataDir, sqliteFileName), { readOnly: true });
  const row = file
    .prepare("select count(distinct order_id) as orders from ledger_entries where kind = 'sale'")
    .get();
  file.close();
  return Number(row?.orders);
}

/** Of all threads of a process that live, ms. */
function processorMs(pid: number): number {
  const nanoseconds = readdirSync(`/proc/${pid}/task`).map((thread) =>
    Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]),
  );
  return sum(nanoseconds) / 1e6;
}

const agent = new http.Agent({ keepAlive: true });

/** Orders one after another. Returns the processor time of the server for each, ms. */
async function turn({ url, pid }: Server, count: number): Promise<number> {
  const before = processorMs(pid);
  for (let order = 0; order < count; order++)
    if (!(await orderByCard(newShopper(url, agent), sku))) throw new Error('An order was refused');
  return (processorMs(pid) - before) / count;
}

const sum = (all: readonly number[]) => all.reduce((total, each) => total + each, 0);
const at = (sorted: readonly number[], share: number) => sorted[Math.round((sorted.length - 1) * share)] ?? 0;
const percent = (ratio: number) => `${((ratio - 1) * 100).toFixed(1)} %`;

const { folder, remove } = temporaryFolder();
try {
  const dataDir = join(folder, 'data');
  const server = await started(copied(folder), dataDir);
  const before = bookedSales(dataDir);
  const taken = { with: [] as number[], without: [] as number[] };
  type Side = keyof typeof taken;
  let now: Side = 'with';
  const take = async (side: Side, count: number) => {
    if (side !== now) process.kill(server.pid, turnOver);
    now = side;
    return turn(server, count);
  };
  for (const side of ['without', 'with'] as const) await take(side, warmOrders);
  for (let round = 0; round < rounds; round++)
    for (const side of round % 2 === 0 ? (['with', 'without'] as const) : (['without', 'with'] as const))
      taken[side].push(await take(side, orders));
  await server.stop();
  const [written, expected] = [bookedSales(dataDir) - before, rounds * orders + warmOrders];
  if (written !== expected) throw new Error(`${written} orders are booked in place of ${expected}`);
  const ratios = taken.with
    .map((ms, round) => ms / (taken.without[round] ?? Number.NaN))
    .sort((a, b) => a - b);
  console.log(`${rounds} pairs of ${orders} orders. Processor time of the server for an order:`);
  console.log(
    `  with the books ${(sum(taken.with) / rounds).toFixed(2)} ms, without ${(sum(taken.without) / rounds).toFixed(2)} ms`,
  );
  console.log(`  the books cost ${percent(sum(taken.with) / sum(taken.without))} of all pairs together`);
  console.log(
    `  median of pairs ${percent(at(ratios, 0.5))}, half of them ${percent(at(ratios, 0.25))} to ${percent(at(ratios, 0.75))}`,
  );
  // Other work of the machine only adds to a turn.
  const quiet = (side: Side) =>
    at(
      taken[side].toSorted((a, b) => a - b),
      0.1,
    );
  console.log(
    `  the quietest tenth of turns at most: with ${quiet('with').toFixed(2)} ms, without ${quiet('without').toFixed(2)} ms, ${percent(quiet('with') / quiet('without'))}`,
  );
} finally {
  agent.destroy();
  remove();
}
