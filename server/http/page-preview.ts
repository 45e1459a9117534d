/** A page of the shop as the storefront would draw it from what somebody is writing. Nothing of it is stored, cached or indexed. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { dateFormat } from '#contract/formatters.ts';
import { draftFolder, type lookPages, pagePath, postPath } from '#contract/limits.ts';
import {
  type Locale,
  locales,
  localizePath,
  mainLocale,
  offeredLocales,
  splitLocale,
} from '#contract/locales.ts';
import type { Edit } from '#contract/rules/patch.ts';
import type { PageContent } from '#contract/schemas/blocks.ts';
import type { BlogPost } from '#contract/schemas/blog.ts';
import type { SearchList } from '#contract/schemas/catalogue.ts';
import type { AppContent } from '#contract/schemas/shop.ts';
import type { DraftedName } from '#contract/staff/document-names.ts';
import { staffTranslate } from '#contract/staff/messages.ts';
import { requestOf } from '#contract/transport.ts';
import { AppError, notFound } from '#server/platform/errors.ts';
import { escapeHtml } from '#server/platform/html.ts';
import { inProcessTransport, type PageStyle, type WebRenderer } from '#server/ssr/renderer.ts';
import { shopOrigin } from './origin.ts';
import { pageType } from './page-answer.ts';
import { orBusy } from './pages.ts';
import type { RenderQueue } from './render-queue.ts';
import { serveStaff } from './staff-endpoint.ts';
import { createStillPages, type GivenAnswer, policyOfStill, styled } from './still-page.ts';

interface PagePreviewDeps {
  /** Null: there is no storefront. */
  web: Pick<WebRenderer, 'render'> | null;
  publicUrl: string | null;
  /** @throws {AppError} 404 if there is no such page */
  draft(name: string, edits: readonly Edit[], locale: Locale): Promise<PageContent>;
  /** @throws {AppError} 404 if there is no such post */
  postDraft(id: string, edits: readonly Edit[], locale: Locale): Promise<BlogPost>;
  /** @throws {AppError} 404 if there is no such place */
  navigationDraft(id: string, edits: readonly Edit[], locale: Locale): Promise<AppContent>;
  /** @throws {AppError} 404 if there is no such look */
  lookDraft(
    id: string,
    edits: readonly Edit[],
    locale: Locale,
  ): Promise<{ content: AppContent; style: PageStyle }>;
  /** Of the look as it is stored. */
  style(): Promise<PageStyle>;
  /** What the secret of a link shows. @throws {AppError} NOT_FOUND, RATE_LIMITED */
  openLink(token: string, address: string): Promise<{ kind: DraftedName; id: string; endsAt: number }>;
  timeZone(): Promise<string>;
  renders: RenderQueue;
}

const nobody = { user: null, lastLoginDate: null, userID: null };

export function registerPagePreview(app: FastifyInstance, deps: PagePreviewDeps): void {
  const { web, publicUrl, draft, postDraft, navigationDraft, lookDraft } = deps;
  const origin = shopOrigin(app, publicUrl);
  const draw = createStillPages(app, { web, origin });
  /** A page, where one call answers with what somebody is writing. */
  const drawn = async (path: string, language: Locale, answer: GivenAnswer, style = deps.style()) =>
    draw(path, language, answer, await style);
  /** A list or a product that the shop has; without any, the first page. */
  async function pathOf(page: (typeof lookPages)[number]): Promise<string> {
    if (page === 'list') return '/productlist';
    if (page === 'home') return '/';
    const first = requestOf('products', { query: { numberToLoad: 1 } }, mainLocale());
    const { body } = await inProcessTransport(app, {})(first);
    const [product] = (body as SearchList).products;
    return product ? `/product/${encodeURIComponent(product.id)}` : '/';
  }
  async function drawnPage(id: string, edits: readonly Edit[], language: Locale): Promise<{ html: string }> {
    const body = await draft(id, edits, language);
    const { url } = requestOf('pageContent', { query: { pageName: id } }, language);
    return drawn(pagePath(id), language, { url, body });
  }
  async function drawnPost(id: string, edits: readonly Edit[], language: Locale): Promise<{ html: string }> {
    const body = await postDraft(id, edits, language);
    const { url } = requestOf('blogPost', { params: { link: body.link } }, language);
    return drawn(postPath(body.link), language, { url, body });
  }
  serveStaff(app, 'tryPage', ({ params: { id }, body: { edits, language } }) =>
    drawnPage(id, edits, language),
  );
  serveStaff(app, 'tryPost', ({ params: { id }, body: { edits, language } }) =>
    drawnPost(id, edits, language),
  );
  if (web) registerDraftLinks(app, { ...deps, drawnAs: { page: drawnPage, post: drawnPost } });
  serveStaff(app, 'tryNavigation', async ({ params: { id }, body: { edits, language } }) => {
    const appContent = await navigationDraft(id, edits, language);
    const { url } = requestOf('appInfoInit', {}, language);
    const given = { url, body: { appContent, ...nobody } };
    return draw('/', language, given, await deps.style(), { drawsMenu: true });
  });
  serveStaff(app, 'tryLook', async ({ params: { id }, body: { edits, language, page } }) => {
    const { content: appContent, style } = await lookDraft(id, edits, language);
    const { url } = requestOf('appInfoInit', {}, language);
    return drawn(
      await pathOf(page),
      language,
      { url, body: { appContent, ...nobody } },
      Promise.resolve(style),
    );
  });
}

type DraftLinkDeps = Pick<PagePreviewDeps, 'openLink' | 'timeZone' | 'renders'> & {
  drawnAs: Readonly<
    Record<DraftedName, (id: string, edits: readonly Edit[], language: Locale) => Promise<{ html: string }>>
  >;
};

/**
 * Serves what is written of a page or a post to whoever has the secret of a link, in each language: for one reader, not cached, and without
 * scripts, which would ask for what is published.
 */
function registerDraftLinks(
  app: FastifyInstance,
  { openLink, timeZone, renders, drawnAs }: DraftLinkDeps,
): void {
  const answer = async (
    request: FastifyRequest<{ Params: { token: string } }>,
    reply: FastifyReply,
  ): Promise<FastifyReply> => {
    const { token } = request.params;
    const { locale, pathname } = splitLocale(request.url.split('?', 1)[0] ?? '');
    const t = staffTranslate(locale);
    const send = (status: number, html: string) =>
      reply
        .status(status)
        .headers({ ...secretHeaders, 'content-security-policy': policyOf(html) })
        .type(pageType)
        .send(html);
    try {
      // Another first part is no language.
      if (!pathname.startsWith(draftFolder)) throw notFound();
      const { kind, id, endsAt } = await openLink(token, request.ip);
      const format = {
        dateStyle: 'medium',
        timeStyle: 'short',
        hourCycle: 'h23',
        timeZone: await timeZone(),
      } as const;
      const until = dateFormat(locale, format).format(endsAt);
      const others = offeredLocales().filter((code) => code !== locale);
      const links = others.map(
        (code) =>
          `<a href="${localizePath(draftFolder + token, code)}" ${linkStyle}>${locales[code].name}</a>`,
      );
      const strip = `<aside ${stripStyle}>${escapeHtml(t('office.share.strip', { until }))} ${links.join(' ')}</aside>`;
      const { html } = await renders.run(() => drawnAs[kind](id, [], locale));
      return send(
        200,
        styled(html).replace(/<body[^>]*>/, (body) => body + strip),
      );
    } catch (error) {
      if (!(error instanceof AppError) || error.errorType !== 'NOT_FOUND') throw error;
      return send(404, noPage(locale, t('office.share.ended')));
    }
  };
  for (const prefix of ['', '/:language'])
    app.get<{ Params: { token: string } }>(`${prefix}${draftFolder}:token`, (request, reply) =>
      orBusy(request, reply, () => answer(request, reply)),
    );
}

const secretHeaders = {
  'cache-control': 'no-store',
  'x-robots-tag': 'noindex, nofollow',
  'referrer-policy': 'no-referrer',
};
const stripStyle =
  'style="background:#1f2937;color:#fff;padding:12px 16px;text-align:center;font:600 15px/1.5 system-ui,sans-serif"';
const linkStyle = 'style="color:#fff;text-decoration:underline;margin-left:8px"';

/** Nothing can be sent from it: what is written is for looking at. */
const policyOf = (html: string) => policyOfStill(html).replace("form-action 'self'", "form-action 'none'");

function noPage(locale: Locale, text: string): string {
  const head = `<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(text)}</title>`;
  return `<!doctype html><html lang="${locales[locale].tag}"><head>${head}</head><body><p>${escapeHtml(text)}</p></body></html>`;
}
