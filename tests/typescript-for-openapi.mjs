/**
 * Gives openapi-typescript the TypeScript whose API it uses: TypeScript 7, which checks this project, has none yet. Preload it:
 * `node --import ./tests/typescript-for-openapi.mjs node_modules/openapi-typescript/bin/cli.js`.
 */
import { registerHooks } from 'node:module';

registerHooks({
  resolve: (name, context, next) => next(name === 'typescript' ? 'typescript-for-openapi' : name, context),
});
