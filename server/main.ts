/** `npm start`: the shop with its storefront, as built, or through Vite while developing (NODE_ENV=development). */
import type { OpenRenderer } from './app.ts';
import { runShop } from './start.ts';

const openRenderer: OpenRenderer = async (server) => {
  if (process.env.NODE_ENV === 'development') {
    const { openDevelopmentRenderer } = await import('./ssr/development.ts');
    return openDevelopmentRenderer(server);
  }
  const { openBuiltRenderer } = await import('./ssr/built.ts');
  return openBuiltRenderer();
};

await runShop({ web: openRenderer });
