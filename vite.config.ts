/**
 * Builds the browser's code to BUILD_FOLDER/web and the renderer to BUILD_FOLDER/server (scripts/build.mjs), by one `vite build`. The
 * renderer is bundled whole, so that it always runs the libraries' production code and starts fast.
 */
import tailwindcss from '@tailwindcss/vite';
import { tanstackRouter } from '@tanstack/router-plugin/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { brand, notice } from '#web/build-plugins.ts';
import {
  contractTables,
  sentMessages,
  serviceWorker,
  splitMessages,
  startScript,
} from './web/build-plugins.ts';
import { slimQueries, slimReact } from './web/slim-libraries.ts';

const { BUILD_FOLDER: folder = 'dist/development' } = process.env;

export default defineConfig(({ command }) => ({
  appType: 'custom',
  publicDir: 'web/public',
  // The shop's .env is not for the browser's code.
  envDir: false,
  builder: {},
  plugins: [
    tanstackRouter({
      target: 'react',
      autoCodeSplitting: true,
      // What a route loads by goes with what it shows: nothing of a page is in the code that all pages share.
      codeSplittingOptions: {
        defaultBehavior: [
          ['component', 'loader', 'pendingComponent'],
          ['errorComponent'],
          ['notFoundComponent'],
        ],
      },
      routesDirectory: 'web/routes',
      generatedRouteTree: 'web/routeTree.gen.ts',
      routeFileIgnorePattern: '\\.test\\.',
      addExtensions: true,
      semicolons: true,
      disableLogging: true,
    }),
    react(),
    tailwindcss(),
    serviceWorker(),
    startScript(),
    jsonAsScript(),
    splitMessages(),
    sentMessages(),
    contractTables(),
    brand(),
    slimReact(),
    slimQueries(),
    notice(),
  ],
  // React has had this hook since version 18; the router's store brings a copy for older ones.
  resolve: {
    alias: { 'use-sync-external-store/shim/with-selector': 'use-sync-external-store/with-selector' },
  },
  environments: {
    client: {
      build: {
        outDir: `${folder}/web`,
        manifest: true,
        rolldownOptions: {
          input: 'web/entry.client.tsx',
          treeshake: { moduleSideEffects: [{ test: /\/contract\/rules\//, sideEffects: false }] },
          // One file of what every page needs, one of what most do: many small ones compress a tenth worse.
          output: {
            codeSplitting: {
              groups: [
                // Structured data, which the server makes, needs these on every page; browsers only where hours are shown, and where
                // modifiers are chosen.
                {
                  name: 'rules',
                  test: /\/contract\/rules\/(?:opening-hours|modifiers)/,
                  includeDependenciesRecursively: false,
                },
                { name: 'base', tags: ['$initial'] },
                // Cards of products, in a grid: a product's own page shows some only when it is scrolled.
                {
                  name: 'cards',
                  test: /\/(?:web\/ui\/product-grid|catalogue\/product-card|lib\/return-focus)\.tsx?$/,
                  includeDependenciesRecursively: false,
                },
                // Forms and toasts, the icons of later pages and the queries of lists are not on the first view of a product,
                // however many pages have one.
                {
                  name: 'shared',
                  test: /\/(?:ui\/(?!form\.|inputs|toast|page-icons)|web\/lib\/|web\/features\/(?!account\/|catalogue\/queries))/,
                  minShareCount: 10,
                },
                // What a product's page buys with, and its folds: small files of their own compress worse.
                {
                  name: 'buying',
                  test: /\/(?:ui\/(?:accordion|choices|option-chips|quantity-stepper)|contract\/rules\/quantity|product\/(?:selection|stock-line|buy-box))\.tsx?$/,
                },
                // What a line was made of, and the way to change it.
                {
                  name: 'line',
                  test: /\/(?:cart\/line-input|routes\/-modifier-sheet)\.tsx?$/,
                  includeDependenciesRecursively: false,
                },
                {
                  name: 'attempt',
                  test: /\/(?:payment\/remembered-attempt|routes\/-cancel-payment|bill\/order-summary|ui\/chosen-text)\.tsx?$/,
                },
                { name: 'page-icons', test: /\/ui\/page-icons/ },
                // Small files that forms need together: a browser requests six at a time.
                {
                  name: 'forms',
                  test: /\/ui\/(?:form\.|inputs|toast)|\/contract\/rules\/(?:form|fields|contact)/,
                  minShareCount: 4,
                },
                { name: 'address', test: /\/address-fields|\/contract\/rules\/address/, minShareCount: 2 },
                {
                  name: 'modifiers',
                  test: /\/features\/product\/modifi(?:ers|ed-buy)\.tsx/,
                  includeDependenciesRecursively: false,
                },
              ],
            },
          },
        },
      },
    },
    ssr: {
      // While developing, Node loads the libraries itself: Vite's runner takes no CommonJS.
      ...(command === 'build'
        ? { resolve: { noExternal: true }, define: { 'process.env.NODE_ENV': JSON.stringify('production') } }
        : {}),
      build: {
        outDir: `${folder}/server`,
        ssr: true,
        copyPublicDir: false,
        rolldownOptions: { input: 'web/entry.server.tsx' },
      },
    },
  },
}));

/**
 * While developing, Vite sends JSON modules as scripts, but leaves `with: { type: 'json' }`, which Node
 * wants, in the import; a browser then refuses the script.
 */
function jsonAsScript(): Plugin {
  return {
    name: 'json-as-script',
    apply: 'serve',
    enforce: 'pre',
    transform: {
      filter: { id: /\/(?:contract\/locales|shared\/messages)\.ts$/ },
      handler: (code) => code.replace(/, \{ with: \{ type: 'json' \} \}| with \{ type: 'json' \}/g, ''),
    },
  };
}
