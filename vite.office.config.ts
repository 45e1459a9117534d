/** Builds the office into BUILD_FOLDER/web/office, apart from the storefront, whose chunks it leaves as they are. */
import { join } from 'node:path';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { brandFile } from '#web/build-plugins.ts';
import { contractTables } from './web/build-plugins.ts';

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
  plugins: [react(), tailwindcss(), fewMessages(), contractTables(), preloadStart()],
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
    rolldownOptions: { input: ['office/index.html', 'office/scan/index.html'], output: { codeSplitting: { groups } } },
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

/** Of the storefront's messages, the office needs those of shared controls, errors and rules; of the staff's, those that it shows. */
function fewMessages(): Plugin {
  return {
    name: 'few-messages',
    enforce: 'pre',
    transform: {
      filter: { id: /\/contract\/(?:staff\/)?messages\/\w+\.json$/ },
      handler(code, id) {
        const shown = id.includes('/staff/')
          ? /^(?:office|staff|kind|journal|orders|desk|kitchen|stock)\./
          : /^(?:ui|error|rule|bill)\./;
        const entries = Object.entries(JSON.parse(code) as Record<string, string>).filter(([key]) => shown.test(key));
        return { code: JSON.stringify(Object.fromEntries(entries)), moduleType: 'json' };
      },
    },
  };
}
