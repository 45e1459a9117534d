/** A payment provider is named in its own folder and in the two registries only. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const registries = ['server/modules/payments/registry.ts', 'web/features/payment/registry.ts'];
const names = readdirSync(join(root, 'payment-providers'));

/** The program without the contract, whose wire names the SPEC fixes, and without tables and demo data. */
const sources = ['server', 'web', 'cli']
  .flatMap((folder) => readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((path) => `${folder}/${path}`))
  .filter((path) => /\.(tsx?|mjs)$/.test(path) && !/\.test\.tsx?$/.test(path));

const outside = sources.filter((path) => !registries.includes(path));

/** Lines of `text` that name a provider, with their numbers. 'house' counts only as a word of its own: not in 'warehouse' or 'household'. */
function mentions(text: string): string[] {
  const provider = new RegExp(names.filter((name) => name !== 'house').join('|'), 'i');
  const house = /(?<![A-Za-z])house(?!hold)|[a-z]House|'\{host\}'/;
  return text.split('\n').flatMap((line, at) => (provider.test(line) || house.test(line) ? [`${at + 1}: ${line.trim()}`] : []));
}

test('the scan for provider names finds them in any spelling and ignores other words', () => {
  expect(names.toSorted()).toEqual(['braintree', 'house', 'paypal', 'stripe']);
  const lines = ["choice === 'payPal'", 'createStripeProvider()', 'houseGateway', 'createHouseProvider()', "name === '{host}'"];
  expect(mentions(lines.join('\n'))).toHaveLength(lines.length);
  expect(mentions(['const { warehouse } = stock;', '// household'].join('\n'))).toEqual([]);
});

test('no code outside the folders of providers and their two registries names a payment provider', () => {
  expect(outside.length).toBeGreaterThan(500);
  const found = outside.flatMap((path) => mentions(readFileSync(join(root, path), 'utf8')).map((line) => `${path}:${line}`));
  expect(found).toEqual([]);
});

test('every provider has a part for the server and one for the browser, and an import and an entry in each registry', () => {
  for (const name of names) {
    for (const part of ['server', 'browser'])
      expect(readdirSync(join(root, 'payment-providers', name, part))).toContain('index.ts');
    for (const registry of registries) {
      const lines = mentions(readFileSync(join(root, registry), 'utf8')).filter((line) => line.includes(name));
      expect(lines, `${registry} names ${name}`).toHaveLength(2);
    }
  }
});
