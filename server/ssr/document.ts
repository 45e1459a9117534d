import { createHash } from 'node:crypto';
import type { PageRedirect, RenderedDocument } from '#contract/transport.ts';
import { unescapeHtml } from '#server/platform/html.ts';
import type { WebPage } from './renderer.ts';

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
