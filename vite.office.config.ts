/** Builds the office into BUILD_FOLDER/web/office, apart from the storefront, whose chunks it leaves as they are. */
import { join } from 'node:path';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { brandFile } from './web/brand-plugin.ts';
import { contractTables } from './web/build-plugins.ts';

const { BUILD_FOLDER: folder = 'dist/development' } = process.env;

export default defineConfig({
  base: '/',
  publicDir: false,
  envDir: false,
  plugins: [react(), tailwindcss(), fewMessages(), contractTables()],
  resolve: { alias: { '#brand/tokens.css': brandFile('tokens.css'), '#brand/fonts.css': brandFile('fonts.css') } },
  build: {
    outDir: join(folder, 'web'),
    emptyOutDir: false,
    rolldownOptions: { input: ['office/index.html', 'office/scan/index.html'] },
  },
});

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
