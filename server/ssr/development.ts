/** The server uses edited files at the next request, the browser at once. */
import { readFile } from 'node:fs/promises';
import type { Server } from 'node:http';
import type { RenderPage } from '#contract/transport.ts';
import { finishPage, isScanner, type WebRenderer } from './renderer.ts';

const head = [
  '<link rel="stylesheet" href="/web/styles/main.css?direct">',
  '<script type="module" src="/@vite/client"></script>',
  '<script type="module" src="/web/entry.dev.ts"></script>',
].join('');

/** `server` also carries Vite's WebSocket. */
export async function openDevelopmentRenderer(server: Server): Promise<WebRenderer> {
  const { createRunnableDevEnvironment, createServer, isRunnableDevEnvironment } = await import('vite');
  const vite = await createServer({
    // By default Vite writes the configuration to a file and reads it back, which `node --watch` would treat as a change.
    configLoader: 'native',
    server: { middlewareMode: true, hmr: { server } },
    environments: {
      // No hot module replacement on the server: the router's code for it expects a window.
      ssr: {
        dev: {
          createEnvironment: (name, config) =>
            createRunnableDevEnvironment(name, config, { hot: false, runnerOptions: { hmr: false } }),
        },
      },
    },
  });
  const { ssr } = vite.environments;
  if (!ssr || !isRunnableDevEnvironment(ssr)) throw new Error('Vite has no environment to render in');
  const { runner } = ssr;
  let edited = false;
  vite.watcher.on('all', () => {
    edited = true;
  });

  return {
    async render(request) {
      if (edited) {
        edited = false;
        runner.clearCache();
      }
      const { renderPage } = (await runner.import('/web/entry.server.tsx')) as { renderPage: RenderPage };
      return finishPage(await renderPage(request), { markup: () => head });
    },
    office: async (url) =>
      vite.transformIndexHtml(
        url,
        await readFile(isScanner(url) ? 'office/scan/index.html' : 'office/index.html', 'utf8'),
      ),
    asset: async () => null,
    middleware: (request, response, next) => vite.middlewares(request, response, next),
    close: () => vite.close(),
  };
}
