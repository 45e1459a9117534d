/** Fills in the line of a demo shop's footer that says how the page was made. It is part of the page, and cached with it. */
import type { Locale } from '#contract/locales.ts';
import { translate } from '#server/platform/i18n.ts';

/** Rendered by the footer of a demo shop, and of no other: an empty paragraph. */
const noteStart = '<p data-rendering-note';
const noteEnd = '></p>';

/** The tags of elements that may make a browser load something. Attributes of rendered pages contain no bare `<` or `>`. */
const loadingTag = /<(?:script|img|iframe|source|video|audio|embed|link)\s[^<>]*>/g;
/** A link loads something only in these relations. */
const loadingRelation = /\srel="(?:stylesheet|preload|modulepreload|preconnect|dns-prefetch)"/;
const loadedSite = /\s(?:src|href)="(https?:\/\/[^/"]+)/;

/**
 * The page with the time of its rendering, its size and the number of other sites that it loads from. Unchanged without the line.
 * `origin` is the shop's own.
 */
export function withRenderingNote(html: string, { ms, locale, origin }: { ms: number; locale: Locale; origin: string }): string {
  const start = html.indexOf(noteStart);
  const end = start < 0 ? -1 : html.indexOf(noteEnd, start);
  if (end < 0) return html;
  const others = new Set(sitesOf(html).filter((site) => site !== origin));
  const values = { ms: Math.max(1, Math.round(ms)), size: Math.round(Buffer.byteLength(html) / 1000), count: others.size };
  return `${html.slice(0, end + 1)}${translate(locale)('fact.rendered', values)}${html.slice(end + 1)}`;
}

/** The origins that a page loads from by full URL. */
function sitesOf(html: string): string[] {
  return [...html.matchAll(loadingTag)].flatMap(([tag]) => {
    if (tag.startsWith('<link') && !loadingRelation.test(tag)) return [];
    return loadedSite.exec(tag)?.[1] ?? [];
  });
}
