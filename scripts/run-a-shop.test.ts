/** Checks the parts of `npm run try-install` that need no installation. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { describe, expect, test } from 'vitest';
import { mostImportBytes } from '#contract/staff/imports.ts';
import { readEnv } from '#server/env.ts';
import { installPages, shellBlocks } from './page-commands.ts';

const root = join(import.meta.dirname, '..');
const page = installPages.map((file) => readFileSync(join(root, file), 'utf8')).join('\n');
const unitFile = join(root, 'deploy/shop.service');
const unit = new Map(
  readFileSync(unitFile, 'utf8')
    .split('\n')
    .flatMap((line) =>
      /^\w+=/.test(line)
        ? [[line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)] as const]
        : [],
    ),
);
const hasAnalyze = spawnSync('systemd-analyze', ['--version']).status === 0;

describe('the pages about running a shop', () => {
  const { run, skipped } = shellBlocks(page);

  test('every command block is valid shell', () => {
    expect(run.length).toBeGreaterThan(8);
    const broken = run.filter(({ commands }) => spawnSync('sh', ['-n'], { input: commands }).status !== 0);
    expect(broken).toEqual([]);
  });

  test('blocks that are not run give a reason', () => {
    expect(skipped.map(({ reason }) => reason)).toEqual([
      'the example has no tables',
      'the example has no such product',
      'the example has no such store',
      'it asks another site',
      'there is no such customer',
    ]);
    expect(run.length + skipped.length).toBe(page.match(/^```sh$/gm)?.length);
  });

  test('the printed configuration is valid, and is that of a real shop', () => {
    const [, text = ''] = /^cat > \.env <<'END'\n([\s\S]*?)^END$/m.exec(page) ?? [];
    const env = readEnv(parseEnv(text) as Record<string, string>);
    expect(env).toMatchObject({ production: true, demo: false, dataDir: '/var/lib/shop' });
  });

  test('every command of the shop runs as the shop’s user', () => {
    const lines = [...page.matchAll(/^```(?:sh)?\n([\s\S]*?)^```$/gm)].flatMap(([, text = '']) =>
      text.split('\n'),
    );
    const commands = lines.filter((line) => line.includes('npm run') && line.includes(' shop -- '));
    expect(commands.length).toBeGreaterThan(30);
    expect(commands.filter((line) => !line.includes('runuser -u shop -- npm run'))).toEqual([]);
  });

  test('the nginx of the page lets the largest files through', () => {
    const [, megabytes = '0'] = /client_max_body_size (\d+)m;/.exec(page) ?? [];
    expect(Number(megabytes) * 1024 * 1024).toBeGreaterThan(mostImportBytes);
  });

  test('every file that the page copies or imports exists', () => {
    const files = [...page.matchAll(/(?:cp (?:shop\/)?|fill |blog )((?:deploy|examples)\/\S+)/g)].map(
      ([, file = '']) => file,
    );
    expect(files.length).toBeGreaterThan(2);
    expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([]);
  });
});

describe('the systemd unit', () => {
  test('the service runs as the page’s user, and can write to its state directory only', () => {
    expect(Object.fromEntries(unit)).toMatchObject({
      User: 'shop',
      WorkingDirectory: '/srv/shop',
      StateDirectory: 'shop',
      StateDirectoryMode: '0700',
      UMask: '0077',
      ProtectSystem: 'strict',
      NoNewPrivileges: 'yes',
      CapabilityBoundingSet: '',
    });
    expect([...unit.keys()].filter((key) => /^(ReadWritePaths|AmbientCapabilities)$/.test(key))).toEqual([]);
  });

  // Debian: apt-get install systemd
  test.skipIf(!hasAnalyze)('systemd-analyze verify finds no problem in the unit', () => {
    const { status, stdout, stderr } = spawnSync('systemd-analyze', ['verify', unitFile], {
      encoding: 'utf8',
    });
    expect([status, stdout, stderr]).toEqual([0, '', '']);
  });
});
