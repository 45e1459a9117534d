/** With the build in production, through Vite in development. */
import { createHash, randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { clientToken, clientTokenHeader } from '#contract/limits.ts';
import type { Locale } from '#contract/locales.ts';
import type { ApiTransport, PageRedirect, PageRequest, RenderedDocument } from '#contract/transport.ts';
import { unescapeHtml } from '#server/platform/html.ts';

export interface PageTransport {
  send: ApiTransport;
  visitor?: boolean;
}

export interface WebPage {
  redirect?: undefined;
  status: number;
  locale: Locale;
  /** Never cached. */
  personal: boolean;
  unlisted: boolean;
  /** Payment providers' scripts may run on it. */
  takesPayment: boolean;
  /** Of the innermost route, such as `/products/$cat`. */
  route: string;
  html: string;
  /** `sha256-…` of every style attribute, for the content security policy. */
  styleHashes: string[];
  /** `sha256-…` */
  scriptHashes?: string[];
  error?: unknown;
}

/** The compressed forms are present if they are smaller. */
export interface WebAsset {
  type: string;
  body: Buffer;
  brotli: Buffer | null;
  gzip: Buffer | null;
  /** Its name contains a content hash. */
  immutable: boolean;
}

type Middleware = (request: IncomingMessage, response: ServerResponse, next: () => void) => void;

/** Of stock-takes, whose document alone may use the camera. */
export const isScanner = (url: string): boolean => /^\/office\/scan(?:[?/]|$)/.test(url);

export interface WebRenderer {
  render(request: PageRequest): Promise<PageRedirect | WebPage>;
  /** For an address of the office. */
  office?(url: string): Promise<string | null>;
  asset(path: string): Promise<WebAsset | null>;
  /** Rejects if files of the build are gone. */
  check?(): Promise<void>;
  middleware?: Middleware;
  close(): Promise<void>;
}

interface InProcessOptions {
  /** For calls that are limited by network. Only for pages that are rendered for one client. */
  address?: string;
  /** For a page for one client: without it no personal data can enter a cached page. Cookies of the answers are dropped. */
  cookie?: string;
  /** An answer from the cache passes no request through the server. */
  cached?: (url: string) => Promise<string | null>;
}

/** By which a call that a page makes is told from one of a client. */
const inProcessHeader = 'x-in-process';
const inProcessToken = randomUUID();

export const isInProcess = ({ headers }: { headers: Readonly<Record<string, unknown>> }): boolean =>
  headers[inProcessHeader] === inProcessToken;

export function inProcessTransport(
  app: FastifyInstance,
  { address, cookie, cached }: InProcessOptions,
): ApiTransport {
  return async ({ method, url, body }) => {
    const known = method === 'GET' ? ((await cached?.(url)) ?? null) : null;
    if (known !== null) return { status: 200, body: JSON.parse(known) };
    const response = await app.inject({
      method,
      url,
      headers: {
        [clientTokenHeader]: clientToken,
        [inProcessHeader]: inProcessToken,
        ...(cookie === undefined ? {} : { cookie }),
      },
      ...(address === undefined ? {} : { remoteAddress: address }),
      ...(body === undefined ? {} : { payload: body as object }),
    });
    return { status: response.statusCode, body: response.body === '' ? null : JSON.parse(response.body) };
  };
}

/**
 * React preloads the first images in the head. The browser finds them in the body at the same moment; if it already has a larger
 * one, it uses that and warns about the preload.
 */
const picturePreloads = /<link rel="preload" as="image"[^<>]*>/g;

export interface PageHead {
  markup: (document: RenderedDocument) => string;
  /** `sha256-…` */
  scriptHashes?: string[];
}

/** `head` and the state are inserted unescaped: this program generates them. */
export function finishPage(
  page: PageRedirect | RenderedDocument,
  { markup, scriptHashes = [] }: PageHead,
): PageRedirect | WebPage {
  if (page.redirect) return page;
  const { status, locale, personal, unlisted, state, routeIds, error } = page;
  const html = page.html.replace(picturePreloads, '');
  return {
    status,
    locale,
    personal,
    unlisted,
    takesPayment: routeIds.includes('/payment'),
    route: routeIds.at(-1) ?? '',
    html: insertBefore(insertBefore(html, '</head>', markup(page)), '</body>', state),
    styleHashes: styleHashes(html),
    scriptHashes,
    ...(error === undefined ? {} : { error }),
  };
}

/** What the look of a shop changes of every page. */
export interface PageStyle {
  /** After the style of the build; '' for none. */
  css: string;
  /** Fonts that it does not show, by how their files are named: no page loads them early. */
  unusedFonts: readonly string[];
}

export const noStyle: PageStyle = { css: '', unusedFonts: [] };

export function withStyle<P extends Pick<WebPage, 'html' | 'styleHashes'>>(
  page: P,
  { css, unusedFonts }: PageStyle,
): P {
  if (css === '') return page;
  const isUnused = (link: string) => unusedFonts.some((font) => link.includes(`/${font}-`));
  const needed =
    unusedFonts.length === 0
      ? page.html
      : page.html.replace(fontPreloads, (link) => (isUnused(link) ? '' : link));
  const html = insertBefore(needed, '</head>', `<style>${css}</style>`);
  return { ...page, html, styleHashes: [...page.styleHashes, hashOf(css)] };
}

const fontPreloads = /<link rel="preload" as="font"[^<>]*>/g;

function insertBefore(html: string, tag: string, markup: string): string {
  const at = tag === '</body>' ? html.lastIndexOf(tag) : html.indexOf(tag);
  return html.slice(0, at) + markup + html.slice(at);
}

/** React always writes them with double quotes. */
export function styleHashes(html: string): string[] {
  const values = new Set<string>();
  for (const [, value] of html.matchAll(/ style="([^"]*)"/g)) values.add(unescapeHtml(value ?? ''));
  return [...values].map(hashOf);
}

export function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
