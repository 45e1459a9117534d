/** Fills in the line of a demo shop's footer that says how the page was made. It is part of the page, and cached with it. */
import type { Locale } from '#contract/locales.ts';
import { translate } from '#server/platform/i18n.ts';

/** Rendered by the footer of a demo shop, and of no other. */
const emptyNote = /(<p [^>]*data-rendering-note[^>]*>)(<\/p>)/;

/** Elements that make a browser load something. A link that only leads somewhere does not. */
const loading =
  /<(?:script|img|iframe|source|video|audio|embed)\b[^>]*?\ssrc="(https?:\/\/[^/"]+)|<link\b(?=[^>]*\brel="(?:stylesheet|preload|modulepreload|preconnect|dns-prefetch)")[^>]*?\shref="(https?:\/\/[^/"]+)/g;

/**
 * The page with the time of its rendering, its size and the number of other sites that it loads from. Unchanged without the line.
 * `origin` is the shop's own.
 */
export function withRenderingNote(html: string, { ms, locale, origin }: { ms: number; locale: Locale; origin: string }): string {
  if (!emptyNote.test(html)) return html;
  const others = new Set([...html.matchAll(loading)].map(([, source, link]) => source ?? link).filter((site) => site !== origin));
  const values = { ms: Math.max(1, Math.round(ms)), size: Math.round(Buffer.byteLength(html) / 1000), others: others.size };
  return html.replace(emptyNote, (_, start: string, end: string) => start + translate(locale)('fact.rendered', values) + end);
}
