/** The build's own plugins, besides those of the brand and of the notices. */

import { readFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { minify, type Plugin, transformWithOxc } from 'vite';
import { clientToken, clientTokenHeader } from '../contract/limits.ts';
import { localeCodes, locales } from '../contract/locales.ts';
import type { EndpointName } from '../contract/shop/paths.ts';
import { partOf } from './i18n/message-parts.ts';

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
      filter: { id: /\/contract\/(?:shop\/routes|staff\/routes|payment-provider-table)\.ts$/ },
      async handler(id) {
        const values: object = await import(pathToFileURL(id).href);
        const without = (key: string, value: unknown) => ((callsOfOthers as readonly string[]).includes(key) ? undefined : value);
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
