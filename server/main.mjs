/**
 * `npm start`: the storefront as built, or through Vite while developing (NODE_ENV=development). Not TypeScript: before the cache
 * is there, Node would load the whole of its compiler for it, and keep it.
 */
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

// Half of a second start would go into compiling the same files again, and half of reading a file of a few rows in a thread, which has
// a cache only by this variable.
process.env.NODE_COMPILE_CACHE ||= join(import.meta.dirname, '../node_modules/.cache/compiled');
enableCompileCache();
const { runShop } = await import('./start.ts');

/** @type {import('./app.ts').OpenRenderer} */
const openRenderer = async (server) => {
  if (process.env.NODE_ENV === 'development') {
    const { openDevelopmentRenderer } = await import('#server/ssr/development.ts');
    return openDevelopmentRenderer(server);
  }
  const { openBuiltRenderer } = await import('#server/ssr/built.ts');
  const build = process.argv.find((argument) => argument.startsWith('--build='))?.slice('--build='.length);
  return openBuiltRenderer(build ?? process.env.WEB_BUILD);
};

await runShop({ web: openRenderer, past: process.argv.includes('--past') });
