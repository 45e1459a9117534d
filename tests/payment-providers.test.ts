/** A payment provider is one folder, and a line in each of three registries. Nothing else names it. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { providers } from '#contract/payment-provider-table.ts';
import * as contracts from '#payment-providers/contract-registry.ts';
import type { ProviderContract } from '#payment-providers/provider-contract.ts';
import {
  filesBesideProviders,
  findProviderNames,
  mentionsOf,
  providerFolders,
  registries,
} from './provider-names.ts';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const names = providerFolders(root);

/** The providers that the shop brings along, in the order in which it offers them. */
const known = ['stripe', 'paypal', 'braintree', 'house'];

test('the scan for provider names finds them in any spelling and ignores other words', () => {
  expect(names).toEqual(expect.arrayContaining(known));
  const lines = [
    "choice === 'payPal'",
    'createStripeProvider()',
    'houseGateway',
    'createHouseProvider()',
    "name === '{host}'",
  ];
  expect(mentionsOf(names, lines.join('\n'))).toHaveLength(lines.length);
  expect(
    mentionsOf(names, ['const { warehouse } = stock;', '// household and house number'].join('\n')),
  ).toEqual([]);
});

test('no code outside the folders of providers and the three registries names a payment provider', () => {
  const files = filesBesideProviders(root);
  expect(files.length).toBeGreaterThan(700);
  expect(files).toEqual(
    expect.arrayContaining(['contract/endpoint.ts', 'payment-providers/provider-contract.ts']),
  );
  expect(findProviderNames(root)).toEqual([]);
});

test.each(Object.entries(registries))('the registry %s has one line for each provider', (registry, part) => {
  const lines = readFileSync(join(root, registry), 'utf8').trimEnd().split('\n').slice(1);
  expect(lines).toEqual(names.map((name) => `export { ${name} } from './${name}/${part}';`));
});

test('the providers are offered by their ranks, with the simulator last', () => {
  const keys: readonly string[] = providers.map(({ key }) => key);
  expect(keys.toSorted()).toEqual(names);
  expect(keys.filter((key) => known.includes(key))).toEqual(known);
  expect(keys.at(-1)).toBe('house');
});

test('no two providers have the same name, rank or call', () => {
  const all: readonly ProviderContract[] = Object.values(contracts);
  const values = all.flatMap(({ name, rank, endpoints }) => [name, rank, ...Object.keys(endpoints)]);
  expect(values.length).toBeGreaterThan(all.length * 3);
  expect(values.filter((value, index) => values.indexOf(value) !== index)).toEqual([]);
});
