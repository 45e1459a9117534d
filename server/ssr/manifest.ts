/** Reads Vite's manifest to find the files a page needs, so that the browser requests all of them at once. */
import type { Locale } from '#contract/locales.ts';
import { escapeHtml } from '#server/platform/html.ts';

interface Chunk {
  file: string;
  imports?: string[];
  css?: string[];
  assets?: string[];
}

export type Manifest = Record<string, Chunk>;

const entry = 'web/entry.client.tsx';
const routesFolder = 'web/routes/';

/**
 * The head markup of a page: the entry with everything it imports, the chunks of the matched routes, the messages of its
 * language, and the fonts of the first view. Scripts have low priority: the server-rendered page is visible without them.
 */
export function headMarkup(
  manifest: Manifest,
): (page: { routeIds: string[]; locale: Locale; messages: string | null }) => string {
  const routes = chunksByRoute(manifest);
  const main = manifest[entry];
  if (!main) throw new Error(`The build's manifest has no ${entry}: build again`);
  const made = new Map<string, string>();

  return ({ routeIds, locale, messages: part }) => {
    const key = `${locale} ${routeIds.join(' ')}`;
    const known = made.get(key);
    if (known !== undefined) return known;
    const messages = `contract/messages/${locale}.json`;
    const roots = [entry, ...routeIds.flatMap((id) => routes.get(id) ?? []), messages, ...(part ? [`${messages}?${part}`] : [])];
    const chunks = withImports(manifest, roots);
    const styles = [...new Set(chunks.flatMap((chunk) => chunk.css ?? []))];
    const scripts = chunks.map((chunk) => chunk.file).filter((file) => file !== main.file);
    const markup = [
      ...firstFonts(chunks).map(
        (file) => `<link rel="preload" as="font" type="font/woff2" crossorigin href="/${escapeHtml(file)}">`,
      ),
      ...styles.map((file) => `<link rel="stylesheet" href="/${escapeHtml(file)}">`),
      ...scripts.map((file) => `<link rel="modulepreload" href="/${escapeHtml(file)}" fetchpriority="low">`),
      `<script type="module" src="/${escapeHtml(main.file)}" fetchpriority="low"></script>`,
    ].join('');
    made.set(key, markup);
    return markup;
  };
}

/** A route's chunks by route id, as the router names it. A chunk's key is its file, with the name of any split part. */
function chunksByRoute(manifest: Manifest): Map<string, string[]> {
  const routes = new Map<string, string[]>();
  for (const key of Object.keys(manifest)) {
    if (!key.startsWith(routesFolder) || !key.includes('tsr-split=component')) continue;
    const id = routeIdOf(key.slice(routesFolder.length).replace(/\?.*$/, ''));
    routes.set(id, [...(routes.get(id) ?? []), key]);
  }
  return routes;
}

/** Maps `product.$id.tsx` to `/product/$id`, `brand/index.tsx` to `/brand/` and `__root.tsx` to `__root__`. */
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

/** The two upright Latin faces; other scripts and styles load when a page uses them. */
function firstFonts(chunks: Chunk[]): string[] {
  const files = chunks.flatMap((chunk) => chunk.assets ?? []);
  return [...new Set(files)].filter((file) => /-latin-(?!ext)/.test(file) && file.endsWith('.woff2') && !file.includes('italic'));
}
