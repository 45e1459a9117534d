/**
 * Adding a language is a file of messages and a line (docs/how-to/add-a-language.md): a copy of the project
 * is given French by just that. Everything compiles and builds as it was, and the shop speaks three.
 */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { apiBase, clientToken, clientTokenHeader } from '#contract/limits.ts';
import en from '#contract/messages/en.json' with { type: 'json' };
import { readMail } from './accounts.ts';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const copy = mkdtempSync(join(tmpdir(), 'shopwright-language-'));
afterAll(() => rmSync(copy, { recursive: true, force: true }));

/** Of each message its English text with a mark, so that one that is not French is seen. */
const french = (text: string) => `${text} ⟨fr⟩`;

test('a third language is one file and one line', { timeout: 180_000 }, async () => {
  copyProject();
  writeFileSync(
    join(copy, 'contract/messages/fr.json'),
    JSON.stringify(Object.fromEntries(Object.entries(en).map(([key, text]) => [key, french(text)]))),
  );
  addLine();
  const node = (...args: string[]) => promisify(execFile)(process.execPath, args, { cwd: copy, env: clean });
  // The shop, without its tests; what is wrong is said on standard output.
  const types = node('node_modules/typescript/bin/tsc', '-b', 'web', 'cli').catch(({ stdout }: { stdout: string }) =>
    Promise.reject(stdout),
  );
  await Promise.all([types, node('scripts/build.mjs')]);

  const shop = await start();
  const text = async (path: string) => (await fetch(shop.url + path)).text();
  const home = await text('/');
  expect(home).toMatch(/<link rel="alternate" hrefLang="fr" href="[^"]+\/fr"/);
  expect(home).toMatch(/href="\/fr"[^>]+lang="fr-CA"[^>]*>Français</);
  expect(home).not.toContain('⟨fr⟩');

  const page = await text('/fr/product/speckled-mug');
  expect(page).toContain('<html lang="fr-CA"');
  expect(page).toContain(french(en['product.add']));
  // What the merchant has not translated is in the default language.
  expect(page).toContain('Speckled');
  expect(page).toMatch(/<link rel="canonical" href="[^"]+\/fr\/product\/speckled-mug"/);
  const [, sitemap = ''] = /<loc>([^<]+products[^<]*)</.exec(await text('/sitemap.xml')) ?? [];
  expect(await text(new URL(sitemap).pathname)).toContain('/fr/product/speckled-mug');

  const call = (path: string, body: object) =>
    fetch(`${shop.url}${apiBase}${path}?lang=fr`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', [clientTokenHeader]: clientToken },
      body: JSON.stringify(body),
    });
  const person = {
    firstName: 'Chloé',
    lastName: 'Tremblay',
    email: 'chloe@example.com',
    password: 'une théière à quatre heures',
  };
  const refused = await call('common3/clientRegistration', { ...person, email: '' });
  expect(refused.status).toBe(400);
  expect(await refused.text()).toContain('⟨fr⟩');
  expect((await call('common3/clientRegistration', person)).status).toBe(200);
  await expect.poll(mails, { timeout: 20_000 }).toHaveLength(1);
  const mail = readMail(join(outbox, mails()[0] ?? ''));
  expect(mail.text).toContain(french(en['mail.welcome.text']));
  expect(mail.html).toContain('lang="fr-CA"');
  await shop.end();

  // The merchant is told what is left to translate.
  const { stdout } = await node('cli/index.ts', 'doctor').catch((error: { stdout: string }) => error);
  expect(stdout).toMatch(/ has no fr$/m);
});

/** Nothing of how the tests are run. */
const clean = { PATH: process.env.PATH };
const outbox = join(copy, 'data/outbox');
const mails = () => (existsSync(outbox) ? readdirSync(outbox).filter((file) => file.endsWith('.eml')) : []);

/** All but what was made from it. Packages are shared; what is kept beside them is the copy's own. */
function copyProject(): void {
  const left = ['node_modules', 'dist', 'data', 'test-results', '.git'];
  cpSync(root, copy, { recursive: true, filter: (path) => dirname(path) !== root || !left.includes(basename(path)) });
  const modules = join(copy, 'node_modules');
  mkdirSync(modules);
  for (const name of readdirSync(join(root, 'node_modules')))
    if (name !== '.cache') symlinkSync(join(root, 'node_modules', name), join(modules, name));
}

function addLine(): void {
  const file = join(copy, 'contract/locales.ts');
  const source = readFileSync(file, 'utf8');
  const line =
    "  fr: { name: 'Français', tag: 'fr-CA', load: (): Load => import('./messages/fr.json', { with: { type: 'json' } }) },\n";
  const added = source.replace(/^ {2}zh: .*\n/m, (other) => other + line);
  expect(added).not.toBe(source);
  writeFileSync(file, added);
}

/** The copy, with the demo shop. */
async function start(): Promise<{ url: string; end: () => Promise<void> }> {
  const child = spawn(process.execPath, ['server/main.mjs'], {
    cwd: copy,
    env: { ...clean, PORT: '0', LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let said = '';
  child.stdout.on('data', (chunk) => {
    said += chunk;
  });
  await expect.poll(() => said, { timeout: 60_000 }).toMatch(/http:\/\/\S+/);
  return {
    url: /http:\/\/[^\s/]+/.exec(said)?.[0] ?? '',
    end: async () => {
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}
