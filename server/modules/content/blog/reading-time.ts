/** How long reading takes: words a minute where words have spaces between them, characters where not. */
import { inLocale, type Locale, localeCodes } from '#contract/locales.ts';
import type { StoredArticlePart } from '#contract/schemas/blog.ts';
import { picturesInHtml } from '../pages/rich-text.ts';
import { textsOf } from './article.ts';

/** Adults reading for themselves; Chinese counts characters. */
const wordsPerMinute = 230;
const charactersPerMinute = 400;
/** Looking at a picture. */
const secondsPerPicture = 8;

const scriptsWithoutSpaces = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/gu;

/** Whole minutes for a text, 1 at least. Mixed texts count each kind of script at its own pace. */
export function readingMinutes(text: string, pictures = 0): number {
  const characters = text.match(scriptsWithoutSpaces)?.length ?? 0;
  const words = text.replace(scriptsWithoutSpaces, ' ').match(/[\p{L}\p{N}]+(?:['’.-][\p{L}\p{N}]+)*/gu)?.length ?? 0;
  const minutes = words / wordsPerMinute + characters / charactersPerMinute + (pictures * secondsPerPicture) / 60;
  return Math.max(1, Math.round(minutes));
}

/** For each language the shop speaks; where a text has no translation, its original is what is read. */
export function readingByLocale(parts: readonly StoredArticlePart[]): Record<Locale, number> {
  const pictures = parts.reduce((sum, part) => sum + picturesIn(part), 0);
  const entries = localeCodes.map((locale) => {
    const text = parts.flatMap((part) => textsOf(part).map((each) => wordsOf(part, inLocale(each, locale)))).join('\n');
    return [locale, readingMinutes(text, pictures)];
  });
  return Object.fromEntries(entries);
}

function picturesIn(part: StoredArticlePart): number {
  if (part.type === 'html') return picturesInHtml(part.html.en).length;
  return part.type === 'image' ? 1 : 0;
}

/** Rich text is read without its tags. */
function wordsOf({ type }: StoredArticlePart, text: string): string {
  return type === 'html' ? text.replace(/<[^<>]*>/g, ' ') : text;
}
