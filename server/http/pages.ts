import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { unknownAddress } from '#contract/limits.ts';
import { locales, offeredUrl, splitLocale } from '#contract/locales.ts';
import { escapeHtml } from '#server/platform/html.ts';
import { translate } from '#server/platform/i18n.ts';
import { collectReads } from '#server/platform/recorded-reads.ts';
import { inProcessTransport, type PageTransport, type WebAsset } from '#server/ssr/renderer.ts';
import { acceptedEncoding, compress, type PublicResponse, redirectTo } from './encoded-answer.ts';
import { unknownEndpoint } from './errors.ts';
import { shopOrigin } from './origin.ts';
import { createPageAnswer, type PageAnswerDeps, pageType } from './page-answer.ts';
import { isCacheablePage, type PublicCache } from './public-cache.ts';
import { NoTurn, RefusalPace, RenderQueue } from './render-queue.ts';
import { isOrderLinkUrl } from './request-log.ts';
import { assetRoute } from './request-metrics.ts';
import { sessionCookieOf, sessionOf } from './session-cookie.ts';

/** Their screens show nothing during hydration that only the browser knows (docs/decisions/0078). Without language. */
const ownPages: readonly string[] = ['/cart'];

export interface PagesOptions extends Omit<PageAnswerDeps, 'origin' | 'transport'> {
  cache: PublicCache;
  /** No trailing slash. Null: the address this server listens on. */
  publicUrl: string | null;
  readLanguages?: () => Promise<unknown>;
  /** Where an address without a page leads; null: nowhere. */
  redirectOf?: (url: string) => Promise<string | null>;
  renders?: RenderQueue;
}

export function registerPages(app: FastifyInstance, options: PagesOptions): void {
  const { web, cache, publicUrl, readLanguages = async () => {}, redirectOf = async () => null } = options;
  const { renders = new RenderQueue({ connections: connectionCounter(app) }) } = options;
  const transport: PageTransport = { send: inProcessTransport(app, { cached: (url) => cache.text(url) }) };
  const render = createPageAnswer({ ...options, origin: shopOrigin(app, publicUrl), transport });
  const answer: typeof render = async (request, from) => {
    // While the database is unavailable, the last known languages count.
    await readLanguages().catch(() => {});
    const location = offeredUrl(request.url);
    if (location !== null) return redirectTo(location);
    const page = await render(request, from);
    if (!hasNoPage(page)) return page;
    const onwards = await redirectOf(request.url);
    if (onwards !== null) return redirectTo(onwards, 301);
    // The home page then says why it is shown.
    return page.status === 302 ? redirectTo(`${page.headers?.location}#${unknownAddress}`) : page;
  };
  const ownPage = visitorPages({ app, cache, renders, render: answer });

  const { middleware } = web;
  if (middleware) {
    app.addHook('onRequest', (request, reply, done) => {
      if (isShopCall(request.url)) done();
      else middleware(request.raw, reply.raw, done);
    });
  }
  app.get('/*', {
    // In development the code changes and the catalogue does not, so nothing is cached.
    ...(middleware ? {} : { onRequest: unlessOwnPage(cache.answerFirst) }),
    handler: async (request, reply) => {
      if (isShopCall(request.url)) return unknownEndpoint(request, reply);
      const path = request.url.split('?', 1)[0] ?? '/';
      const asset = path.includes('.') ? await web.asset(path) : null;
      if (asset) {
        reply.measuredAs = assetRoute;
        return sendAsset(request, reply, asset);
      }
      if (path.startsWith('/assets/')) return unknownEndpoint(request, reply);
      // Rendered for one client, and never cached: the address is secret, and what it shows changes without the catalogue.
      if (isOrderLinkUrl(request.url)) {
        const secret = () => answer(request, { send: inProcessTransport(app, { address: request.ip }) });
        return await orBusy(request, reply, async () => sendSecretPage(reply, await renders.run(secret)));
      }
      const own = await ownPage(request);
      if (own) return await sendVisitorPage(request, reply, own);
      // A page shows what the calls show that it is made of.
      const make = async () => {
        const { value, topics, until } = await renders.run(() => collectReads(() => answer(request), true));
        return { ...value, topics, until };
      };
      return await orBusy(request, reply, () =>
        cache.send(request, reply, make, isCacheablePage(request.url)),
      );
    },
  });
}

function unlessOwnPage(hook: PublicCache['answerFirst']): PublicCache['answerFirst'] {
  return (request, reply, done) => {
    if (mayBeOwnPage(request)) done();
    else hook(request, reply, done);
  };
}

export async function orBusy(
  request: FastifyRequest,
  reply: FastifyReply,
  send: () => Promise<FastifyReply>,
): Promise<FastifyReply> {
  try {
    return await send();
  } catch (error) {
    if (!(error instanceof NoTurn)) throw error;
    await refusals.turn();
    return reply
      .status(503)
      .headers({
        'cache-control': 'no-store',
        'retry-after': String(error.retryAfterMs / 1000),
        'x-robots-tag': 'noindex',
      })
      .type(pageType)
      .send(busyPage(request.url));
  }
}

export function connectionCounter(app: FastifyInstance): () => number {
  let count = 0;
  app.server.on('connection', () => {
    count += 1;
  });
  return () => count;
}

/** One for all servers of a process, which share its thread. */
const refusals = new RefusalPace();

/** Addresses that are no pages. Programs ask for well-known files, and must not take a page for one (RFC 8615). */
function isShopCall(url: string): boolean {
  return /^\/(?:api|media|\.well-known)\//.test(url);
}

/** Addresses of no route lead to the start page. */
function hasNoPage({ status, headers }: PublicResponse): boolean {
  return status === 404 || (status === 302 && splitLocale(headers?.location ?? '').pathname === '/');
}

/** A page whose address no other site, cache or search engine may learn. */
function sendSecretPage(reply: FastifyReply, response: PublicResponse): FastifyReply {
  const { status = 200, contentType, body, headers, route } = response;
  reply.measuredAs = route ?? null;
  return reply
    .status(status)
    .headers({
      ...headers,
      'cache-control': 'no-store',
      'x-robots-tag': 'noindex',
      'referrer-policy': 'no-referrer',
    })
    .type(contentType)
    .send(body);
}

const aYear = 365 * 24 * 60 * 60;

function sendAsset(request: FastifyRequest, reply: FastifyReply, asset: WebAsset): FastifyReply {
  const accepts = String(request.headers['accept-encoding'] ?? '');
  const [encoding, body] =
    asset.brotli && /\bbr\b/.test(accepts)
      ? ['br', asset.brotli]
      : asset.gzip && /\bgzip\b/.test(accepts)
        ? ['gzip', asset.gzip]
        : [null, asset.body];
  reply.header(
    'cache-control',
    asset.immutable ? `public, max-age=${aYear}, immutable` : 'public, max-age=3600',
  );
  if (asset.brotli || asset.gzip) reply.header('vary', 'Accept-Encoding');
  if (encoding) reply.header('content-encoding', encoding);
  return reply.type(asset.type).send(body);
}

/** In the language of the URL. */
function busyPage(url: string): string {
  const { locale } = splitLocale(url.split('?', 1)[0] ?? '/');
  const message = escapeHtml(translate(locale)('error.busy'));
  const head = `<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${message}</title>`;
  return `<!doctype html><html lang="${locales[locale].tag}"><head>${head}</head><body><p>${message}</p></body></html>`;
}

interface VisitorPagesDeps {
  app: FastifyInstance;
  /** For answers that are the same for everybody, which a page asks for as well. */
  cache: PublicCache;
  renders: RenderQueue;
  render: (request: FastifyRequest, transport: PageTransport) => Promise<PublicResponse>;
}

/** Null for another page, no session that can be read, or no turn for rendering: the page for everybody is right then. */
function visitorPages({ app, cache, renders, render }: VisitorPagesDeps) {
  return async (request: FastifyRequest): Promise<PublicResponse | null> => {
    const cookie = mayBeOwnPage(request) ? sessionCookieOf(request) : null;
    if (cookie === null || !(await hasSession(request))) return null;
    const send = inProcessTransport(app, { address: request.ip, cookie, cached: (url) => cache.text(url) });
    try {
      return await renders.run(() => render(request, { send, visitor: true }));
    } catch (error) {
      if (error instanceof NoTurn) return null;
      throw error;
    }
  };
}

/** By its address, and because it carries cookies. */
function mayBeOwnPage({ headers, url }: Pick<FastifyRequest, 'headers' | 'url'>): boolean {
  return headers.cookie !== undefined && isVisitorPage(url);
}

async function hasSession(request: FastifyRequest): Promise<boolean> {
  try {
    return (await sessionOf(request, request.server.contract.sessions).get()) !== null;
  } catch {
    return false;
  }
}

/** No cache stores it. */
async function sendVisitorPage(
  request: FastifyRequest,
  reply: FastifyReply,
  page: PublicResponse,
): Promise<FastifyReply> {
  const { status = 200, contentType, body, headers, route } = page;
  // The page repeats its query. Beside what the visitor alone may know, the compressed length of a text that others choose would tell
  // them what it has in common with the rest (BREACH).
  const encoding = request.url.includes('?')
    ? 'identity'
    : acceptedEncoding(request.headers['accept-encoding']);
  reply.measuredAs = route ?? null;
  reply
    .status(status)
    .headers({
      ...headers,
      'cache-control': 'private, no-store',
      'x-robots-tag': 'noindex',
      vary: 'Accept-Encoding',
    })
    .type(contentType);
  if (encoding !== 'identity') reply.header('content-encoding', encoding);
  return reply.send(await compress(Buffer.from(body), encoding));
}

/** Only the exact spelling counts: any other is the same page for everybody. */
function isVisitorPage(url: string): boolean {
  return ownPages.includes(splitLocale(url.split('?', 1)[0] ?? '').pathname);
}
