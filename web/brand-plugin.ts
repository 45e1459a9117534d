/** Builds with the look and the parts of the brand whose folder BRAND names (docs/how-to/brand.md). */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Plugin } from 'vite';
import { readBrandColours } from '../contract/brand-colours.ts';

const root = join(import.meta.dirname, '..');
const sheet = join(root, 'web/styles/main.css');

/** The files of a brand that the build uses, each with the program's own, which stands in where a brand has none. */
const standIns = {
  'tokens.css': 'web/styles/tokens.css',
  'fonts.css': 'web/styles/fonts.css',
  'favicon.svg': 'web/public/favicon.svg',
  'browser/index.ts': 'web/lib/no-brand.tsx',
};

/** `brand` is a folder, relative to the program's; empty for none. @throws {Error} if there is no such folder */
export function brandFile(file: keyof typeof standIns, brand = process.env.BRAND): string {
  if (brand && !existsSync(resolve(root, brand))) throw new Error(`BRAND must be a folder, but there is no ${brand}`);
  const own = brand ? resolve(root, brand, file) : '';
  return existsSync(own) ? own : join(root, standIns[file]);
}

export function brand(folder = process.env.BRAND): Plugin {
  const parts = brandFile('browser/index.ts', folder);
  const own = dirname(parts) === join(root, 'web/lib') ? [] : [`${dirname(parts)}/**`];
  const sources = own.map((files) => `@source "${files}/*.tsx";`);
  return {
    name: 'brand',
    config: () => ({
      resolve: {
        alias: {
          '#brand/tokens.css': brandFile('tokens.css', folder),
          '#brand/fonts.css': brandFile('fonts.css', folder),
          '#brand/browser.ts': parts,
        },
      },
    }),
    transform: {
      order: 'pre',
      filter: { id: [sheet, ...own] },
      handler: (code, id) =>
        id === sheet
          ? { code: `${code}\n${sources.join('\n')}\n`, map: null }
          : // A page then loads only the parts that it uses.
            { code, map: null, moduleSideEffects: false },
    },
    load: {
      filter: { id: /\/web\/lib\/paper\.ts$/ },
      handler: () => paperModule(readFileSync(brandFile('tokens.css', folder), 'utf8')),
    },
    generateBundle() {
      if (this.environment.name === 'client')
        this.emitFile({ type: 'asset', fileName: 'favicon.svg', source: readFileSync(brandFile('favicon.svg', folder), 'utf8') });
    },
  };
}

/** `web/lib/paper.ts` for these tokens. @throws {Error} if they lack the colour of the page */
export function paperModule(tokens: string): string {
  const { light, dark } = readBrandColours(tokens);
  const paper = { light: light.get('paper'), dark: dark.get('paper') };
  if (!paper.light) throw new Error('tokens.css lacks --color-paper');
  return `export const paper = ${JSON.stringify(paper)};\n`;
}
