/** The build's own plugins: tables of the contract, messages, scripts, the look of the brand, and notices of licences. */
import { existsSync, readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { minify, type Plugin, transformWithOxc } from 'vite';
import { readBrandColours } from '#contract/brand-colours.ts';
import { clientToken, clientTokenHeader } from '../contract/limits.ts';
import { localeCodes, locales } from '../contract/locales.ts';
import type { EndpointName } from '../contract/shop/paths.ts';
import { partOf } from './i18n/message-parts.ts';
import { unknownKeys, usedKeys } from './i18n/used-keys.ts';

/** Calls of other clients: the storefront has newer ones, and every page would load their routes. */
export const callsOfOthers = [
  'updateCartItem',
  'deleteCartItem',
  'userInfo',
  'storeBlog',
  'blogConfig',
  'recentPhotos',
  'taggedProducts',
  'productsByTag',
  'productSearch',
  'productSearchCount',
  'productsOnSale',
  'productsByNameAndCondition',
  'productsByConditions',
] as const satisfies readonly EndpointName[];

/** Replaces files of the contract, which import schemas, with the values that they export. */
export function contractTables(): Plugin {
  return {
    name: 'contract-tables',
    enforce: 'pre',
    load: {
      filter: { id: /\/contract\/(?:shop\/routes|staff\/(?:routes|forms)|payment-provider-table)\.ts$/ },
      async handler(id) {
        const values: object = await import(pathToFileURL(id).href);
        const without = (key: string, value: unknown) =>
          (callsOfOthers as readonly string[]).includes(key) ? undefined : value;
        const exported = Object.entries(values).map(
          ([name, value]) => `export const ${name} = ${JSON.stringify(value, without)};`,
        );
        return exported.join('\n');
      },
    },
  };
}

/** Splits each language's messages for the browser: `en.json` has those of every page, `en.json?own` those of one part. */
export function splitMessages(): Plugin {
  return {
    name: 'split-messages',
    enforce: 'pre',
    applyToEnvironment: (environment) => environment.name === 'client',
    transform: {
      filter: { id: /\/contract\/messages\/\w+\.json(\?|$)/ },
      handler(code, id) {
        const [, wanted = 'all'] = /[?&](own|content|lists|product|more)\b/.exec(id) ?? [];
        const entries = Object.entries(JSON.parse(code) as Record<string, string>);
        const part = Object.fromEntries(entries.filter(([key]) => partOf(key) === wanted));
        return { code: JSON.stringify(part), moduleType: 'json' };
      },
    },
  };
}

/** Fails the build where the storefront's code names a message that no browser gets. */
export function sentMessages(): Plugin {
  return {
    name: 'sent-messages',
    apply: 'build',
    applyToEnvironment: (environment) => environment.name === 'client',
    async generateBundle() {
      const keys = Object.keys((await locales.en.load()).default);
      const unsent = keys.filter((key) => partOf(key) === 'server');
      const problems = [...this.getModuleIds()].flatMap((id) => {
        const code = this.getModuleInfo(id)?.code ?? '';
        if (/\/messages\/\w+\.json/.test(id)) return [];
        return [...unknownKeys(code, keys), ...usedKeys(code, unsent)].map((key) => `${id} says ${key}`);
      });
      if (problems.length > 0) this.error(`These messages are not in the build:\n${problems.join('\n')}`);
    },
  };
}

const inlineScript = new URL('./start/start.ts', import.meta.url);

/** Adds the inline script of every page to the browser's build. `server/ssr` reads it; no browser requests it. */
export function startScript(): Plugin {
  return {
    name: 'start-script',
    apply: 'build',
    applyToEnvironment: (environment) => environment.name === 'client',
    async generateBundle() {
      const { code } = await transformWithOxc(await readFile(inlineScript, 'utf8'), inlineScript.pathname, {
        define: { CALL_HEADERS: JSON.stringify({ [clientTokenHeader]: clientToken }) },
      });
      const { code: small } = await minify('start.js', code, { module: false });
      this.emitFile({ type: 'asset', fileName: '.vite/start.js', source: small.trim() });
    },
  };
}

const workerScript = new URL('./worker/sw.ts', import.meta.url);

/** Adds the service worker to the browser's build, at the address that its scope requires: `/sw.js`. */
export function serviceWorker(): Plugin {
  return {
    name: 'service-worker',
    apply: 'build',
    applyToEnvironment: (environment) => environment.name === 'client',
    async generateBundle() {
      const { code } = await transformWithOxc(await readFile(workerScript, 'utf8'), workerScript.pathname, {
        define: { OFFLINE_WORDS: JSON.stringify(await offlineWords()) },
      });
      this.emitFile({ type: 'asset', fileName: 'sw.js', source: code });
    },
  };
}

async function offlineWords() {
  const words = localeCodes.map(async (code) => {
    const { default: messages } = await locales[code].load();
    return [
      code,
      {
        tag: locales[code].tag,
        title: messages['shell.error.offlineTitle'],
        text: messages['shell.error.offlineText'],
        retry: messages['shell.error.retry'],
      },
    ] as const;
  });
  return Object.fromEntries(await Promise.all(words));
}

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
  if (brand && !existsSync(resolve(root, brand)))
    throw new Error(`BRAND must be a folder, but there is no ${brand}`);
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
        this.emitFile({
          type: 'asset',
          fileName: 'favicon.svg',
          source: readFileSync(brandFile('favicon.svg', folder), 'utf8'),
        });
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

interface BundledPackage {
  name: string;
  version: string;
  /** SPDX expression, such as `MIT`. */
  licence: string;
  texts: string[];
}

/** In the packages' own spellings: LICENSE, licence.md, LICENSE-MIT.txt, COPYING, NOTICE. */
const licenceFile = /^(?:licen[cs]e|copying|notice)(?:[.-].*)?$/i;
const modules = join(import.meta.dirname, '../node_modules');
const rule = '-'.repeat(80);

export function notice(): Plugin {
  return {
    name: 'notice',
    apply: 'build',
    // After other plugins have added their files.
    enforce: 'post',
    async generateBundle(_options, bundle) {
      const files = Object.values(bundle).flatMap((output) =>
        output.type === 'chunk' ? output.moduleIds : output.originalFileNames,
      );
      // The fonts in web/fonts are cut from these packages.
      const fonts = ['fraunces', 'source-sans-3'];
      files.push(...fonts.map((font) => join(modules, `@fontsource-variable/${font}/package.json`)));
      const stylesheets = [...this.getModuleIds()].filter((id) => /\.css(?:\?|$)/.test(id));
      const imported = await Promise.all(stylesheets.map(importedPackages));
      const folders = [...new Set([...packageFolders(files), ...imported.flat()])];
      const packages = await Promise.all(folders.map(readPackage));
      this.emitFile({ type: 'asset', fileName: 'NOTICE.txt', source: noticeText(packages) });
    },
  };
}

/** The package folders that the files belong to, such as `/srv/shop/node_modules/react`, without duplicates. */
export function packageFolders(files: readonly string[]): string[] {
  const folders = files.flatMap((file) => {
    // The last one, because packages may contain packages of their own.
    const [, folder] = /^\0?(.*\/?node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file.replaceAll('\\', '/')) ?? [];
    return folder ? [folder] : [];
  });
  return [...new Set(folders)].filter((folder) => !/\/node_modules\/\.[^/]*$/.test(folder));
}

/** The folders of packages that a stylesheet imports. Their files become part of it and are not modules. `#` starts an alias. */
async function importedPackages(stylesheet: string): Promise<string[]> {
  const source = await readFile(stylesheet.replace(/\?.*$/, ''), 'utf8').catch(() => '');
  const specifiers = [...source.matchAll(/@import\s+(?:url\()?["']([^."'/:#][^"':]*)["']/g)].map(
    ([, specifier = '']) => specifier,
  );
  return packageFolders(specifiers.map((specifier) => join(modules, specifier)));
}

/** @throws {Error} if a package does not name its licence */
export async function readPackage(folder: string): Promise<BundledPackage> {
  const { name, version, license } = JSON.parse(
    await readFile(join(folder, 'package.json'), 'utf8'),
  ) as Record<string, unknown>;
  if (typeof name !== 'string' || typeof version !== 'string')
    throw new Error(`${folder} has no name or version`);
  if (typeof license !== 'string') throw new Error(`The package ${name} does not name its licence`);
  const names = (await readdir(folder)).filter((file) => licenceFile.test(file)).sort();
  const texts = await Promise.all(
    names.map(async (file) => (await readFile(join(folder, file), 'utf8')).trim()),
  );
  return { name, version, licence: license, texts };
}

export function noticeText(packages: readonly BundledPackage[]): string {
  const key = ({ name, version }: BundledPackage) => `${name} ${version}`;
  const unique = [...new Map(packages.map((each) => [key(each), each])).values()];
  const sections = unique
    .sort((a, b) => (key(a) < key(b) ? -1 : 1))
    .map((each) =>
      [key(each), `Licence: ${each.licence}`, '', ...each.texts.map((text) => `${text}\n`)].join('\n'),
    );
  const head = 'This program contains these packages. Each of them stands under its own licence.\n';
  return [head, ...sections].join(`\n${rule}\n\n`);
}
