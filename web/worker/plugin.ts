/** Adds the service worker to the browser's build, at the address that its scope requires: `/sw.js`. */
import { readFile } from 'node:fs/promises';
import { type Plugin, transformWithOxc } from 'vite';
import { localeCodes, locales } from '../../contract/locales.ts';

const source = new URL('./sw.ts', import.meta.url);

export function serviceWorker(): Plugin {
  return {
    name: 'service-worker',
    apply: 'build',
    applyToEnvironment: (environment) => environment.name === 'client',
    async generateBundle() {
      const { code } = await transformWithOxc(await readFile(source, 'utf8'), source.pathname, {
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
