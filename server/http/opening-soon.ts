/**
 * Before the shop opens, visitors see one page of it, and nothing is read, sold or indexed. Staff who are signed in see the shop, and
 * whoever has its password.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { draftFolder, pagePath, staffBase } from '#contract/limits.ts';
import { type Locale, locales, localizePath, offeredLocales, splitLocale } from '#contract/locales.ts';
import type { PageContent } from '#contract/schemas/blocks.ts';
import type { OpeningSoon } from '#contract/schemas/more-settings.ts';
import type { AppContent } from '#contract/schemas/shop.ts';
import { requestOf } from '#contract/transport.ts';
import type { Database } from '#db/database.ts';
import { escapeHtml } from '#server/platform/html.ts';
import { translate } from '#server/platform/i18n.ts';
import {
  type Attempt,
  networkOf,
  type RateLimitsService,
} from '#server/platform/rate-limits/rate-limits.service.ts';
import { topics } from '#server/platform/recorded-reads.ts';
import { isInProcess, type PageStyle } from '#server/ssr/renderer.ts';
import { errorBody } from './errors.ts';
import { pageType } from './page-answer.ts';
import { orBusy } from './pages.ts';
import type { RenderQueue } from './render-queue.ts';
import { cookieOf, isSecure } from './session-cookie.ts';
import { isStaff } from './staff-endpoint.ts';
import { type DrawStill, policyOfStill, styled } from './still-page.ts';

interface OpeningSoonDeps {
  db: Database;
  setting(): Promise<OpeningSoon>;
  attempts: RateLimitsService;
  renders: RenderQueue;
  draw: DrawStill;
  style(): Promise<PageStyle>;
  /** As visitors see it. @throws {AppError} 404 if there is no such page */
  page(name: string, locale: Locale): Promise<PageContent>;
  shell(locale: Locale): Promise<AppContent>;
}

const formPath = '/page/opening-soon';
const passCookie = 'opening';
const passDays = 30;
const retryAfterSeconds = 60 * 60;

/** What is needed to run the shop before it opens: the office, files of pages, callbacks of providers, health checks. */
const openFolders = [
  '/office/',
  '/assets/',
  '/media/',
  staffBase,
  '/api/webhooks/',
  '/healthz',
  '/readyz',
  '/favicon',
  draftFolder,
];
const pathOf = (url: string) => splitLocale(url.split('?', 1)[0] ?? '/').pathname;

function isAlwaysOpen(url: string): boolean {
  const path = pathOf(url);
  // Proofs of the domain; agents find the shop below it too.
  if (path.startsWith('/.well-known/')) return !path.startsWith('/.well-known/ucp');
  return path === '/office' || path === formPath || openFolders.some((folder) => path.startsWith(folder));
}

export function registerOpeningSoon(app: FastifyInstance, deps: OpeningSoonDeps): void {
  const { setting } = deps;
  const { changes } = deps.db;
  /** As it was last read: while the shop is open, no request waits for it. */
  let known: { moment: number; on: boolean } | null = null;
  const current = async (): Promise<OpeningSoon> => {
    const { moment } = changes;
    const now = await setting();
    known = { moment, on: now.on };
    return now;
  };
  app.addHook('onRequest', (request, reply, done) => {
    const isKnown = known !== null && !changes.changedSince(known.moment, [topics.settings]);
    if ((isKnown && !known?.on) || isAlwaysOpen(request.url) || isInProcess(request)) {
      done();
      return;
    }
    current().then(
      async (now) => {
        if (!now.on || hasPass(request, now) || (await isStaff(app, request))) done();
        else await refuse(request, reply, now, deps).catch(done);
      },
      // While the database cannot be reached, what was cached is shown, as it is to everybody.
      () => done(),
    );
  });
  registerForm(app, deps);
}

/** The password opens nothing else, so a browser keeps what follows from it. */
const passOf = (password: string) =>
  createHash('sha256').update(`opening soon ${password}`).digest('base64url');

function hasPass(request: FastifyRequest, { password }: OpeningSoon): boolean {
  return password !== '' && isSame(cookieOf(request.headers.cookie, passCookie) ?? '', passOf(password));
}

function isSame(given: string, wanted: string): boolean {
  const [a, b] = [given, wanted].map((each) => createHash('sha256').update(each).digest()) as [
    Buffer,
    Buffer,
  ];
  return timingSafeEqual(a, b);
}

async function refuse(
  request: FastifyRequest,
  reply: FastifyReply,
  now: OpeningSoon,
  deps: OpeningSoonDeps,
): Promise<void> {
  const path = pathOf(request.url);
  reply.headers({ 'cache-control': 'no-store', 'x-robots-tag': 'noindex' });
  if (path === '/robots.txt') {
    await reply.type('text/plain; charset=utf-8').send('User-agent: *\nDisallow: /\n');
    return;
  }
  const isPage =
    ['GET', 'HEAD'].includes(request.method) &&
    !/^\/(?:api|\.well-known)\//.test(path) &&
    !path.includes('.');
  if (!isPage) {
    const body = errorBody(request, 'SYSTEM_ERROR', { errorKey: 'error.shopClosed' });
    await reply
      .status(503)
      .header('retry-after', retryAfterSeconds)
      .type('application/json; charset=utf-8')
      .send(JSON.stringify(body));
    return;
  }
  await orBusy(request, reply, async () => {
    const { locale } = splitLocale(request.url.split('?', 1)[0] ?? '/');
    return sendPage(reply, await deps.renders.run(() => drawn(locale, now, deps)));
  });
}

function sendPage(reply: FastifyReply, html: string): FastifyReply {
  return reply.header('content-security-policy', policyOfStill(html)).type(pageType).send(html);
}

/** The page alone: what leads into the shop is left out. */
const withoutFrame = (html: string) =>
  html
    .replace(/<header\b[\s\S]*<\/header>(?=[\s\S]*?<main\b)/, '')
    .replace(/(<\/main>[\s\S]*?)<footer\b[\s\S]*<\/footer>/, '$1');

async function drawn(
  locale: Locale,
  { page, password }: OpeningSoon,
  deps: OpeningSoonDeps,
  isWrong = false,
): Promise<string> {
  const shell = await deps.shell(locale);
  const name = page ?? 'opening-soon';
  const content = page === null ? null : await deps.page(page, locale).catch(() => null);
  const { url } = requestOf('pageContent', { query: { pageName: name } }, locale);
  const body = content ?? plainPage(name, shell, locale);
  const { html } = await deps.draw(pagePath(name), locale, { url, body }, await deps.style());
  const ending = `${languages(locale)}${password === '' ? '' : passwordForm(locale, isWrong)}`;
  return withoutFrame(styled(html))
    .replace('</head>', '<meta name="robots" content="noindex"></head>')
    .replace('</main>', `${ending}</main>`);
}

/** The name of the shop, what it sells, and a sentence. */
function plainPage(name: string, { shopName, tagline }: AppContent, locale: Locale): PageContent {
  const paragraphs = [...(tagline === '' ? [] : [tagline]), translate(locale)('opening.text')];
  const block = { id: 'soon', type: 'text', title: null, paragraphs, items: [], style: 'statement' };
  return { name, title: shopName, metaDescription: '', blocks: [block as PageContent['blocks'][number]] };
}

const centred = 'style="margin:32px auto;max-width:24rem;padding:0 16px;text-align:center"';

function languages(locale: Locale): string {
  const others = offeredLocales().filter((code) => code !== locale);
  if (others.length === 0) return '';
  const links = others.map(
    (code) => `<a href="${localizePath('/', code)}" lang="${locales[code].tag}">${locales[code].name}</a>`,
  );
  return `<p ${centred}>${links.join(' ')}</p>`;
}

function passwordForm(locale: Locale, isWrong: boolean): string {
  const t = translate(locale);
  const error = isWrong ? `<p role="alert" id="opening-error">${escapeHtml(t('opening.wrong'))}</p>` : '';
  const field = `<input type="password" name="password" required maxlength="100" autocomplete="off" class="field"${isWrong ? ' aria-invalid="true" aria-describedby="opening-error"' : ''} style="min-height:44px;width:100%;border:1px solid currentColor;border-radius:4px;padding:0 12px;background:transparent;color:inherit;font:inherit">`;
  const label = `<label style="display:block;text-align:left">${escapeHtml(t('opening.password'))}${field}</label>`;
  const button = `<button style="margin-top:12px;min-height:44px;width:100%;border-radius:4px;background:var(--color-action,#222);color:var(--color-on-action,#fff);font:inherit;font-weight:600">${escapeHtml(t('opening.enter'))}</button>`;
  return `<form method="post" action="${formPath}?lang=${locale}" ${centred}>${error}${label}${button}</form>`;
}

function registerForm(app: FastifyInstance, deps: OpeningSoonDeps): void {
  void app.register(async (forms) => {
    forms.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: 2000 },
      async (_request: FastifyRequest, text: string) => new URLSearchParams(text),
    );
    forms.post<{ Querystring: { lang?: string } }>(formPath, { bodyLimit: 2000 }, async (request, reply) => {
      const locale = offeredLocales().find((code) => code === request.query.lang) ?? splitLocale('/').locale;
      const now = await deps.setting();
      const home = localizePath('/', locale);
      if (!now.on) return reply.redirect(home, 303);
      const network = networkOf(request.ip);
      const guess: Attempt[] = [['unknownLinkAddress', network]];
      await deps.attempts.count(guess);
      const given = request.body instanceof URLSearchParams ? (request.body.get('password') ?? '') : '';
      reply.headers({ 'cache-control': 'no-store', 'x-robots-tag': 'noindex' });
      if (now.password === '' || !isSame(given, now.password))
        return sendPage(reply.status(403), await deps.renders.run(() => drawn(locale, now, deps, true)));
      await deps.db.transaction((trx) => deps.attempts.undo(trx, guess));
      const secure = isSecure(request) ? '; Secure' : '';
      const cookie = `${passCookie}=${passOf(now.password)}; Path=/; Max-Age=${passDays * 24 * 60 * 60}; HttpOnly; SameSite=Lax${secure}`;
      return reply.header('set-cookie', cookie).redirect(home, 303);
    });
  });
}
