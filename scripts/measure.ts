/**
 * `npm run measure`: the size of the product code and the distances in it, so that two states can be compared by one script.
 *
 *   lines, files and tokens by folder · comments · carriers of a fact · importers · parameters · the longest chain of imports ·
 *   files on the way of three changes
 *
 * Product code is what the shop runs, without tests and migrations. A file is on the way of a change if one of its functions runs
 * while the change is made, in a shop that has made the same change before. Tokens are what a lexer yields without blanks and
 * comments: how much there is to read, however it is broken into lines. A file carries a fact if it names its field or its column.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseAst } from 'vite';
import { run as runCommand } from '#cli/run.ts';
import { clientToken, clientTokenHeader } from '#contract/limits.ts';
import { openDatabase } from '#db/database.ts';
import { migrate } from '#db/migrate.ts';
import { loadDemo } from '#demo/load.ts';
import { buildApp } from '#server/app.ts';
import { createContainer } from '#server/container.ts';
import { readEnv } from '#server/env.ts';
import { importsOf } from '../tests/imports.ts';
import { plainProduct } from '../tests/products.ts';
import { address, card, contact } from '../tests/shop-actions.ts';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const folders = [
  'server',
  'web',
  'office',
  'ui',
  'contract',
  'db',
  'cli',
  'blocks',
  'payment-providers',
  'demo',
];
/** More parameters are hard to read at the place of the call. */
const manyParameters = 5;
/** Shorter files are hardly more than their imports. */
const shortFile = 30;

interface Source {
  path: string;
  text: string;
  lines: number;
  comments: number;
  tokens: number;
}

/** Fields of products, orders, people and shops: what it takes to add the next one shows in how many files name them. */
const facts = [
  'gtin',
  'partySize',
  'tableNumber',
  'mobilePhone',
  'seoTitle',
  'minSubtotal',
  'allergens',
  'pickupDate',
  'freeOverCents',
];

/** Comments, strings, names, numbers, operators of several characters, and all else that is no blank. */
const token =
  /(?<comment>\/\/.*|\/\*[\s\S]*?\*\/)|`(?:\\[\s\S]|[^\\`])*`|'(?:\\.|[^\\'\n])*'|"(?:\\.|[^\\"\n])*"|[#\p{L}_$][\p{L}\p{N}_$]*|\d[\w.]*|=>|\.\.\.|[=!]==?|[<>]=|&&=?|\|\|=?|\?\?=?|\?\.|\+\+|--|\*\*|[-+*/%]=|\S/gu;

const sources = folders.flatMap((folder) => sourcesUnder(join(root, folder)));
printSizes();
printCarriers();
printImports();
await printWays();

function sourcesUnder(folder: string): Source[] {
  return entries(folder).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === 'migrations' ? [] : sourcesUnder(path);
    if (!/(?<!\.gen|\.test)\.(tsx?|mjs)$/.test(entry.name)) return [];
    const text = readFileSync(path, 'utf8');
    const comments = (text.match(/^[ \t]*(?:\/\/.*|\/\*[\s\S]*?\*\/)/gm) ?? []).flatMap((each) =>
      each.split('\n'),
    ).length;
    const tokens = [...text.matchAll(token)].filter(({ groups }) => groups?.comment === undefined).length;
    return [{ path: relative(root, path), text, lines: text.split('\n').length - 1, comments, tokens }];
  });
}

function entries(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    // A folder of this list may not exist yet.
    return [];
  }
}

function printSizes(): void {
  const inModules = (path: string) =>
    path
      .split('/')
      .slice(0, path.startsWith('server/modules/') ? 3 : 1)
      .join('/');
  console.log(
    '| Folder | Files | Lines | Comments | Tokens | Tokens a line |\n|---|---:|---:|---:|---:|---:|',
  );
  const groups = Map.groupBy(sources, ({ path }) => inModules(path));
  for (const [folder, files] of [...groups].sort()) row(folder, files);
  row('all', sources);
  const short = sources.filter(({ lines }) => lines <= shortFile);
  console.log(`\nFiles of at most ${shortFile} lines: ${short.length}`);
  const many = sources.filter(({ path }) => !path.endsWith('.mjs')).flatMap(functionsWithMany);
  console.log(`Functions with at least ${manyParameters} parameters: ${many.length}`);
}

function row(folder: string, files: readonly Source[]): void {
  const sum = (key: 'lines' | 'comments' | 'tokens') => files.reduce((total, file) => total + file[key], 0);
  const cells = [
    folder,
    files.length,
    sum('lines'),
    sum('comments'),
    sum('tokens'),
    (sum('tokens') / sum('lines')).toFixed(2),
  ];
  console.log(`| ${cells.join(' | ')} |`);
}

function printCarriers(): void {
  const counts = facts.map((field) => {
    const column = field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    const named = new RegExp(`\\b(?:${field}|${column})\\b`);
    return sources.filter(({ text }) => named.test(text)).length;
  });
  const mean = counts.reduce((sum, count) => sum + count, 0) / facts.length;
  const each = facts.map((field, index) => `${field} ${counts[index]}`);
  console.log(`Files that carry a fact: ${mean.toFixed(1)} on average (${each.join(', ')})`);
}

/** The functions of a file that take many parameters; a list of type arguments is `params` too. */
function functionsWithMany({ path, text }: Source): string[] {
  const found: string[] = [];
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    const { type, params } = node as { type?: string; params?: unknown };
    if (type?.includes('Function') && Array.isArray(params) && params.length >= manyParameters)
      found.push(path);
    Object.values(node).forEach(visit);
  };
  visit(parseAst(text, { lang: path.endsWith('x') ? 'tsx' : 'ts' }, path).body);
  return found;
}

function printImports(): void {
  const imports = new Map(
    sources.map(({ path, text }) => [
      path,
      importsOf(text, join(root, path), root).filter(({ own, typeOnly }) => own && !typeOnly),
    ]),
  );
  const importers = new Map<string, number>();
  for (const { path, text } of sources)
    for (const target of new Set(
      importsOf(text, join(root, path), root).flatMap((each) => (each.own ? each.target : [])),
    ))
      importers.set(target, (importers.get(target) ?? 0) + 1);
  const single = [...importers].filter(([path, count]) => count === 1 && imports.has(path));
  console.log(`Imported files with one importer: ${single.length} of ${importers.size}`);
  const depths = new Map<string, number>();
  const depth = (path: string, above: readonly string[]): number => {
    const known = depths.get(path);
    if (known !== undefined) return known;
    const below = (imports.get(path) ?? []).map(({ target }) => target);
    const deepest = below
      .filter((target) => target.startsWith('server/') && !above.includes(target))
      .reduce((most, target) => Math.max(most, depth(target, [...above, path])), 0);
    depths.set(path, deepest + 1);
    return deepest + 1;
  };
  const longest = Math.max(
    ...sources.filter(({ path }) => path.startsWith('server/')).map(({ path }) => depth(path, [])),
  );
  console.log(`Longest chain of run-time imports in server/: ${longest}`);
}

async function printWays(): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'shopwright-measure-'));
  const env = readEnv({ DATA_DIR: dataDir, LOG_LEVEL: 'silent', DEMO: '1' });
  const db = await openDatabase({ dataDir, durable: false });
  try {
    await migrate(db);
    const services = createContainer({ db, env, now: Date.now });
    await loadDemo(services, () => {});
    const app = await buildApp({ env, db, services, now: Date.now });
    const call = async (method: 'GET' | 'POST' | 'PUT', path: string, payload?: object, cookie = '') => {
      const url = `/api/istore/client/shoppingManagement4/${path}`;
      const headers = { [clientTokenHeader]: clientToken, ...(cookie ? { cookie } : {}) };
      const answer = await app.inject({ method, url, headers, ...(payload ? { payload } : {}) });
      if (answer.statusCode >= 400) throw new Error(`${path} answered ${answer.statusCode}: ${answer.body}`);
      return (
        [answer.headers['set-cookie'] ?? []]
          .flat()
          .map((line) => line.split(';')[0])
          .join('; ') || cookie
      );
    };
    const add = () => call('POST', 'myCart/MC-TP-01', { quantity: 1 });
    const ready = async () => {
      const cookie = await add();
      await call('POST', 'orderDeliverInfo', { address, contact, shippingContact: contact }, cookie);
      return cookie;
    };
    const pay = (cookie: string) =>
      call('POST', 'billing/{host}', { paymentInstrucment: card(), billingAddress: address }, cookie);
    let fills = 0;
    const fill = async () => {
      const file = join(dataDir, 'one.json');
      fills += 1;
      writeFileSync(
        file,
        JSON.stringify({
          products: [
            {
              ...plainProduct('measured-cup', { brand: 'kiln-no-9', category: 'teapots' }),
              priceCents: 1000 + fills,
              createdAt: undefined,
            },
          ],
        }),
      );
      const lines: string[] = [];
      if ((await runCommand(['fill', file], { DATA_DIR: dataDir }, (line) => lines.push(line))) !== 0)
        throw new Error(lines.join('\n'));
    };
    await way('add to cart', async () => add);
    await way('pay by card', async () => {
      const cookie = await ready();
      return () => pay(cookie);
    });
    // Any command opens the shop; what it takes is not part of the change.
    const opening = await filesOf(
      async () => () => runCommand(['settings', 'get', 'currency'], { DATA_DIR: dataDir }, () => {}),
    );
    await way('a product by fill', async () => fill, opening);
    await app.close();
  } finally {
    await db.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** Prints how many files run for a change, besides `others`. */
async function way(
  name: string,
  prepare: () => Promise<() => Promise<unknown>>,
  others: readonly string[] = [],
): Promise<void> {
  const files = (await filesOf(prepare)).filter((path) => !others.includes(path));
  console.log(`Files on the way of ${name}: ${files.length}`);
  if (process.argv.includes('--files')) for (const path of files.sort()) console.log(`  ${path}`);
}

/** The files of which a function runs for a change. `prepare` is called twice: the first change loads and compiles. */
async function filesOf(prepare: () => Promise<() => Promise<unknown>>): Promise<string[]> {
  await (await prepare())();
  const change = await prepare();
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  await session.post('Profiler.takePreciseCoverage');
  await change();
  const { result } = await session.post('Profiler.takePreciseCoverage');
  session.disconnect();
  return result
    .filter(({ functions }) => functions.some(({ ranges }) => ranges.some(({ count }) => count > 0)))
    .flatMap(({ url }) => (url.startsWith('file://') ? relative(root, fileURLToPath(url)) : []))
    .filter((path) => sources.some((source) => source.path === path));
}
