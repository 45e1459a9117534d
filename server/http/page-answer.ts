import type { FastifyRequest } from 'fastify';
import { offeredLocales } from '#contract/locales.ts';
import type { PageRedirect } from '#contract/transport.ts';
import { noTracer, type Tracer } from '#server/platform/telemetry/tracer.ts';
import {
  noStyle,
  type PageStyle,
  type PageTransport,
  type WebPage,
  type WebRenderer,
  withStyle,
} from '#server/ssr/renderer.ts';
import { type PublicResponse, redirectTo } from './encoded-answer.ts';
import { outageRetryMs } from './errors.ts';
import { redirectRoute } from './request-metrics.ts';
import {
  contentSecurityPolicy,
  inline,
  noOrigins,
  originsOf,
  type PageOrigins,
  paymentPageHeaders,
  sourceOf,
} from './security-headers.ts';

export interface PageAnswerDeps {
  web: WebRenderer;
  /** Answers the calls of pages that are the same for everybody. */
  transport: PageTransport;
  origin: () => string;
  mapTilesUrl: () => Promise<string>;
  /** What the look of the shop adds to the style of every page. */
  style?: () => Promise<PageStyle>;
  /** Of video players. */
  frames: () => Promise<readonly string[]>;
  /** Those that the shop offers: only the payment page may load their browser code. */
  providers: () => Promise<readonly { browser: PageOrigins }[]>;
  tracer?: Tracer;
}

export const pageType = 'text/html; charset=utf-8';

/** By default with what is the same for everybody. */
export function createPageAnswer(deps: PageAnswerDeps) {
  const {
    web,
    transport,
    origin,
    mapTilesUrl,
    style = async () => noStyle,
    frames,
    providers,
    tracer = noTracer,
  } = deps;
  // The last known ones, used while the database is unavailable.
  let framed: readonly string[] = [];
  let look = noStyle;
  let payment = noOrigins;
  let tilesFrom: readonly string[] = [];

  const originsFor = async (url: string, others: PageOrigins): Promise<PageOrigins> => {
    framed = await frames().catch(() => framed);
    if (mapPage.test(url)) tilesFrom = await mapTilesUrl().then(sourceOf, () => tilesFrom);
    return {
      ...others,
      frames: [...others.frames, ...framed],
      images: [...others.images, ...(mapPage.test(url) ? tilesFrom : [])],
      // Vite injects styles by script in development.
      styles: [...(others.styles ?? []), ...(web.middleware ? [inline] : [])],
    };
  };

  return async (request: FastifyRequest, { send, visitor = false } = transport): Promise<PublicResponse> => {
    const drawn = await tracer.span('page render', {}, async (note) => {
      const made = await web.render({
        url: request.url,
        transport: send,
        visitor,
        origin: origin(),
        languages: offeredLocales(),
      });
      note({ 'http.route': routeOf(made) });
      return made;
    });
    const route = routeOf(drawn);
    if (drawn.redirect) {
      const { status, location } = drawn.redirect;
      return redirectTo(location, status);
    }
    look = await style().catch(() => look);
    const page = withStyle(drawn, look);
    const unavailable = isUnavailable(page.error);
    if (page.error !== undefined && !unavailable)
      request.log.error({ err: page.error }, 'page without its data');
    if (page.takesPayment) payment = await providers().then(originsOf, () => payment);
    const others = page.takesPayment ? payment : noOrigins;
    const policy = contentSecurityPolicy(page, await originsFor(request.url, others));
    return {
      status: unavailable ? 503 : page.status,
      contentType: pageType,
      body: page.html,
      route,
      headers: {
        ...pageHeaders(page, policy),
        ...paymentPageHeaders(others),
        ...(unavailable ? { 'retry-after': String(outageRetryMs / 1000) } : {}),
      },
    };
  };
}

function routeOf(page: PageRedirect | WebPage): string {
  return page.redirect ? redirectRoute : page.route;
}

/** A call of the page was answered with 503, which is already logged. */
function isUnavailable(error: unknown): boolean {
  return error instanceof Error && 'status' in error && error.status === 503;
}

const mapPage = /^(\/\w+)?\/contact(\?|$)/;

function pageHeaders(page: WebPage, policy: string): Record<string, string> {
  return {
    'content-security-policy': policy,
    ...(page.personal ? { 'cache-control': 'no-store' } : {}),
    ...(page.personal || page.unlisted ? { 'x-robots-tag': 'noindex' } : {}),
  };
}
