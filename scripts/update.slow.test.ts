/** How long a shop is away for an update, whose build is there: the former one ends, and the next takes its port and its data. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, expect, it } from 'vitest';

const root = join(import.meta.dirname, '..');
const dataDir = mkdtempSync(join(tmpdir(), 'shopwright-update-'));
const mostAwayMs = 3000;
const shops: ChildProcess[] = [];
afterAll(async () => {
  for (const shop of shops) shop.kill('SIGKILL');
  rmSync(dataDir, { recursive: true, force: true });
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** As a supervisor starts it: `npm start` adds npm's own time, which passes before the former one has to end. */
function start(port: number): ChildProcess {
  const { PATH = '', HOME = '' } = process.env;
  const env = {
    PATH,
    HOME,
    DATA_DIR: dataDir,
    PORT: String(port),
    DEMO: '1',
    DEMO_PAST: '0',
    BRAND: 'demo/brand',
  };
  const shop = spawn(process.execPath, ['scripts/start.mjs'], { cwd: root, env, stdio: 'ignore' });
  shops.push(shop);
  return shop;
}

/** How long a process was ready to run while others had the processors, ms. Its name stays while `npm start` becomes the server. */
function waited({ pid }: ChildProcess): number {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[1]) / 1e6;
  } catch {
    return 0;
  }
}

it('a shop is away for at most three seconds while its update takes over', {
  timeout: 900_000,
}, async () => {
  const port = await freePort();
  const isThere = async (path: string): Promise<boolean> => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      signal: AbortSignal.timeout(10_000),
    }).catch(() => null);
    await answer?.arrayBuffer();
    return answer?.status === 200;
  };
  const former = start(port);
  // The first start builds the storefront, if nothing else has built it.
  await expect.poll(() => isThere('/readyz'), { timeout: 800_000, interval: 200 }).toBe(true);
  for (const path of ['/', '/productlist', '/cart'])
    expect([path, await isThere(path)]).toEqual([path, true]);

  let isOver = false;
  let [last, longest] = [performance.now(), 0];
  const visitors = Array.from({ length: 2 }, async () => {
    while (!isOver) {
      if (await isThere('/')) {
        longest = Math.max(longest, performance.now() - last);
        last = performance.now();
      }
      await pause(50);
    }
  });
  const before = waited(former);
  [last, longest] = [performance.now(), 0];
  const ended = once(former, 'exit');
  former.kill('SIGTERM');
  let ofFormer = before;
  while (former.exitCode === null && former.signalCode === null) {
    ofFormer = Math.max(ofFormer, waited(former));
    await Promise.race([ended, pause(20)]);
  }
  const stopped = performance.now() - last;
  const next = start(port);
  await expect.poll(() => isThere('/readyz'), { timeout: 60_000, interval: 20 }).toBe(true);
  await expect.poll(() => isThere('/'), { timeout: 60_000, interval: 20 }).toBe(true);
  const others = ofFormer - before + waited(next);
  await pause(500);
  isOver = true;
  await Promise.all(visitors);
  // While others have the processors, they also empty the caches: what is left runs slower.
  const allowed = mostAwayMs + 1.5 * others;
  const ms = Math.round;
  process.stdout.write(
    `Away for ${ms(longest)} ms, ${ms(stopped)} of them to stop; others had the processors for ${ms(others)} ms\n`,
  );
  expect(longest).toBeLessThanOrEqual(allowed);
});
