import { globSync, readFileSync } from 'node:fs';
import { build } from 'vite';
import { expect, test } from 'vitest';
import { routes } from '#contract/shop/routes.ts';
import { callsOfOthers, contractTables } from './contract-tables-plugin.ts';

/** The code of a file of the contract as the browser gets it. */
async function builtCode(entry: string): Promise<string> {
  const output = await build({
    configFile: false,
    logLevel: 'silent',
    plugins: [contractTables()],
    build: { write: false, minify: false, lib: { entry, formats: ['es'], fileName: 'entry' } },
  });
  return JSON.stringify(output);
}

test('the browser gets the routes of its calls and no schema', async () => {
  const code = await builtCode('contract/transport.ts');
  for (const name of callsOfOthers) expect(code).not.toContain(`${routes[name]}\\"`);
  expect(code).toContain(routes.pageContent);
  expect(code).toContain(routes.myCart);
  expect(code).not.toMatch(/typebox|schemas\//);
});

test('the browser gets the names of the payment providers, and neither their calls nor a schema', async () => {
  const code = await builtCode('contract/payment-providers.ts');
  for (const name of ['Stripe', 'PayPal', 'Braintree', '{host}']) expect(code).toContain(name);
  expect(code).not.toMatch(/typebox|schemas\/|shoppingManagement4/);
});

test('no code of the browser makes a call whose route it does not get', () => {
  const folders = ['web', 'ui', 'blocks', 'demo/brand/browser', 'payment-providers'];
  const code = folders.flatMap((folder) =>
    globSync(`${folder}/**/*.{ts,tsx}`, { exclude: ['**/*.test.*', '**/server/**', 'web/contract-tables-plugin.ts'] }).map(
      (file) => readFileSync(file, 'utf8'),
    ),
  );
  expect(code.length).toBeGreaterThan(200);
  expect(callsOfOthers.filter((name) => code.some((text) => text.includes(`'${name}'`)))).toEqual([]);
});
