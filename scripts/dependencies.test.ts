import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import packageJson from '../package.json' with { type: 'json' };
import { importsOf } from '../tests/imports.ts';
import {
  type Lockfile,
  type Manifest,
  readAudit,
  shopPackages,
  testPackages,
  wrongLicences,
  wrongLockfile,
} from './dependencies.ts';

const read = (name: string): unknown =>
  JSON.parse(readFileSync(join(import.meta.dirname, '..', name), 'utf8'));
const good = {
  version: '1.2.3',
  resolved: 'https://registry.npmjs.org/a/-/a-1.2.3.tgz',
  integrity: 'sha512-x',
  license: 'MIT',
};

test('the lockfile matches package.json, comes from the registry with checksums, and has known licences only', () => {
  const lockfile = read('package-lock.json') as Lockfile;
  expect(wrongLockfile(read('package.json') as Manifest, lockfile)).toEqual([]);
  expect(wrongLockfile(read(`${testPackages}/package.json`) as Manifest, lockfile, testPackages)).toEqual([]);
  expect(wrongLicences(lockfile)).toEqual([]);
});

test('a lockfile that disagrees, loosens a version or names another source is reported', () => {
  const manifest = {
    dependencies: { a: '1.2.3', b: '^1.0.0', c: '1.2.3', d: 'npm:a@1.2.3', e: 'npm:@a/b@^1.0.0' },
  };
  const lockfile: Lockfile = {
    lockfileVersion: 3,
    packages: {
      '': { dependencies: { a: '1.2.4', b: '^1.0.0', c: '1.2.3', d: 'npm:a@1.2.3', e: 'npm:@a/b@^1.0.0' } },
      'node_modules/a': good,
      'node_modules/b': { ...good, resolved: 'git+ssh://example/b' },
      'node_modules/c': { version: '1.2.3', resolved: good.resolved },
      'node_modules/d': good,
      'node_modules/e': good,
    },
  };
  expect(wrongLockfile(manifest, lockfile)).toEqual([
    'a: package.json and package-lock.json disagree. Run npm install.',
    'b: ^1.0.0 is not an exact version',
    'e: npm:@a/b@^1.0.0 is not an exact version',
    'node_modules/b: does not come from https://registry.npmjs.org/',
    'node_modules/c: has no sha512 checksum',
  ]);
});

test('a licence that is not on the list is reported unless the package offers another', () => {
  const licences = ['MIT', '(MIT OR GPL-3.0)', 'GPL-3.0', 'Apache-2.0 AND GPL-3.0', undefined];
  const packages = Object.fromEntries(
    licences.map((license, i) => [`p${i}`, { ...good, ...(license ? { license } : { license: '' }) }]),
  );
  expect(wrongLicences({ lockfileVersion: 3, packages }).map((line) => line.slice(0, 2))).toEqual([
    'p2',
    'p3',
    'p4',
  ]);
});

test('the audit names vulnerable packages and says when the registry did not answer', () => {
  const vulnerabilities = {
    a: { name: 'a', severity: 'high', range: '<2', nodes: ['node_modules/x/node_modules/a'] },
    b: { name: 'b', severity: 'low', range: '<3', nodes: ['node_modules/b'] },
    c: { name: 'c', severity: 'high', range: '<4', nodes: ['node_modules/c'] },
  };
  const paths = new Set(['node_modules/b', 'node_modules/x/node_modules/a']);
  expect(readAudit(JSON.stringify({ vulnerabilities }), paths)).toEqual({
    vulnerable: [
      { line: 'FAIL  a <2: known vulnerability, high', severe: true },
      { line: 'WARN  b <3: known vulnerability, low', severe: false },
    ],
    unchecked: null,
  });
  expect(readAudit(JSON.stringify({ vulnerabilities: {} }), paths)).toEqual({
    vulnerable: [],
    unchecked: null,
  });
  expect(readAudit(JSON.stringify({ error: { code: 'ENOTFOUND' } }), paths).unchecked).toBe('ENOTFOUND');
  expect(readAudit('', paths).unchecked).toBe('npm audit gave no report');
});

/** What the files of `folder` load while they run, by the names of packages. */
function importedPackages(folder: string): string[] {
  const files = readdirSync(join(import.meta.dirname, '..', folder), { recursive: true, encoding: 'utf8' });
  const sources = files.filter((name) => /\.(ts|mjs)$/.test(name) && !/\.test\.ts$|browser/.test(name));
  return sources.flatMap((name) => {
    const source = readFileSync(join(import.meta.dirname, '..', folder, name), 'utf8').replace(
      /^import type [\s\S]*?;$/gm,
      '',
    );
    const names = source.matchAll(
      /(?:^(?:import|\}) .*?from |\bimport\()'((?:@[\w-]+\/)?\w[\w.-]*(?=[/']))/gm,
    );
    return [...names].flatMap(([, found = '']) => found);
  });
}

test('a shop runs on its dependencies, and on packages that a variable of its environment asks for', () => {
  const { dependencies = {} } = read('package.json') as Manifest;
  const shipped = new Set([
    ...Object.keys(dependencies),
    ...Object.values(packageJson.config.packagesOfVariables).flat(),
  ]);
  const imported = new Set(
    ['server', 'cli', 'db', 'contract', 'demo', 'payment-providers'].flatMap(importedPackages),
  );
  expect(imported).toContain('stripe');
  expect(imported).toContain('kysely');
  // The server of `npm run dev` has the packages of the build, and the suite that providers must pass those of the tests.
  for (const name of ['vite', 'vitest']) imported.delete(name);
  expect([...imported].filter((name) => !shipped.has(name))).toEqual([]);
});

test('the audit covers packages that only some shops install, and none of the tests', () => {
  const paths = shopPackages(read('package-lock.json') as Lockfile);
  for (const name of ['fastify', 'stripe', '@smithy/core', 'axios'])
    expect(paths).toContain(`node_modules/${name}`);
  for (const name of ['vite', 'vitest', 'react']) expect(paths).not.toContain(`node_modules/${name}`);
});

test('the shop and its commands start without loading a package that only some shops use', () => {
  const root = join(import.meta.dirname, '..');
  const ofConnections = ['stripe', '@paypal/paypal-server-sdk', 'braintree', 'receiptline', 'nodemailer'];
  const optional = new Set([
    ...Object.values(packageJson.config.packagesOfVariables).flat(),
    ...ofConnections,
  ]);
  const loaded = new Set<string>();
  const found: string[] = [];
  const load = (path: string) => {
    if (loaded.has(path) || !existsSync(join(root, path))) return;
    loaded.add(path);
    // What is imported by a call is loaded when it is needed.
    const text = readFileSync(join(root, path), 'utf8').replace(/\bimport\s*\(/g, 'called(');
    for (const { target, own, typeOnly } of importsOf(text, join(root, path), root)) {
      if (typeOnly) continue;
      if (own) load(target);
      else if (optional.has(target)) found.push(`${path} loads ${target}`);
    }
  };
  for (const start of ['server/main.mjs', 'server/start.ts', 'server/ssr/built.ts', 'cli/run.ts'])
    load(start);
  expect(loaded.size).toBeGreaterThan(300);
  expect(found).toEqual([]);
});
