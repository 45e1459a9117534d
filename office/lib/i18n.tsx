/** The office's language: what this person chose on this device, else the browser's. */
import { createContext, type ReactNode, useContext, useEffect, useState } from 'react';
import { type Locale, locales } from '#contract/locales.ts';
import { type StaffTranslate, staffLocale, staffTranslate } from '#contract/staff/messages.ts';
import { translator } from '#contract/translate.ts';
import { type I18n, I18nProvider } from '#ui/i18n.tsx';

const stored = 'office-language';

interface Language {
  t: StaffTranslate;
  locale: Locale;
  choose: (locale: Locale) => void;
}

const LanguageContext = createContext<Language | null>(null);

/** The language in which the office opens. */
export const firstLocale = (): Locale => staffLocale(localStorage.getItem(stored) ?? navigator.language);

export function LanguageProvider({ children }: { children: ReactNode }) {
  const [locale, setLocale] = useState(firstLocale);
  const [shared, setShared] = useState<I18n | null>(null);
  useEffect(() => {
    document.documentElement.lang = locales[locale].tag;
    let wanted = true;
    void locales[locale].load().then(({ default: messages }) => {
      if (wanted) setShared({ locale, t: translator(locale, messages) });
    });
    return () => {
      wanted = false;
    };
  }, [locale]);
  const choose = (next: Locale) => {
    localStorage.setItem(stored, next);
    setLocale(next);
  };
  if (!shared) return null;
  return (
    <LanguageContext value={{ t: staffTranslate(shared.locale), locale: shared.locale, choose }}>
      <I18nProvider i18n={shared}>{children}</I18nProvider>
    </LanguageContext>
  );
}

export function useLanguage(): Language {
  const language = useContext(LanguageContext);
  if (!language) throw new Error('useLanguage outside of LanguageProvider');
  return language;
}

export const useStaffT = (): StaffTranslate => useLanguage().t;
