/** Walks stored values of any shape, JSON in text columns included. */
import { defaultLocale, type Locale } from '#contract/locales.ts';

/** The file names of pictures that a value names. */
export function picturesIn(value: unknown): string[] {
  const found = new Set<string>();
  walk(value, '', (part) => {
    if (typeof part === 'string' && /^[\w.-]+\.(?:jpe?g|png|webp|avif)$/i.test(part)) found.add(part);
  });
  return [...found];
}

/** Texts (objects with a text in the default language) that another language lacks, with where they stand. */
export function untranslatedIn(value: unknown, locales: readonly Locale[]): { path: string; locale: Locale }[] {
  const found: { path: string; locale: Locale }[] = [];
  walk(value, '', (part, path) => {
    if (!isObject(part) || isEmpty(part[defaultLocale])) return;
    for (const locale of locales) if (isEmpty(part[locale])) found.push({ path, locale });
  });
  return found;
}

function walk(value: unknown, path: string, visit: (part: unknown, path: string) => void): void {
  const part = parsed(value);
  visit(part, path);
  if (typeof part !== 'object' || part === null) return;
  for (const [key, inner] of Object.entries(part)) walk(inner, path ? `${path}.${key}` : key, visit);
}

/** Columns hold JSON as text; other texts stay as they are. */
function parsed(value: unknown): unknown {
  if (typeof value !== 'string' || !/^[[{]/.test(value)) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isEmpty(text: unknown): boolean {
  return Array.isArray(text) ? text.length === 0 : typeof text !== 'string' || text.trim() === '';
}
