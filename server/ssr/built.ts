import { access, readdir, readFile, stat } from 'node:fs/promises';
import { basename, extname, join, normalize } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { RenderedDocument, RenderPage } from '#contract/transport.ts';
import { escapeHtml } from '#server/platform/html.ts';
import { finishPage, hashOf, isScanner, type PageHead, type WebAsset, type WebRenderer } from './renderer.ts';

const entry = 'web/entry.client.tsx';
const routesFolder = 'web/routes/';

const types: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.woff2': 'font/woff2',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.ico': 'image/x-icon',
  '.wasm': 'application/wasm',
};

const allBuilds = join(import.meta.dirname, '../../dist');

/** `build` is a folder in `builds`; without it the one that was built last is read. Later builds do not touch it. */
export async function openBuiltRenderer(build?: string, builds = allBuilds): Promise<WebRenderer> {
  const name = build ?? (await latestBuild(builds));
  const dist = join(builds, name);
  const web = join(dist, 'web');
  const manifestFile = join(web, '.vite/manifest.json');
  const manifest = JSON.parse(await readFile(manifestFile, 'utf8')) as Manifest;
  const startScript = await readFile(join(web, '.vite/start.js'), 'utf8');
  const head: PageHead = { markup: headMarkup(manifest, startScript), scriptHashes: [hashOf(startScript)] };
  const { renderPage } = (await import(pathToFileURL(join(dist, 'server/entry.server.js')).href)) as {
    renderPage: RenderPage;
  };
  const officeDocument = async (path: string) => readFile(join(web, path), 'utf8');
  const [office, scan] = await Promise.all([
    officeDocument('office/index.html'),
    officeDocument('office/scan/index.html'),
  ]);
  const assets = new Map<string, Promise<WebAsset | null>>();

  return {
    office: async (url) => (isScanner(url) ? scan : office),
    render: async (request) => finishPage(await renderPage(request), head),
    async asset(path) {
      const known = assets.get(path);
      if (known) return known;
      const reading = readAsset(web, path).then((asset) => asset ?? assetOfOtherBuild(builds, name, path));
      // Only existing files are cached, so that guessed names do not fill memory.
      if (await reading) assets.set(path, reading);
      return reading;
    },
    check: () => access(manifestFile),
    close: async () => {},
  };
}

async function latestBuild(builds: string): Promise<string> {
  const folder = join(builds, '.current');
  const pointers = await Promise.all(
    (await readdir(folder)).map(async (name) => {
      const file = join(folder, name);
      return { file, writtenAt: (await stat(file)).mtimeMs };
    }),
  );
  const [latest] = pointers.sort((a, b) => b.writtenAt - a.writtenAt);
  if (!latest) throw new Error('There is no build: run `npm run build`');
  return (JSON.parse(await readFile(latest.file, 'utf8')) as { name: string }).name;
}

/** Vite puts a digest of the file into its name. */
const digestedName = /-[\w-]{8}\.\w+$/;

/** What a page that was opened before an update loads late. Names of assets are theirs alone, so any build's file is the right one. */
async function assetOfOtherBuild(builds: string, own: string, path: string): Promise<WebAsset | null> {
  if (!path.startsWith('/assets/') || !digestedName.test(basename(path))) return null;
  const others = (await readdir(builds).catch(() => [])).filter(
    (name) => name !== own && !name.startsWith('.'),
  );
  for (const name of others) {
    const asset = await readAsset(join(builds, name, 'web'), path);
    if (asset) return asset;
  }
  return null;
}

async function readAsset(web: string, path: string): Promise<WebAsset | null> {
  const type = types[extname(path)];
  const file = normalize(path);
  if (!type || file.includes('..') || file.includes('\0') || file.includes('/.')) return null;
  const read = (suffix = '') => readFile(join(web, file + suffix)).catch(() => null);
  const [body, brotli, gzip] = await Promise.all([read(), read('.br'), read('.gz')]);
  return body && { type, body, brotli, gzip, immutable: file.startsWith('/assets/') };
}

interface Chunk {
  file: string;
  imports?: string[];
  css?: string[];
  assets?: string[];
}

export type Manifest = Record<string, Chunk>;

type HeadOptions = Pick<RenderedDocument, 'routeIds' | 'locale' | 'messages' | 'earlyCalls'>;

/** The inline `startScript` requests the entry with everything it imports, the chunks of the matched routes and the messages. */
export function headMarkup(manifest: Manifest, startScript: string): (page: HeadOptions) => string {
  const routes = chunksByRoute(manifest);
  const main = manifest[entry];
  if (!main) throw new Error(`The build's manifest has no ${entry}: build again`);
  const made = new Map<string, string>();

  return ({ routeIds, locale, messages: part, earlyCalls }) => {
    const key = `${locale} ${routeIds.join(' ')} ${earlyCalls.join(' ')}`;
    const known = made.get(key);
    if (known !== undefined) return known;
    const messages = `contract/messages/${locale}.json`;
    const roots = [
      entry,
      ...routeIds.flatMap((id) => routes.get(id) ?? []),
      messages,
      ...(part ? [`${messages}?${part}`] : []),
    ];
    const chunks = withImports(manifest, roots);
    const styles = [...new Set(chunks.flatMap((chunk) => chunk.css ?? []))];
    const scripts = [main, ...chunks.filter((chunk) => chunk !== main)].map(({ file }) => `/${file}`);
    const calls = earlyCalls.length > 0 ? ` data-calls="${escapeHtml(earlyCalls.join(' '))}"` : '';
    const markup = [
      // Before the style sheet, which it would wait for.
      `<script data-scripts="${escapeHtml(scripts.join(' '))}"${calls}>${startScript}</script>`,
      // Before the fonts: nothing is drawn without it, and the connection that brought the page takes one file only at a time.
      ...styles.map((file) => `<link rel="stylesheet" href="/${escapeHtml(file)}">`),
      ...firstFonts(chunks).map(
        (file) => `<link rel="preload" as="font" type="font/woff2" crossorigin href="/${escapeHtml(file)}">`,
      ),
    ].join('');
    made.set(key, markup);
    return markup;
  };
}

/** A chunk's key is its file, with the name of any split part. */
function chunksByRoute(manifest: Manifest): Map<string, string[]> {
  const routes = new Map<string, string[]>();
  for (const key of Object.keys(manifest)) {
    if (!key.startsWith(routesFolder) || !key.includes('tsr-split=component')) continue;
    const id = routeIdOf(key.slice(routesFolder.length).replace(/\?.*$/, ''));
    routes.set(id, [...(routes.get(id) ?? []), key]);
  }
  return routes;
}

/** `product.$id.tsx` is `/product/$id`, `brand/index.tsx` `/brand/`, `__root.tsx` `__root__`. */
export function routeIdOf(file: string): string {
  const path = file.replace(/\.tsx?$/, '').replaceAll('.', '/');
  if (path === '__root') return '__root__';
  return `/${path}`.replace(/\/index$/, '/');
}

function withImports(manifest: Manifest, roots: string[]): Chunk[] {
  const seen = new Set<string>();
  const visit = (key: string) => {
    const chunk = manifest[key];
    if (!chunk || seen.has(key)) return;
    seen.add(key);
    for (const imported of chunk.imports ?? []) visit(imported);
  };
  roots.forEach(visit);
  return [...seen].flatMap((key) => manifest[key] ?? []);
}

/** Other scripts and styles load when a page uses them. */
function firstFonts(chunks: Chunk[]): string[] {
  const files = chunks.flatMap((chunk) => chunk.assets ?? []);
  return [...new Set(files)].filter(
    (file) => /-latin-(?!ext)/.test(file) && file.endsWith('.woff2') && !file.includes('italic'),
  );
}
