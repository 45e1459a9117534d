/** Builds with the look of the brand whose folder BRAND names, in place of the demo's (docs/how-to/brand.md). */
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Plugin } from 'vite';
import { readBrandColours } from '../contract/brand-colours.ts';

const root = join(import.meta.dirname, '..');

/** The files of a look, each with the demo's own, which stands in where a brand has none. */
const looks = {
  'tokens.css': 'web/styles/tokens.css',
  'fonts.css': 'web/styles/fonts.css',
  'favicon.svg': 'web/public/favicon.svg',
};

/**
 * The path of a file of the look. `brand` is a folder, relative to the program's; empty for the demo's look.
 * @throws {Error} if there is no such folder
 */
export function brandFile(file: keyof typeof looks, brand = process.env.BRAND): string {
  if (brand && !existsSync(resolve(root, brand))) throw new Error(`BRAND must be a folder, but there is no ${brand}`);
  const own = brand ? resolve(root, brand, file) : '';
  return existsSync(own) ? own : join(root, looks[file]);
}

export function brand(folder = process.env.BRAND): Plugin {
  return {
    name: 'brand',
    config: () => ({
      resolve: {
        alias: { '#brand/tokens.css': brandFile('tokens.css', folder), '#brand/fonts.css': brandFile('fonts.css', folder) },
      },
    }),
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
