/** The office's language: what this person chose on this device, else the browser's. */
import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react';
import { type Locale, locales, type Messages, offeredLocales } from '#contract/locales.ts';
import { type StaffTranslate, staffTranslate } from '#contract/staff/messages.ts';
import { translator } from '#contract/translate.ts';
import { I18nProvider } from '#ui/i18n.tsx';
import { languageKey } from './early.ts';

interface Shown {
  locale: Locale;
  /** Of shared controls, errors and rules. */
  messages: Messages;
}

interface Language {
  t: StaffTranslate;
  locale: Locale;
  choose: (locale: Locale) => void;
}

const LanguageContext = createContext<Language | null>(null);

export function LanguageProvider({ first, children }: { first: Shown; children: ReactNode }) {
  const [{ locale, messages }, show] = useState(first);
  useEffect(() => {
    document.documentElement.lang = locales[locale].tag;
  }, [locale]);
  const shared = useMemo(() => ({ locale, t: translator(locale, messages) }), [locale, messages]);
  const language = useMemo(() => {
    const choose = (next: Locale) => {
      localStorage.setItem(languageKey, next);
      void locales[next].load().then(({ default: loaded }) => show({ locale: next, messages: loaded }));
    };
    return { t: staffTranslate(locale), locale, choose };
  }, [locale]);
  return (
    <LanguageContext value={language}>
      <I18nProvider i18n={shared}>{children}</I18nProvider>
    </LanguageContext>
  );
}

export function useLanguage(): Language {
  const language = useContext(LanguageContext);
  if (!language) throw new Error('useLanguage outside of LanguageProvider');
  return language;
}

/** What a field of a text is called in one of the shop's languages; where there is one, it goes without saying. */
export const labelIn = (code: Locale, label: string): string =>
  offeredLocales().length > 1 ? `${label} (${locales[code].name})` : label;

export const useStaffT = (): StaffTranslate => useLanguage().t;
