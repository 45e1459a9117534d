/** The configuration of other programs that the pages print, read by these programs where Debian's packages of them are installed. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'shopwright-configuration-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const isInstalled = (program: string) => spawnSync('which', [program]).status === 0;

/** The blocks of a page in a language, without the indent of the list that they are in. */
function blocks(page: string, language: string): string[] {
  const text = readFileSync(join(import.meta.dirname, '../docs/how-to', `${page}.md`), 'utf8');
  return [...text.matchAll(new RegExp(`^( *)\`\`\`${language}\\n([\\s\\S]*?)^ *\`\`\`$`, 'gm'))].map(
    ([, indent = '', block = '']) => block.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
  );
}

/** Whether a program accepts a file, with what it says of it. */
function check(text: string | undefined, program: string, ...args: string[]) {
  const file = join(folder, program === 'caddy' ? 'Caddyfile' : program);
  writeFileSync(file, text ?? '');
  const { status, stdout, stderr } = spawnSync(program, [...args, file], { encoding: 'utf8' });
  return { status, said: stdout + stderr };
}

it.runIf(isInstalled('caddy'))('caddy accepts the configuration of the page about running a shop', () => {
  const { status, said } = check(
    blocks('run-a-shop', 'caddy')[0],
    'caddy',
    'adapt',
    '--validate',
    '--config',
  );
  expect([status, said]).toEqual([0, expect.stringContaining('"host":["shop.example"]')]);
  expect(said).toContain('"dial":"127.0.0.1:3000"');
});

it.runIf(isInstalled('promtool'))(
  'prometheus accepts the job and the alerts of the page about watching a shop',
  () => {
    const [job, rules] = blocks('watch-a-shop', 'yaml');
    const config = check(`scrape_configs:\n${job}`, 'promtool', 'check', 'config');
    expect([config.status, config.said]).toEqual([0, expect.stringContaining('SUCCESS')]);
    const alerts = check(rules, 'promtool', 'check', 'rules');
    expect([alerts.status, alerts.said]).toEqual([0, expect.stringContaining('5 rules found')]);
  },
);

it.runIf(isInstalled('haproxy'))('haproxy accepts the configuration of the page about many machines', () => {
  const block = blocks('run-many-machines', '').find((each) => each.startsWith('global\n'));
  const { status, said } = check(block, 'haproxy', '-c', '-f');
  expect([status, said]).toEqual([0, expect.stringContaining('valid')]);
});
