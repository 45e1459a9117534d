import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { noticeText, packageFolders, readPackage } from './notice-plugin.ts';

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
      packageFolders(['/shop/node_modules/a/node_modules/@b/c/x.js', '\0/shop/node_modules/d/y.js?commonjs', '/shop/web/z.ts']),
    ).toEqual(['/shop/node_modules/a/node_modules/@b/c', '/shop/node_modules/d']);
  });

  test('caches below node_modules are no packages', () => {
    expect(packageFolders(['/shop/node_modules/.vite/deps/react.js'])).toEqual([]);
  });
});
