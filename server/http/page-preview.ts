/** A page of the shop as the storefront would draw it from what somebody is writing. Nothing of it is stored, cached or indexed. */
import type { FastifyInstance } from 'fastify';
import { type lookPages, pagePath } from '#contract/limits.ts';
import { type Locale, localizePath, mainLocale, offeredLocales } from '#contract/locales.ts';
import type { Edit } from '#contract/rules/patch.ts';
import type { PageContent } from '#contract/schemas/blocks.ts';
import type { SearchList } from '#contract/schemas/catalogue.ts';
import type { AppContent } from '#contract/schemas/shop.ts';
import { type ApiTransport, requestOf } from '#contract/transport.ts';
import { notFound } from '#server/platform/errors.ts';
import { inProcessTransport, type WebRenderer, withStyle } from '#server/ssr/renderer.ts';
import { shopOrigin } from './origin.ts';
import { serveStaff } from './staff-endpoint.ts';

interface PagePreviewDeps {
  /** Null: there is no storefront. */
  web: Pick<WebRenderer, 'render'> | null;
  publicUrl: string | null;
  /** @throws {AppError} 404 if there is no such page */
  draft(name: string, edits: readonly Edit[], locale: Locale): Promise<PageContent>;
  /** @throws {AppError} 404 if there is no such place */
  navigationDraft(id: string, edits: readonly Edit[], locale: Locale): Promise<AppContent>;
  /** @throws {AppError} 404 if there is no such look */
  lookDraft(id: string, edits: readonly Edit[], locale: Locale): Promise<{ content: AppContent; style: string }>;
  /** Of the look as it is stored. */
  style(): Promise<string>;
}

interface Answer {
  url: string;
  body: unknown;
}

const nobody = { user: null, lastLoginDate: null, userID: null };

export function registerPagePreview(app: FastifyInstance, deps: PagePreviewDeps): void {
  const { web, publicUrl, draft, navigationDraft, lookDraft } = deps;
  const origin = shopOrigin(app, publicUrl);
  /** A page, where one call answers with what somebody is writing. */
  async function drawn(path: string, language: Locale, answer: Answer, style = deps.style()): Promise<{ html: string }> {
    const others = inProcessTransport(app, { cached: (each) => app.contract.cache.text(each) });
    const transport: ApiTransport = async (request) =>
      request.url === answer.url ? { status: 200, body: answer.body } : others(request);
    const page = await web?.render({
      url: localizePath(path, language),
      transport,
      visitor: false,
      origin: origin(),
      languages: offeredLocales(),
    });
    if (!page || page.redirect) throw notFound();
    if (page.error !== undefined) throw page.error;
    return { html: withoutScripts(withStyle(page, await style).html) };
  }
  /** A list or a product that the shop has; without any, the first page. */
  async function pathOf(page: (typeof lookPages)[number]): Promise<string> {
    if (page === 'list') return '/productlist';
    if (page === 'home') return '/';
    const first = requestOf('products', { query: { numberToLoad: 1 } }, mainLocale());
    const { body } = await inProcessTransport(app, {})(first);
    const [product] = (body as SearchList).products;
    return product ? `/product/${encodeURIComponent(product.id)}` : '/';
  }
  serveStaff(app, 'tryPage', async ({ params: { id }, body: { edits, language } }) => {
    const body = await draft(id, edits, language);
    const { url } = requestOf('pageContent', { query: { pageName: id } }, language);
    return drawn(pagePath(id), language, { url, body });
  });
  serveStaff(app, 'tryNavigation', async ({ params: { id }, body: { edits, language } }) => {
    const appContent = await navigationDraft(id, edits, language);
    const { url } = requestOf('appInfoInit', {}, language);
    return drawn('/', language, { url, body: { appContent, ...nobody } });
  });
  serveStaff(app, 'tryLook', async ({ params: { id }, body: { edits, language, page } }) => {
    const { content: appContent, style } = await lookDraft(id, edits, language);
    const { url } = requestOf('appInfoInit', {}, language);
    return drawn(await pathOf(page), language, { url, body: { appContent, ...nobody } }, Promise.resolve(style));
  });
}

/** As it stands. React writes attributes with double quotes, and quotes of texts as entities. */
export function withoutScripts(html: string): string {
  return html
    .replaceAll(/<(script|noscript)\b[^>]*>[\s\S]*?<\/\1>/g, '')
    .replaceAll(/<link\b[^>]*\brel="(?:modulepreload|preload|manifest)"[^>]*>/g, '')
    .replaceAll(' style="', ' data-style="');
}
