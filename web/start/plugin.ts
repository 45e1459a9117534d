/** Adds the inline script of every page to the browser's build. `server/ssr` reads it; no browser requests it. */
import { readFile } from 'node:fs/promises';
import { minify, type Plugin, transformWithOxc } from 'vite';
import { clientToken, clientTokenHeader } from '../../contract/limits.ts';

const source = new URL('./start.ts', import.meta.url);

export function startScript(): Plugin {
  return {
    name: 'start-script',
    apply: 'build',
    applyToEnvironment: (environment) => environment.name === 'client',
    async generateBundle() {
      const { code } = await transformWithOxc(await readFile(source, 'utf8'), source.pathname, {
        define: { CALL_HEADERS: JSON.stringify({ [clientTokenHeader]: clientToken }) },
      });
      const { code: small } = await minify('start.js', code, { module: false });
      this.emitFile({ type: 'asset', fileName: '.vite/start.js', source: small.trim() });
    },
  };
}
