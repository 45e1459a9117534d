/** What a post says: judged part by part on the way in, in one language and with pictures on the way out. */
import Value from 'typebox/value';
import type { Locale, LocalText } from '#contract/locales.ts';
import { inLocale } from '#contract/locales.ts';
import { type ArticlePart, StoredArticlePart } from '#contract/schemas/blog.ts';
import type { ImageInfo } from '#contract/schemas/common.ts';
import { picturesInHtml, safeHtml, shownHtml } from '../pages/rich-text.ts';

export interface ValidatedParts {
  parts: StoredArticlePart[];
  /** Parts left out because they are not as they should be, counted from 1. */
  rejected: number[];
}

/** Keeps the parts that can be shown. */
export function validateParts(candidates: readonly unknown[]): ValidatedParts {
  const validated: ValidatedParts = { parts: [], rejected: [] };
  for (const [index, candidate] of candidates.entries()) {
    if (Value.Check(StoredArticlePart, candidate)) {
      validated.parts.push(sanitizePart(Value.Clean(StoredArticlePart, Value.Clone(candidate)) as StoredArticlePart));
    } else validated.rejected.push(index + 1);
  }
  return validated;
}

function sanitizePart(part: StoredArticlePart): StoredArticlePart {
  if (part.type !== 'html') return part;
  const { en, ...others } = part.html;
  const rest = Object.fromEntries(Object.entries(others).map(([locale, html]) => [locale, safeHtml(html)]));
  return { type: part.type, html: { en: safeHtml(en), ...rest } };
}

/** Everything in a part that is read; of rich text with its tags. */
export function textsOf(part: StoredArticlePart): LocalText[] {
  switch (part.type) {
    case 'paragraph':
    case 'heading':
      return [part.text];
    case 'image':
      return [part.caption];
    case 'list':
      return part.items;
    case 'quote':
      return [part.text, part.source];
    case 'html':
      return [part.html];
  }
}

/** File names of the pictures in an article. */
export function picturesOf(parts: readonly StoredArticlePart[]): string[] {
  return parts.flatMap((part) => {
    if (part.type === 'html') return Object.values(part.html).flatMap(picturesInHtml);
    return part.type === 'image' ? [part.image] : [];
  });
}

/** The article as a page carries it; pictures that are gone are left out. */
export function shownParts(
  parts: readonly StoredArticlePart[],
  locale: Locale,
  image: (file: string) => ImageInfo | undefined,
): ArticlePart[] {
  return parts.flatMap((part) => shownPart(part, locale, image) ?? []);
}

function shownPart(part: StoredArticlePart, locale: Locale, image: (file: string) => ImageInfo | undefined): ArticlePart | null {
  const text = (local: LocalText) => inLocale(local, locale);
  switch (part.type) {
    case 'paragraph':
      return { type: part.type, text: text(part.text) };
    case 'heading':
      return { type: part.type, level: part.level, text: text(part.text) };
    case 'image': {
      const info = image(part.image);
      return info ? { type: part.type, image: info, alt: text(part.alt), caption: text(part.caption) } : null;
    }
    case 'list':
      return { type: part.type, ordered: part.ordered, items: part.items.map(text) };
    case 'quote':
      return { type: part.type, text: text(part.text), source: text(part.source) };
    case 'html':
      return { type: part.type, html: shownHtml(text(part.html), locale, image) };
  }
}
