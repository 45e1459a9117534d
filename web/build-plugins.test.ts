import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';
import { describe, expect, test } from 'vitest';
import { localeCodes } from '#contract/locales.ts';
import { routes } from '#contract/shop/routes.ts';
import {
  callsOfOthers,
  contractTables,
  noticeText,
  packageFolders,
  readPackage,
  splitMessages,
} from './build-plugins.ts';

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
    globSync(`${folder}/**/*.{ts,tsx}`, {
      exclude: ['**/*.test.*', '**/server/**', 'web/build-plugins.ts'],
    }).map((file) => readFileSync(file, 'utf8')),
  );
  expect(code.length).toBeGreaterThan(200);
  expect(callsOfOthers.filter((name) => code.some((text) => text.includes(`'${name}'`)))).toEqual([]);
});

const { transform } = splitMessages();
if (typeof transform !== 'object') throw new Error('The plugin transforms nothing');
const handler = transform.handler as unknown as (code: string, id: string) => { code: string };

/** The messages of a language that the browser gets, by the query of the import. */
function partOf(code: string, query: string): string[] {
  const id = join(import.meta.dirname, `../contract/messages/${code}.json`);
  return Object.keys(JSON.parse(handler(readFileSync(id, 'utf8'), id + query).code));
}

test.each(localeCodes)('no browser gets the messages of emails in %s', (code) => {
  const parts = ['', '?own', '?content', '?lists', '?product', '?more'].map((query) => partOf(code, query));
  expect(parts.map((keys) => keys.length > 10)).toEqual([true, true, true, true, true, true]);
  expect(parts.flat().filter((key) => /^(mail|settings)\./.test(key))).toEqual([]);
  // No message is in two parts.
  expect(new Set(parts.flat()).size).toBe(parts.flat().length);
});

const modules = join(import.meta.dirname, '../node_modules');

describe('the notice of bundled packages', () => {
  test('the notice has each package once, with its version and the whole text of its licence', async () => {
    const files = [
      'react/index.js',
      'react/jsx-runtime.js',
      '@fontsource-variable/fraunces/files/a.woff2',
      'leaflet/dist/leaflet.css',
    ];
    const folders = packageFolders(files.map((file) => join(modules, file)));
    const text = noticeText(await Promise.all(folders.map(readPackage)));
    expect(text.match(/^react \d+\.\d+\.\d+$/gm)).toHaveLength(1);
    expect(text).toMatch(/^react .*\nLicence: MIT\n\nMIT License\n[\s\S]*THE SOFTWARE IS PROVIDED "AS IS"/m);
    expect(text).toMatch(/^@fontsource-variable\/fraunces .*\nLicence: OFL-1\.1\n/m);
    expect(text).toMatch(/^leaflet .*\nLicence: BSD-2-Clause\n/m);
  });

  test('a file of a package inside another package belongs to the inner one', () => {
    expect(
      packageFolders([
        '/shop/node_modules/a/node_modules/@b/c/x.js',
        '\0/shop/node_modules/d/y.js?commonjs',
        '/shop/web/z.ts',
      ]),
    ).toEqual(['/shop/node_modules/a/node_modules/@b/c', '/shop/node_modules/d']);
  });

  test('caches below node_modules are no packages', () => {
    expect(packageFolders(['/shop/node_modules/.vite/deps/react.js'])).toEqual([]);
  });
});
