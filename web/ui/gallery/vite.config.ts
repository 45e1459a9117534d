/** Every component on one page, for engineers: `npx vite --config web/ui/gallery/vite.config.ts`. No part of the shop's build. */
import { createReadStream } from 'node:fs';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

const photos = new URL('../../../demo/photos/', import.meta.url);

/** `/media/<width>/<name>` straight from the demo shop's photographs, at whatever width they have. */
const media: Plugin = {
  name: 'gallery-media',
  configureServer: (server) => {
    server.middlewares.use('/media', (request, response) => {
      const name = /^\/\d+\/([a-z0-9-]+\.jpg)$/.exec(request.url ?? '')?.[1];
      if (!name) return void response.writeHead(404).end();
      createReadStream(new URL(name, photos))
        .on('error', () => response.writeHead(404).end())
        .pipe(response);
    });
  },
};

/** Vite serves JSON as a script, so the browser must not be told to expect JSON, as Node must. */
const jsonImports: Plugin = {
  name: 'gallery-json-imports',
  enforce: 'pre',
  transform: (code, id) => (id.endsWith('/contract/locales.ts') ? code.replaceAll(", { with: { type: 'json' } }", '') : null),
};

export default defineConfig({ root: import.meta.dirname, plugins: [jsonImports, react(), tailwindcss(), media] });
