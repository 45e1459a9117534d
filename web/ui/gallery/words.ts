/** The gallery's own texts; they are no messages of the shop. */
import { inLocale } from '#contract/locales.ts';
import { useLocale } from '#web/i18n/i18n.tsx';

/** `say('English', '中文')` in the language of the page. */
export function useSay(): (en: string, zh: string) => string {
  const locale = useLocale();
  return (en, zh) => inLocale({ en, zh }, locale);
}
