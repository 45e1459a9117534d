import { createContext, type ReactNode, useContext } from 'react';
import type { Locale } from '#contract/locales.ts';
import type { Translate } from '#contract/translate.ts';

export interface I18n {
  locale: Locale;
  t: Translate;
}

const I18nContext = createContext<I18n | null>(null);

export function I18nProvider({ i18n, children }: { i18n: I18n; children: ReactNode }) {
  return <I18nContext value={i18n}>{children}</I18nContext>;
}

function useI18n(): I18n {
  const i18n = useContext(I18nContext);
  if (!i18n) throw new Error('no I18nProvider');
  return i18n;
}

export function useLocale(): Locale {
  return useI18n().locale;
}

/** `t('cart.empty.title')`, `t('list.count', { count })` for a pair of plural messages. */
export function useT(): Translate {
  return useI18n().t;
}
