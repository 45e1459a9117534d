import { build } from 'vite';
import { expect, test } from 'vitest';
import { routes } from '#contract/endpoint-routes.ts';
import { endpointRoutes } from './endpoint-routes-plugin.ts';

test('the browser gets the route of every endpoint and no schema', async () => {
  const output = await build({
    configFile: false,
    logLevel: 'silent',
    plugins: [endpointRoutes()],
    build: { write: false, minify: false, lib: { entry: 'contract/transport.ts', formats: ['es'], fileName: 'transport' } },
  });
  const code = JSON.stringify(output);
  expect(code).toContain(routes.pageContent);
  expect(code).toContain(routes.myCart);
  expect(code).not.toMatch(/typebox|schemas\//);
});
