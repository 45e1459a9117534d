/** How files are written, and what reaches the browser; who may import whom is in `import-rules.test.ts`. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { type Import, importsOf } from './imports.ts';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const folders = [
  'contract',
  'blocks',
  'payment-providers',
  'db',
  'server',
  'ui',
  'office',
  'web',
  'demo',
  'cli',
  'tests',
  'bench',
  'scripts',
] as const;

interface Source {
  /** Path below the root, with forward slashes. */
  path: string;
  text: string;
  isTest: boolean;
  imports: Import[];
}

const sources = folders.flatMap((folder) => sourcesUnder(join(root, folder)));

function sourcesUnder(folder: string): Source[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return sourcesUnder(path);
    return /(?<!\.gen)\.(tsx?|mjs|css)$/.test(entry.name) ? [readSource(path)] : [];
  });
}

function readSource(path: string): Source {
  const text = readFileSync(path, 'utf8');
  const below = relative(root, path).replaceAll('\\', '/');
  const isTest = below.startsWith('tests/') || /\.test\.tsx?$/.test(below);
  return { path: below, text, isTest, imports: path.endsWith('.css') ? [] : importsOf(text, path, root) };
}

/** Lines like `web/a.tsx imports server/b.ts` for what a rule forbids, so that a failure says where. */
function breaches(
  of: (source: Source) => boolean,
  forbidden: (imported: Import, source: Source) => boolean,
): string[] {
  return sources
    .filter(of)
    .flatMap((source) =>
      source.imports
        .filter((imported) => forbidden(imported, source))
        .map((imported) => `${source.path} imports ${imported.specifier}`),
    );
}

const program = (folder: string) => (source: Source) =>
  source.path.startsWith(`${folder}/`) && !source.isTest;
const inside = (path: string, ...places: string[]) =>
  places.some((place) => path === place || path.startsWith(`${place}/`));

describe('imports that dependency-cruiser does not check', () => {
  test('no schema library and no schema reaches the browser', () => {
    const storefront = (source: Source) =>
      program('web')(source) ||
      program('ui')(source) ||
      (program('blocks')(source) && source.path.endsWith('.tsx')) ||
      (program('payment-providers')(source) &&
        /^payment-providers\/(?:[^/]+\/browser\/|browser-registry)/.test(source.path));
    const browser = (source: Source) => storefront(source) || program('office')(source);
    const schemas = ({ target }: Import) =>
      /^blocks\/.*defin\w+\.ts$/.test(target) ||
      /^payment-providers\/(?:[^/]+\/contract|contract-registry)\.ts$/.test(target) ||
      target === 'typebox' ||
      target.startsWith('@sinclair/') ||
      inside(target, 'contract/schemas', 'contract/shop/endpoints.ts');
    expect(breaches(browser, (imported) => schemas(imported) && !imported.typeOnly)).toEqual([]);
    // What web takes from the contract at runtime must not bring schemas along.
    // The build replaces the tables that are derived from schemas by plain ones (web/build-plugins.ts).
    const reached = runtimeReach(sources.filter(storefront), [
      'contract/shop/routes.ts',
      'contract/payment-provider-table.ts',
    ]);
    const bringers = sources.filter(
      ({ path, imports }) =>
        reached.has(path) && imports.some((imported) => imported.target === 'typebox' && !imported.typeOnly),
    );
    expect(bringers.map(({ path }) => path)).toEqual([]);
  });

  test('only server/ssr names the web build', () => {
    const naming = sources
      .filter(program('server'))
      .filter(({ path, text }) => !inside(path, 'server/ssr') && /['"`/]dist[/'"`]/.test(text));
    expect(naming.map(({ path }) => path)).toEqual([]);
  });

  test('imports of the project name the file with its ending', () => {
    expect(
      breaches(
        () => true,
        ({ own, specifier }) => own && !/\.(tsx?|mjs|js|json|css|svg)(\?\w+)?$/.test(specifier),
      ),
    ).toEqual([]);
  });
});

describe('how a file is written', () => {
  test('nothing is left for later', () => {
    // Written apart, or this file would find itself.
    const words = ['TO' + 'DO', 'FIX' + 'ME', 'XX' + 'X', 'HA' + 'CK'];
    const word = new RegExp(`\\b(${words.join('|')})\\b`);
    expect(sources.filter(({ text }) => word.test(text)).map(({ path }) => path)).toEqual([]);
  });

  test('the clock is a dependency of services, not a global', () => {
    const asking = sources.filter(
      ({ path, text, isTest }) =>
        /^(?:server\/modules|payment-providers\/[^/]+\/server)\//.test(path) &&
        !isTest &&
        /\bDate\.now\(\)|new Date\(\)/.test(text),
    );
    expect(asking.map(({ path }) => path)).toEqual([]);
  });

  test('tests do not sleep', () => {
    // An evening, a shopper's acts, a stormy day and an update are played at their pace, and a template waits for the process that makes it.
    const allowed = [
      'scripts/update.slow.test.ts',
      'tests/architecture.test.ts',
      'tests/browser/evening.ts',
      'tests/browser/feel.ts',
      'tests/fault/weather.slow.test.ts',
      'tests/templates.ts',
    ];
    const sleeping = sources.filter(
      ({ isTest, text, path }) =>
        isTest && !allowed.includes(path) && /waitForTimeout\(|timers\/promises/.test(text),
    );
    expect(sleeping.map(({ path }) => path)).toEqual([]);
  });
});

/** Every file of the project that code of `start` loads when it runs, without the imports of the files in `leaves`. */
function runtimeReach(start: Source[], leaves: readonly string[]): Set<string> {
  const byPath = new Map(sources.map((source) => [source.path, source]));
  const reached = new Set<string>();
  const visit = ({ path, imports }: Source) => {
    if (reached.has(path)) return;
    reached.add(path);
    if (leaves.includes(path)) return;
    for (const { target, typeOnly } of imports) {
      const next = byPath.get(target);
      if (next && !typeOnly) visit(next);
    }
  };
  start.forEach(visit);
  return reached;
}

test('the scanner sees every form of import', () => {
  const text = [
    "import a from './a.ts';",
    "import type { B } from '#contract/b.ts';",
    "import 'side-effect';",
    "export * from '@scope/name/deep.js';",
    'import {\n  c,\n  type D,\n} from "./c.ts";',
    "const e = await import('./e.ts');",
    "// import no from './no.ts';",
    "/**\n * import never from './never.ts'\n */",
  ].join('\n');
  const found = importsOf(text, join(root, 'web/x.ts'), root).map(
    ({ target, typeOnly }) => `${target}${typeOnly ? ' (type)' : ''}`,
  );
  expect(found.sort()).toEqual([
    '@scope/name',
    'contract/b.ts (type)',
    'side-effect',
    'web/a.ts',
    'web/c.ts',
    'web/e.ts',
  ]);
});
