/** Finds the names of payment providers in code outside their folders. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The registries of providers, each with the file of a provider's folder that it lists. */
export const registries = {
  'payment-providers/contract-registry.ts': 'contract.ts',
  'payment-providers/server-registry.ts': 'server/index.ts',
  'payment-providers/browser-registry.ts': 'browser/index.ts',
} as const;

/** The names of the providers' folders in the project at `root`, sorted. */
export function providerFolders(root: string): string[] {
  const entries = readdirSync(join(root, 'payment-providers'), { withFileTypes: true });
  return entries.flatMap((entry) => (entry.isDirectory() ? [entry.name] : [])).sort();
}

/** The code of the program without its tests, the providers' folders and the registries. Messages, tables and demo data are no code. */
export function filesBesideProviders(root: string): string[] {
  const own = providerFolders(root).map((name) => `payment-providers/${name}/`);
  return ['contract', 'server', 'ui', 'office', 'web', 'cli', 'blocks', 'payment-providers']
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map(
        (path) => `${folder}/${path}`,
      ),
    )
    .filter((path) => /\.(tsx?|mjs)$/.test(path) && !/\.test\.tsx?$/.test(path))
    .filter((path) => !Object.hasOwn(registries, path) && !own.some((folder) => path.startsWith(folder)));
}

/** Every line of this code that names a provider, as `path:line: text`. */
export function findProviderNames(root: string): string[] {
  const names = providerFolders(root);
  return filesBesideProviders(root).flatMap((path) =>
    mentionsOf(names, readFileSync(join(root, path), 'utf8')).map((line) => `${path}:${line}`),
  );
}

/** Lines of `text` that name a provider, with their numbers. 'house' counts only by itself: not in 'warehouse' or 'house number'. */
export function mentionsOf(names: readonly string[], text: string): string[] {
  const provider = new RegExp(names.filter((name) => name !== 'house').join('|'), 'i');
  const house = /(?<![A-Za-z])house(?!hold| number)|[a-z]House|'\{host\}'/;
  return text
    .split('\n')
    .flatMap((line, at) => (provider.test(line) || house.test(line) ? [`${at + 1}: ${line.trim()}`] : []));
}
