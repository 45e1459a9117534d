/** Estimates reading time: by words in languages with spaces, by characters in others. */
import { canonicalText, inLocale, type Locale, localeCodes } from '#contract/locales.ts';
import type { StoredArticlePart } from '#contract/schemas/blog.ts';
import { picturesInHtml } from '../blocks/rich-text.ts';
import { textsOf } from './article.ts';

/** Silent reading speed of adults; Chinese counts characters. */
const wordsPerMinute = 230;
const charactersPerMinute = 400;
/** Seconds a reader spends on an image. */
const secondsPerPicture = 8;

const scriptsWithoutSpaces = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/gu;

/** Whole minutes for a text, at least 1. A mixed text counts each kind of script at its own pace. */
export function readingMinutes(text: string, pictures = 0): number {
  const characters = text.match(scriptsWithoutSpaces)?.length ?? 0;
  const words = text.replace(scriptsWithoutSpaces, ' ').match(/[\p{L}\p{N}]+(?:['’.-][\p{L}\p{N}]+)*/gu)?.length ?? 0;
  const minutes = words / wordsPerMinute + characters / charactersPerMinute + (pictures * secondsPerPicture) / 60;
  return Math.max(1, Math.round(minutes));
}

/** Reading times for each language of the shop; a text without a translation counts in its original language. */
export function readingByLocale(parts: readonly StoredArticlePart[]): Record<Locale, number> {
  const pictures = parts.reduce((sum, part) => sum + picturesIn(part), 0);
  const entries = localeCodes.map((locale) => {
    const text = parts.flatMap((part) => textsOf(part).map((each) => wordsOf(part, inLocale(each, locale)))).join('\n');
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
