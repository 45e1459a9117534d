/** Of any shape, including JSON in text columns. */
import { type Locale, localeCodes } from '#contract/locales.ts';
import { linksInText } from '#server/modules/content/index.ts';
import { picturesInHtml } from '#server/platform/html.ts';

const pictureName = /^[\w.-]+\.(?:jpe?g|png|webp|avif)$/i;
const filmName = /^[\w.-]+\.(?:mp4|webm|vtt)$/i;

export function picturesIn(value: unknown): string[] {
  const inHtml: string[] = [];
  walk(value, '', (part) => {
    if (typeof part === 'string' && part.includes('<img')) inHtml.push(...picturesInHtml(part));
  });
  return [...new Set([...namesIn(value, pictureName), ...inHtml])];
}

export function videosIn(value: unknown): string[] {
  return namesIn(value, filmName);
}

/** Such as `/care`. */
export function linksIn(value: unknown): { path: string; link: string }[] {
  const found: { path: string; link: string }[] = [];
  walk(value, '', (part, path) => {
    if (typeof part === 'string') for (const link of linksInText(part)) found.push({ path, link });
  });
  return found;
}

function namesIn(value: unknown, pattern: RegExp): string[] {
  const found = new Set<string>();
  walk(value, '', (part, path) => {
    // A block's id may look like a file name.
    if (typeof part === 'string' && pattern.test(part) && !/(?:^|\.)id$/.test(path)) found.add(part);
  });
  return [...found];
}

/** One language lacks them and another has them: texts (objects by language), and subtitles. */
export function untranslatedIn(value: unknown, locales: readonly Locale[]): { path: string; locale: Locale }[] {
  const found: { path: string; locale: Locale }[] = [];
  walk(value, '', (part, path) => {
    if (!isObject(part)) return;
    const missing = isSubtitled(part)
      ? locales.filter((locale) => !part.captions.some(({ language }) => baseOf(language) === locale))
      : missingIn(part, locales);
    for (const locale of missing) found.push({ path: isSubtitled(part) ? `${path}.captions` : path, locale });
  });
  return found;
}

/** A text that is empty in every language lacks nothing. */
function missingIn(text: Record<string, unknown>, locales: readonly Locale[]): Locale[] {
  if (localeCodes.every((code) => isEmpty(text[code]))) return [];
  return locales.filter((locale) => isEmpty(text[locale]));
}

/** List entries are named by their own id if they have one: merchants do not count blocks. */
function walk(value: unknown, path: string, visit: (part: unknown, path: string) => void): void {
  const part = parsed(value);
  visit(part, path);
  if (typeof part !== 'object' || part === null) return;
  for (const [key, inner] of Object.entries(part)) {
    const name = (Array.isArray(part) && nameOf(inner)) || key;
    walk(inner, path ? `${path}.${name}` : name, visit);
  }
}

function nameOf(part: unknown): string | undefined {
  if (!isObject(part)) return undefined;
  return [part.id, part.name].find((name) => typeof name === 'string');
}

/** Texts that are no JSON stay as they are. */
function parsed(value: unknown): unknown {
  if (typeof value !== 'string' || !/^[[{]/.test(value)) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

/** One of the shop's own videos, with subtitles in some language. */
function isSubtitled(part: Record<string, unknown>): part is { captions: { language: string }[] } {
  const { provider, captions } = part;
  return (
    provider === 'file' &&
    Array.isArray(captions) &&
    captions.length > 0 &&
    captions.every((track) => isObject(track) && typeof track.language === 'string')
  );
}

function baseOf(language: string): string {
  return language.split('-', 1)[0]?.toLowerCase() ?? '';
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isEmpty(text: unknown): boolean {
  return Array.isArray(text) ? text.every(isEmpty) : typeof text !== 'string' || text.trim() === '';
}
