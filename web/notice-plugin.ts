/** Writes `NOTICE.txt` into a build: every package whose files are in it, with its licence. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Plugin } from 'vite';

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
  const { name, version, license } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Record<string, unknown>;
  if (typeof name !== 'string' || typeof version !== 'string') throw new Error(`${folder} has no name or version`);
  if (typeof license !== 'string') throw new Error(`The package ${name} does not name its licence`);
  const names = (await readdir(folder)).filter((file) => licenceFile.test(file)).sort();
  const texts = await Promise.all(names.map(async (file) => (await readFile(join(folder, file), 'utf8')).trim()));
  return { name, version, licence: license, texts };
}

export function noticeText(packages: readonly BundledPackage[]): string {
  const key = ({ name, version }: BundledPackage) => `${name} ${version}`;
  const unique = [...new Map(packages.map((each) => [key(each), each])).values()];
  const sections = unique
    .sort((a, b) => (key(a) < key(b) ? -1 : 1))
    .map((each) => [key(each), `Licence: ${each.licence}`, '', ...each.texts.map((text) => `${text}\n`)].join('\n'));
  const head = 'This program contains these packages. Each of them stands under its own licence.\n';
  return [head, ...sections].join(`\n${rule}\n\n`);
}
