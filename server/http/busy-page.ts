/** The page that a visitor gets while the shop is too busy to render one. It is small, and made once for each language. */
import { splitLocale } from '#contract/locale-path.ts';
import { type Locale, locales } from '#contract/locales.ts';
import { escapeHtml } from '#server/platform/html.ts';
import { translate } from '#server/platform/i18n.ts';

const made = new Map<Locale, string>();

/** The page in the language of a URL. */
export function busyPage(url: string): string {
  const { locale } = splitLocale(url.split('?', 1)[0] ?? '/');
  const known = made.get(locale);
  if (known !== undefined) return known;
  const message = escapeHtml(translate(locale)('error.busy'));
  const head = `<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${message}</title>`;
  const page = `<!doctype html><html lang="${locales[locale].tag}"><head>${head}</head><body><p>${message}</p></body></html>`;
  made.set(locale, page);
  return page;
}
