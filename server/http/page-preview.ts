/** A page of the shop as the storefront would draw it from what somebody is writing. Nothing of it is stored, cached or indexed. */
import type { FastifyInstance } from 'fastify';
import { type Locale, localizePath, offeredLocales } from '#contract/locales.ts';
import type { Edit } from '#contract/rules/patch.ts';
import type { PageContent } from '#contract/schemas/blocks.ts';
import { type ApiTransport, requestOf } from '#contract/transport.ts';
import { notFound } from '#server/platform/errors.ts';
import { inProcessTransport, type WebRenderer } from '#server/ssr/renderer.ts';
import { shopOrigin } from './origin.ts';
import { serveStaff } from './staff-endpoint.ts';

interface PagePreviewDeps {
  /** Null: there is no storefront. */
  web: Pick<WebRenderer, 'render'> | null;
  publicUrl: string | null;
  /** @throws {AppError} 404 if there is no such page */
  draft(name: string, edits: readonly Edit[], locale: Locale): Promise<PageContent>;
}

/** The page answers at the shop's address. */
const homePage = 'home';

export function registerPagePreview(app: FastifyInstance, { web, publicUrl, draft }: PagePreviewDeps): void {
  const origin = shopOrigin(app, publicUrl);
  serveStaff(app, 'tryPage', async ({ params: { id }, body: { edits, language } }) => {
    const page = await draft(id, edits, language);
    const { url } = requestOf('pageContent', { query: { pageName: id } }, language);
    const others = inProcessTransport(app, { cached: (each) => app.contract.cache.text(each) });
    const transport: ApiTransport = async (request) => (request.url === url ? { status: 200, body: page } : others(request));
    const drawn = await web?.render({
      url: localizePath(id === homePage ? '/' : `/${id}`, language),
      transport,
      visitor: false,
      origin: origin(),
      languages: offeredLocales(),
    });
    if (!drawn || drawn.redirect) throw notFound();
    if (drawn.error !== undefined) throw drawn.error;
    return { html: withoutScripts(drawn.html) };
  });
}

/** As it stands. React writes attributes with double quotes, and quotes of texts as entities. */
export function withoutScripts(html: string): string {
  return html
    .replaceAll(/<(script|noscript)\b[^>]*>[\s\S]*?<\/\1>/g, '')
    .replaceAll(/<link\b[^>]*\brel="(?:modulepreload|preload|manifest)"[^>]*>/g, '')
    .replaceAll(' style="', ' data-style="');
}
