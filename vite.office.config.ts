/** Builds the office into BUILD_FOLDER/web/office, apart from the storefront, whose chunks it leaves as they are. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { brandFile } from '#web/build-plugins.ts';
import { contractTables } from './web/build-plugins.ts';
import { unknownKeys, usedKeys } from './web/i18n/used-keys.ts';
import { slimReact } from './web/slim-libraries.ts';

const { BUILD_FOLDER: folder = 'dist/development' } = process.env;

/** Few files: what the first script needs, what most rooms need, and each room by itself. */
const groups = [
  {
    name: 'first',
    test: /\/office\/(?:lib\/early|rooms\/index)\.ts$|\/contract\/(?:limits|locales)\.ts$|preload-helper|office\/styles\.css/,
  },
  {
    name: 'react',
    test: /node_modules\/(?:react|react-dom|scheduler|use-sync-external-store|@tanstack\/(?:react-)?(?:router|query|history|store)[^/]*)\//,
    includeDependenciesRecursively: false,
  },
  { name: 'shared', minShareCount: 8, includeDependenciesRecursively: false },
];

export default defineConfig({
  base: '/',
  publicDir: false,
  envDir: false,
  plugins: [react(), tailwindcss(), usedMessages(), contractTables(), slimReact(), preloadStart()],
  // As in the storefront's build.
  resolve: {
    alias: {
      'use-sync-external-store/shim/with-selector': 'use-sync-external-store/with-selector',
      '#brand/tokens.css': brandFile('tokens.css'),
      '#brand/fonts.css': brandFile('fonts.css'),
    },
  },
  build: {
    outDir: join(folder, 'web'),
    emptyOutDir: false,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: ['office/index.html', 'office/scan/index.html'],
      output: { codeSplitting: { groups } },
    },
  },
});

/** Lets the browser load the office beside its first script, which imports it. */
function preloadStart(): Plugin {
  return {
    name: 'preload-start',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle = {} }) {
        const chunks = Object.values(bundle).filter((each) => each.type === 'chunk');
        const start = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith('/office/office.tsx'));
        const files = new Set(start ? [start.fileName, ...start.imports] : []);
        for (const name of files)
          for (const next of chunks.find(({ fileName }) => fileName === name)?.imports ?? []) files.add(next);
        return [...files].map((name) => ({
          tag: 'link',
          attrs: { rel: 'modulepreload', crossorigin: true, href: `/${name}` },
          injectTo: 'head',
        }));
      },
    },
  };
}

/**
 * Of all messages, the office gets those whose keys its modules name. Which these are is known when all of them are loaded, so
 * that until then a mark stands in place of each file of messages.
 */
function usedMessages(): Plugin {
  const file = /\/(contract\/(?:staff\/)?messages\/\w+\.json)$/;
  const mark = /JSON\.parse\((["'`])messages of ([\w/.]+)\1\)/g;
  const read = (name: string) => JSON.parse(readFileSync(name, 'utf8')) as Record<string, string>;
  const keys = ['contract/messages/en.json', 'contract/staff/messages/en.json'].flatMap((name) =>
    Object.keys(read(name)),
  );
  let used: Set<string> | null = null;
  return {
    name: 'used-messages',
    enforce: 'pre',
    transform: {
      filter: { id: file },
      handler: (_code, id) => ({
        code: `export default JSON.parse('messages of ${file.exec(id)?.[1]}');`,
        moduleType: 'js',
      }),
    },
    renderChunk(code) {
      if (!code.includes('messages of ')) return null;
      if (!used) {
        const modules = [...this.getModuleIds()].map((id) => ({
          id,
          code: this.getModuleInfo(id)?.code ?? '',
        }));
        const unknown = modules.flatMap((each) =>
          unknownKeys(each.code, keys).map((key) => `${each.id} says ${key}`),
        );
        if (unknown.length > 0) this.error(`There are no such messages:\n${unknown.join('\n')}`);
        used = new Set(modules.flatMap((each) => [...usedKeys(each.code, keys)]));
      }
      const isUsed = ([key]: [string, string]) => used?.has(key);
      return code.replace(mark, (_all, _quote, name: string) =>
        JSON.stringify(Object.fromEntries(Object.entries(read(name)).filter(isUsed))),
      );
    },
  };
}
