/** The rules of who may import whom (docs/architecture.md): kept by the project, and each broken on purpose by a sample. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { architectureSvg } from './architecture-picture.ts';
import { cyclesOf, partTable, readImports } from './import-graph.ts';
import { allowedParts, buildsSql, importRules } from './import-rules.ts';

const root = dirname(import.meta.dirname);
const project = readImports(root);

describe('imports of the project', () => {
  test('every import of product code keeps to the rules', async () => {
    expect((await project).violations).toEqual([]);
  });

  test('the modules of the server import each other in no cycle', async () => {
    expect(cyclesOf((await project).parts)).toEqual([]);
  });

  test('the folders inside a module import each other in no cycle', async () => {
    expect(cyclesOf((await project).folders)).toEqual([]);
  });

  test('the core imports nothing more of what a shop could be without', async () => {
    expect((await project).ofExtensions, 'a smaller number is better: write it here').toEqual({
      office: 45,
      'payment providers': 1,
      telemetry: 7,
      webhooks: 7,
    });
  });

  test('the allowed directions leave no room for a cycle', () => {
    const parts = Object.keys(allowedParts);
    for (const [index, part] of parts.entries())
      expect(parts.slice(0, index), part).toEqual(expect.arrayContaining([...(allowedParts[part] ?? [])]));
  });

  test('the check reads the whole project, and every rule but that of unknown modules concerns some files', async () => {
    const { files, imports } = await project;
    expect(files.length).toBeGreaterThan(600);
    expect(imports).toBeGreaterThan(3000);
    const idle = importRules.filter(({ from }) => {
      const [path, not] = [from.path, from.pathNot].map((pattern) => new RegExp(String(pattern ?? '^$')));
      return !files.some((file) => path?.test(file) && !not?.test(file));
    });
    expect(idle.map(({ name }) => name)).toEqual(['modules: not in the table']);
  });

  test('only repositories build SQL', async () => {
    const code = (await project).files.filter((file) =>
      /^(server|cli|demo|payment-providers)\/.*\.ts$/.test(file),
    );
    const repositories = code.filter((file) => file.endsWith('.repository.ts'));
    const builders = code.filter((file) => buildsSql(readFileSync(join(root, file), 'utf8')));
    expect(builders.filter((file) => !repositories.includes(file))).toEqual([]);
    expect(builders.length).toBeGreaterThan(20);
  });

  test('the architecture page shows the imports of the modules as they are', async () => {
    const page = readFileSync(join(root, 'docs/architecture.md'), 'utf8');
    const [, table] = /<!-- modules -->\n([\s\S]*?)\n<!-- end of modules -->/.exec(page) ?? [];
    expect(table, 'npm run modules writes the table').toBe(partTable(await project));
  });

  // Here, because reading all imports takes ten seconds.
  test('the picture of the architecture shows the imports of the code as they are', async () => {
    const drawn = architectureSvg((await project).parts);
    expect(
      readFileSync(join(root, 'docs/architecture.svg'), 'utf8'),
      'npm run modules draws the picture',
    ).toBe(drawn);
    for (const name of ['orders', 'payments', 'pricing']) expect(drawn).toContain(`>${name}</text>`);
  });
});

describe('a broken rule', () => {
  const sample = mkdtempSync(join(tmpdir(), 'import-rules-'));
  afterAll(() => rmSync(sample, { recursive: true }));

  const imports = (target: string, type = '') =>
    `import ${type}{ x } from '${target}';\nexport ${type}{ x };\n`;
  const files: Record<string, string> = {
    'package.json': JSON.stringify({
      type: 'module',
      imports: Object.fromEntries(
        ['server', 'db', 'ui', 'office', 'web', 'demo', 'blocks', 'contract', 'payment-providers'].map(
          (f) => [`#${f}/*`, `./${f}/*`],
        ),
      ),
    }),
    ...Object.fromEntries(
      [
        'db/tables.ts',
        'db/bulk-writes.ts',
        'demo/load.ts',
        'contract/shop/endpoints.ts',
        'contract/limits.ts',
        'contract/staff/messages.ts',
        'server/modules/orders/inside.ts',
        'server/platform/sessions/sessions.repository.ts',
        'server/modules/orders/order/orders.repository.ts',
        'web/features/cart/cart.ts',
        'web/routes/home.ts',
        'blocks/text/component.tsx',
        'server/modules/payments/providers/provider.ts',
        'payment-providers/stripe/values.ts',
        'payment-providers/stripe/server/client.ts',
        'office/rooms.ts',
        'server/platform/permits.ts',
      ].map((path) => [path, 'export const x = 1;\n']),
    ),
    'node_modules/vite/package.json': JSON.stringify({ name: 'vite', type: 'module', exports: './index.js' }),
    'node_modules/vite/index.js': 'export const x = 1;\n',
    'server/modules/orders/index.ts': "export { x } from './inside.ts';\n",
    'server/modules/customers/index.ts': imports('#server/modules/orders/index.ts', 'type '),
    'server/modules/customers/accounts.ts': imports('#server/container.ts', 'type '),
    'server/modules/payments/index.ts': imports('#server/modules/orders/inside.ts'),
    'server/modules/settings/index.ts': imports('#db/tables.ts'),
    'server/modules/stores/index.ts': imports('#db/tables.ts', 'type '),
    'server/modules/stores/stores.repository.ts': imports('#db/bulk-writes.ts'),
    'server/modules/wishes/index.ts': imports('#server/modules/orders/index.ts'),
    'server/modules/orders/order/orders.routes.ts': imports('./orders.repository.ts'),
    'server/modules/media/index.ts': imports('vite'),
    'server/modules/media/files/files.ts': imports('../index.ts'),
    'server/modules/seo/feeds/feeds.ts': imports('../sitemap/sitemap.ts'),
    'server/modules/seo/sitemap/sitemap.ts': imports('../feeds/feeds.ts'),
    'server/http/errors.ts': imports('#server/modules/payments/index.ts'),
    'server/app.ts': imports('#demo/load.ts'),
    'server/modules/content/index.ts': imports('./module.ts'),
    'server/modules/content/module.ts': 'export const x = 1;\n',
    'server/container.ts': imports('#server/modules/orders/inside.ts'),
    'server/modules/seo/index.ts': imports('#server/platform/sessions/sessions.repository.ts'),
    'server/platform/sessions/sessions.ts': imports('./sessions.repository.ts'),
    'server/start.ts': imports('#demo/load.ts'),
    'cli/index.ts': imports('#server/modules/orders/inside.ts'),
    'demo/brand/browser/index.ts': imports('#server/container.ts'),
    'demo/brand/browser/mark.ts': imports('#web/features/cart/cart.ts'),
    'demo/brand/server/index.ts': imports('#web/ui/button.ts'),
    'demo/orders.ts': imports('#server/modules/orders/order/orders.repository.ts'),
    'contract/formatters.ts': imports('node:fs'),
    'db/database.ts': imports('#server/container.ts'),
    'web/features/menu/menu.ts': imports('#web/features/cart/cart.ts'),
    'web/features/menu/page.ts': imports('#web/routes/home.ts'),
    'ui/button.ts': imports('#web/features/cart/cart.ts'),
    'ui/form.ts': imports('#contract/shop/endpoints.ts', 'type '),
    'ui/format.ts': imports('#contract/limits.ts'),
    'office/desk.ts': imports('#web/features/cart/cart.ts'),
    'web/features/menu/desk.ts': imports('#office/rooms.ts'),
    'server/modules/orders/permit.ts': imports('#server/platform/permits.ts'),
    'web/features/menu/staff.ts': imports('#contract/staff/messages.ts', 'type '),
    'web/ui/button.ts': imports('#web/features/cart/cart.ts'),
    'blocks/text/definition.ts': imports('./component.tsx'),
    'blocks/video/component.tsx': imports('#blocks/text/component.tsx'),
    'payment-providers/stripe/contract.ts': imports('#db/tables.ts', 'type '),
    'payment-providers/stripe/server/index.ts': imports('#web/ui/button.ts'),
    'payment-providers/stripe/server/stripe-sdk.ts': imports('#server/modules/orders/index.ts'),
    'payment-providers/stripe/server/refunds.ts': imports('#server/modules/payments/providers/provider.ts'),
    'payment-providers/stripe/browser/index.ts': imports('../server/client.ts'),
    'payment-providers/stripe/browser/panel.ts': imports('#web/features/cart/cart.ts'),
    'payment-providers/stripe/browser/load.ts': imports('../values.ts'),
    'payment-providers/paypal/server/index.ts': imports('#payment-providers/stripe/server/client.ts'),
  };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(sample, path)), { recursive: true });
    writeFileSync(join(sample, path), text);
  }
  const graph = readImports(sample);
  const brokenBy = async (file: string) =>
    (await graph).violations.filter(({ from }) => from === file).map(({ rule }) => rule);

  test.each([
    ['a type of a module above', 'server/modules/customers/index.ts', 'modules: customers'],
    ['the container', 'server/modules/customers/accounts.ts', 'modules: customers'],
    ['a module, from http', 'server/http/errors.ts', 'modules: http'],
    ['a file inside another module', 'server/modules/payments/index.ts', 'modules: only through index.ts'],
    [
      'a module in its whole, from its index.ts',
      'server/modules/content/index.ts',
      'modules: composed by the container',
    ],
    [
      'a file inside a module, from the container',
      'server/container.ts',
      'container: modules by index.ts and module.ts',
    ],
    [
      'the root of a module, from a folder in it',
      'server/modules/media/files/files.ts',
      'modules: no folder imports the root of its module',
    ],
    ['a file inside a module, from a command', 'cli/index.ts', 'modules: only through index.ts'],
    [
      'anything, from a module that the table does not name',
      'server/modules/wishes/index.ts',
      'modules: not in the table',
    ],
    ['tables, outside a repository', 'server/modules/settings/index.ts', 'SQL: only in repositories'],
    ['a repository, from routes', 'server/modules/orders/order/orders.routes.ts', 'routes: through services'],
    ['a repository, from the demo shop', 'demo/orders.ts', 'demo and cli: through services'],
    [
      'a repository of the platform, from a module',
      'server/modules/seo/index.ts',
      'platform: its repositories are its own',
    ],
    ['the demo shop, from the app', 'server/app.ts', 'demo: only from the start'],
    ['vite, outside ssr', 'server/modules/media/index.ts', 'vite: only in ssr'],
    ['files of the system, from the contract', 'contract/formatters.ts', 'contract: no input or output'],
    ['the server, from the database', 'db/database.ts', 'folders: db'],
    ['another feature', 'web/features/menu/menu.ts', 'features: not each other'],
    [
      'a message to the staff, from the storefront',
      'web/features/menu/staff.ts',
      'storefront: nothing that is for the staff',
    ],
    ['a page, from a feature', 'web/features/menu/page.ts', 'features: no page or block'],
    ['the storefront, from what both fronts use', 'ui/button.ts', 'folders: ui'],
    ['an endpoint, from what both fronts use', 'ui/form.ts', 'folders: ui'],
    ['the storefront, from the office', 'office/desk.ts', 'folders: office'],
    ['the office, from the storefront', 'web/features/menu/desk.ts', 'folders: web'],
    [
      'a permit, made by a module',
      'server/modules/orders/permit.ts',
      'permits: made at the door and by commands',
    ],
    ['a feature, from the design system', 'web/ui/button.ts', 'web/ui, lib and i18n: no feature'],
    [
      'a component, from the definition of a block',
      'blocks/text/definition.ts',
      'blocks: definitions know no component',
    ],
    ['another block', 'blocks/video/component.tsx', 'blocks: not each other'],
    [
      'the server, from the browser part of a brand',
      'demo/brand/browser/index.ts',
      'brand: no server code in the browser',
    ],
    [
      'a feature, from a brand',
      'demo/brand/browser/mark.ts',
      'brand: only its browser part knows the storefront, by its pieces and its language',
    ],
    [
      'a component, from the server part of a brand',
      'demo/brand/server/index.ts',
      'brand: no browser code on the server',
    ],
    ['another provider', 'payment-providers/paypal/server/index.ts', 'payment providers: not each other'],
    [
      'the database, from the contract of a provider',
      'payment-providers/stripe/contract.ts',
      'payment providers: the contract knows neither server nor browser',
    ],
    [
      'a component, from the server part of a provider',
      'payment-providers/stripe/server/index.ts',
      'payment providers: no browser code on the server',
    ],
    [
      'the server part of a provider, from its browser part',
      'payment-providers/stripe/browser/index.ts',
      'payment providers: no server code in the browser',
    ],
    [
      'another module, from a provider',
      'payment-providers/stripe/server/stripe-sdk.ts',
      'payment providers: only the interface of the payments module',
    ],
    [
      'another feature, from a provider',
      'payment-providers/stripe/browser/panel.ts',
      'payment providers: only the interface of the payment page',
    ],
  ])('an import of %s is reported', async (_what, file, rule) => {
    expect(await brokenBy(file)).toContain(rule);
  });

  test.each([
    'server/modules/stores/index.ts',
    'server/modules/stores/stores.repository.ts',
    'server/platform/sessions/sessions.ts',
    'server/start.ts',
    'ui/format.ts',
    'payment-providers/stripe/server/refunds.ts',
    'payment-providers/stripe/browser/load.ts',
  ])('the imports of %s, which are allowed, are not reported', async (file) => {
    expect(await brokenBy(file)).toEqual([]);
  });

  test('a cycle of three modules is found, without those that only lead to it', () => {
    const parts = new Map([
      ['orders', new Map([['payments', 1]])],
      ['payments', new Map([['pricing', 1]])],
      ['pricing', new Map([['orders', 1]])],
      ['stores', new Map([['orders', 2]])],
    ]);
    expect(cyclesOf(parts)).toEqual([['orders', 'payments', 'pricing']]);
  });

  test('a cycle of two folders inside a module is found', async () => {
    expect(cyclesOf((await graph).folders)).toEqual([['seo/feeds', 'seo/sitemap']]);
  });

  test('an import of a type is part of the graph', async () => {
    expect((await graph).parts.get('customers')).toEqual(new Map([['orders', 1]]));
  });

  test.each(["trx.selectFrom('orders')", "  .insertInto('orders')", 'sql`select 1`', 'sql<number>`1`'])(
    'code that builds SQL is recognised: %s',
    (code) => {
      expect(buildsSql(code)).toBe(true);
    },
  );
});
