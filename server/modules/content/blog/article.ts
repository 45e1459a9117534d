/** Validates the parts of a post, and presents them in one language with their images and products. */
import Value from 'typebox/value';
import { canonicalText, inLocale, type Locale, type LocalText, localeCodes } from '#contract/locales.ts';
import { type ArticlePart, StoredArticlePart } from '#contract/schemas/blog.ts';
import type { ProductSummary } from '#contract/schemas/catalogue.ts';
import type { ImageInfo } from '#contract/schemas/common.ts';
import { picturesInHtml, plainParagraphs, safeHtml, shownHtml } from '#server/platform/html.ts';
import { knownFields } from '#server/platform/schema-problems.ts';

export interface ValidatedParts {
  parts: StoredArticlePart[];
  rejected: number[];
}

export function validateParts(candidates: readonly unknown[]): ValidatedParts {
  const validated: ValidatedParts = { parts: [], rejected: [] };
  for (const [index, candidate] of candidates.entries()) {
    if (Value.Check(StoredArticlePart, candidate)) {
      validated.parts.push(
        sanitizePart(knownFields(StoredArticlePart, Value.Clone(candidate)) as StoredArticlePart),
      );
    } else validated.rejected.push(index);
  }
  return validated;
}

/** A part as the office edits it. */
export type WrittenPart = StoredArticlePart & { id: string };

/** Those that can be shown, sanitised, with their ids. */
export function cleanedParts(parts: readonly unknown[]): WrittenPart[] {
  return parts.flatMap((candidate) => {
    const { id, ...content } = (candidate ?? {}) as { id?: unknown };
    const [part] = validateParts([content]).parts;
    return part && typeof id === 'string' ? [{ id, ...part }] : [];
  });
}

/** Files have parts without ids: their places name them then. */
export function withIds(parts: readonly unknown[]): WrittenPart[] {
  return (parts as (StoredArticlePart & { id?: string })[]).map(
    ({ id, ...part }, index) => ({ id: id ?? `part-${index + 1}`, ...part }) as WrittenPart,
  );
}

/** As files have them. */
export function withoutIds(parts: readonly unknown[]): StoredArticlePart[] {
  return (parts as WrittenPart[]).map(({ id: _, ...part }) => part as StoredArticlePart);
}

function sanitizePart(part: StoredArticlePart): StoredArticlePart {
  if (part.type !== 'html') return part;
  return {
    type: part.type,
    html: Object.fromEntries(Object.entries(part.html).map(([locale, html]) => [locale, safeHtml(html)])),
  };
}

/** Every text of a part that a reader sees; rich text includes its tags. */
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
    case 'product':
      return [];
  }
}

export function picturesOf(parts: readonly StoredArticlePart[]): string[] {
  return parts.flatMap((part) => {
    if (part.type === 'html') return Object.values(part.html).flatMap(picturesInHtml);
    return part.type === 'image' ? [part.image] : [];
  });
}

export function productsOf(parts: readonly StoredArticlePart[]): string[] {
  return parts.flatMap((part) => (part.type === 'product' ? [part.product] : []));
}

/** Whether a reader sees anything of a part, in any language. */
export function saysSomething(part: StoredArticlePart): boolean {
  const texts = textsOf(part).flatMap((text) => Object.values(text));
  return (
    part.type === 'product' ||
    picturesOf([part]).length > 0 ||
    texts.some((text) => plainParagraphs(text).length > 0)
  );
}

export interface ArticleSources {
  image: (file: string) => ImageInfo | undefined;
  product: (id: string) => ProductSummary | undefined;
}

/** The article as a page shows it; images that no longer exist and products that are not published are left out. */
export function shownParts(
  parts: readonly StoredArticlePart[],
  locale: Locale,
  sources: ArticleSources,
): ArticlePart[] {
  return parts.flatMap((part) => shownPart(part, locale, sources) ?? []);
}

function shownPart(
  part: StoredArticlePart,
  locale: Locale,
  { image, product }: ArticleSources,
): ArticlePart | null {
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
    case 'product': {
      const summary = product(part.product);
      return summary ? { type: part.type, product: summary } : null;
    }
  }
}

/** Silent reading speed of adults; Chinese counts characters. */
const wordsPerMinute = 230;
const charactersPerMinute = 400;
/** Seconds a reader spends on an image. */
const secondsPerPicture = 8;

const scriptsWithoutSpaces = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/gu;

/** Whole minutes for a text, at least 1. A mixed text counts each kind of script at its own pace. */
export function readingMinutes(text: string, pictures = 0): number {
  const characters = text.match(scriptsWithoutSpaces)?.length ?? 0;
  const words =
    text.replace(scriptsWithoutSpaces, ' ').match(/[\p{L}\p{N}]+(?:['’.-][\p{L}\p{N}]+)*/gu)?.length ?? 0;
  const minutes =
    words / wordsPerMinute + characters / charactersPerMinute + (pictures * secondsPerPicture) / 60;
  return Math.max(1, Math.round(minutes));
}

/** Reading times for each language of the shop; a text without a translation counts in its original language. */
export function readingByLocale(parts: readonly StoredArticlePart[]): Record<Locale, number> {
  const pictures = parts.reduce((sum, part) => sum + picturesIn(part), 0);
  const entries = localeCodes.map((locale) => {
    const text = parts
      .flatMap((part) => textsOf(part).map((each) => wordsOf(part, inLocale(each, locale))))
      .join('\n');
    return [locale, readingMinutes(text, pictures)];
  });
  return Object.fromEntries(entries);
}

function picturesIn(part: StoredArticlePart): number {
  if (part.type === 'html') return picturesInHtml(canonicalText(part.html)).length;
  return part.type === 'image' ? 1 : 0;
}

/** Rich text counts without its tags. */
function wordsOf({ type }: StoredArticlePart, text: string): string {
  return type === 'html' ? text.replace(/<[^<>]*>/g, ' ') : text;
}
