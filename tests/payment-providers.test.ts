/** A payment provider is one folder, and a line in each of three registries. Nothing else names it. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { providers } from '#contract/payment-provider-table.ts';
import * as contracts from '#payment-providers/contract-registry.ts';
import type { ProviderContract } from '#payment-providers/provider-contract.ts';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const names = readdirSync(join(root, 'payment-providers'), { withFileTypes: true }).flatMap((entry) =>
  entry.isDirectory() ? [entry.name] : [],
);
const registries = {
  'payment-providers/contract-registry.ts': 'contract.ts',
  'payment-providers/server-registry.ts': 'server/index.ts',
  'payment-providers/browser-registry.ts': 'browser/index.ts',
};

/** The program without its tests. Messages, tables, demo data and the providers' own folders are not among these. */
const outside = ['contract', 'server', 'web', 'cli', 'blocks', 'payment-providers']
  .flatMap((folder) => readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((path) => `${folder}/${path}`))
  .filter((path) => /\.(tsx?|mjs)$/.test(path) && !/\.test\.tsx?$/.test(path))
  .filter((path) => !Object.hasOwn(registries, path) && !names.some((name) => path.startsWith(`payment-providers/${name}/`)));

const read = (path: string) => readFileSync(join(root, path), 'utf8');

/** The providers that the shop brings along. */
const known = ['stripe', 'paypal', 'braintree', 'house'];

/** Lines of `text` that name a provider, with their numbers. 'house' counts only by itself: not in 'warehouse' or 'house number'. */
function mentions(text: string): string[] {
  const provider = new RegExp(names.filter((name) => name !== 'house').join('|'), 'i');
  const house = /(?<![A-Za-z])house(?!hold| number)|[a-z]House|'\{host\}'/;
  return text.split('\n').flatMap((line, at) => (provider.test(line) || house.test(line) ? [`${at + 1}: ${line.trim()}`] : []));
}

test('the scan for provider names finds them in any spelling and ignores other words', () => {
  expect(names).toEqual(expect.arrayContaining(known));
  const lines = ["choice === 'payPal'", 'createStripeProvider()', 'houseGateway', 'createHouseProvider()', "name === '{host}'"];
  expect(mentions(lines.join('\n'))).toHaveLength(lines.length);
  expect(mentions(['const { warehouse } = stock;', '// household and house number'].join('\n'))).toEqual([]);
});

test('no code outside the folders of providers and the three registries names a payment provider', () => {
  expect(outside.length).toBeGreaterThan(700);
  expect(outside).toContain('contract/statuses.ts');
  expect(outside).toContain('payment-providers/provider-contract.ts');
  const found = outside.flatMap((path) => mentions(read(path)).map((line) => `${path}:${line}`));
  expect(found).toEqual([]);
});

test.each(Object.entries(registries))('the registry %s has one line for each provider', (registry, part) => {
  const lines = read(registry).trimEnd().split('\n').slice(1);
  expect(lines).toEqual(names.toSorted().map((name) => `export { ${name} } from './${name}/${part}';`));
});

test('the providers are offered by their ranks, with the simulator last', () => {
  const keys: readonly string[] = providers.map(({ key }) => key);
  expect(keys.toSorted()).toEqual(names.toSorted());
  expect(keys.filter((key) => known.includes(key))).toEqual(known);
  expect(keys.at(-1)).toBe('house');
});

test('no two providers have the same name, rank or call', () => {
  const all: readonly ProviderContract[] = Object.values(contracts);
  const values = all.flatMap(({ name, rank, endpoints }) => [name, rank, ...Object.keys(endpoints)]);
  expect(values.length).toBeGreaterThan(all.length * 3);
  expect(values.filter((value, index) => values.indexOf(value) !== index)).toEqual([]);
});
