/** Renders pages from the sources as the server sends them, without a build or a browser, and reads their markup. */
import type { RenderPage } from '#contract/transport.ts';
import type { OpenRenderer } from '#server/app.ts';
import { finishPage } from '#server/ssr/renderer.ts';

/** A variable, so that the tests’ types do not include the browser types of the storefront. */
const entry: string = '#web/entry.server.tsx';

/** For `createTestApp({ app: { web: renderFromSources } })`. Its pages have no scripts or styles of a build. */
export const renderFromSources: OpenRenderer = async () => {
  const { renderPage } = (await import(entry)) as { renderPage: RenderPage };
  return {
    render: async (request) => finishPage(await renderPage(request), { markup: () => '' }),
    asset: async () => null,
    close: async () => {},
  };
};

export interface RenderedPage {
  /** Path and query, language included. */
  path: string;
  status: number;
  html: string;
  headers: Record<string, unknown>;
}

interface Server {
  inject(url: string): Promise<{ statusCode: number; body: string; headers: Record<string, unknown> }>;
}

export async function renderedPage(app: Server, path: string): Promise<RenderedPage> {
  const { statusCode, body, headers } = await app.inject(path);
  return { path, status: statusCode, html: body, headers };
}

/** Decodes the entities of an attribute or a text, as a browser does. */
export function unescapeHtml(text: string): string {
  const named: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
  return text.replace(
    /&(?:#x([0-9a-f]+)|#(\d+)|(\w+));/gi,
    (entity, hex?: string, decimal?: string, name?: string) => {
      if (hex) return String.fromCodePoint(Number.parseInt(hex, 16));
      if (decimal) return String.fromCodePoint(Number(decimal));
      return named[name ?? ''] ?? entity;
    },
  );
}

/** The contents of `<meta>` elements by name or property. @throws {Error} if a name occurs twice */
export function metaOf(html: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const [element] of html.matchAll(/<meta [^>]*>/g)) {
    const key = / (?:name|property)="([^"]*)"/.exec(element)?.[1];
    const media = / media="([^"]*)"/.exec(element)?.[1] ?? '';
    const content = / content="([^"]*)"/.exec(element)?.[1];
    if (key === undefined || content === undefined) continue;
    if (found.has(key + media)) throw new Error(`The page has two ${key}`);
    found.set(key + media, unescapeHtml(content));
  }
  return found;
}

/** The addresses of `<link rel>`, by `rel` and `hreflang`. */
export function linksOf(html: string): Map<string, string> {
  return new Map(
    [...html.matchAll(/<link [^>]*>/g)].flatMap(([element]) => {
      const attribute = (name: string) => new RegExp(` ${name}="([^"]*)"`, 'i').exec(element)?.[1];
      const rel = attribute('rel');
      const language = attribute('hreflang');
      return rel
        ? [[language ? `${rel} ${language}` : rel, unescapeHtml(attribute('href') ?? '')] as const]
        : [];
    }),
  );
}

/** Every object of structured data on the page. Those of a graph are listed one by one. */
export function jsonLdOf(html: string): Record<string, unknown>[] {
  return [...html.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/gs)].flatMap(
    ([, json = '']) => {
      const data = JSON.parse(json) as { '@context'?: unknown; '@graph'?: Record<string, unknown>[] };
      if (data['@context'] !== 'https://schema.org')
        throw new Error(`Structured data without its context: ${json.slice(0, 100)}`);
      return data['@graph'] ?? [data as Record<string, unknown>];
    },
  );
}
