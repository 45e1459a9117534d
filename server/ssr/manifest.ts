import type { RenderedDocument } from '#contract/rendering.ts';
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

export type HeadOptions = Pick<RenderedDocument, 'routeIds' | 'locale' | 'messages' | 'earlyCalls'>;

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
    const roots = [entry, ...routeIds.flatMap((id) => routes.get(id) ?? []), messages, ...(part ? [`${messages}?${part}`] : [])];
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
  return [...new Set(files)].filter((file) => /-latin-(?!ext)/.test(file) && file.endsWith('.woff2') && !file.includes('italic'));
}
