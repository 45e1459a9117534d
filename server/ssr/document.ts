/** Puts the build's styles and scripts into a rendered document, and reads what its policy must allow. */

import { createHash } from 'node:crypto';
import type { PageRedirect, RenderedDocument } from '#contract/rendering.ts';
import { unescapeHtml } from '#server/platform/html.ts';
import type { WebPage } from './renderer.ts';

/**
 * React asks for the first pictures a second time, in the head. The browser finds them in the body at
 * the same moment; where it has a larger one already it takes that, and complains about the other.
 */
const picturePreloads = /<link rel="preload" as="image"[^<>]*>/g;

/** `head` and the state are markup made by this program, put in as they are. */
export function finishPage(
  page: PageRedirect | RenderedDocument,
  head: (document: RenderedDocument) => string,
): PageRedirect | WebPage {
  if (page.redirect) return page;
  const { status, personal, unlisted, state, routeIds, error } = page;
  const html = page.html.replace(picturePreloads, '');
  return {
    status,
    personal,
    unlisted,
    takesPayment: routeIds.includes('/payment'),
    html: insertBefore(insertBefore(html, '</head>', head(page)), '</body>', state),
    styleHashes: styleHashes(html),
    ...(error === undefined ? {} : { error }),
  };
}

function insertBefore(html: string, tag: string, markup: string): string {
  const at = tag === '</body>' ? html.lastIndexOf(tag) : html.indexOf(tag);
  return html.slice(0, at) + markup + html.slice(at);
}

/** The distinct style attributes of a page of React's, which always writes them with double quotes. */
export function styleHashes(html: string): string[] {
  const values = new Set<string>();
  for (const [, value] of html.matchAll(/ style="([^"]*)"/g)) values.add(unescapeHtml(value ?? ''));
  return [...values].map((value) => `sha256-${createHash('sha256').update(value).digest('base64')}`);
}
