import { useRouterState } from '@tanstack/react-router';
import { useEffect } from 'react';
import { locales, localizePath, offeredLocales } from '#contract/locales.ts';
import { useLocale } from '#ui/i18n.tsx';
import { clearTab, readTab, writeTab } from '#web/lib/tab-storage.ts';

const scrollKey = 'language-switch-scroll';

/** The links load a new document, so that everything is in one language; the scroll position is carried over. */
export function LanguageSwitch({ className }: { className?: string }) {
  const current = useLocale();
  const location = useRouterState({ select: (state) => state.resolvedLocation ?? state.location });
  const others = offeredLocales().filter((code) => code !== current);
  return others.map((code) => (
    <a
      key={code}
      href={localizePath(location.pathname, code) + location.searchStr}
      hrefLang={code}
      lang={locales[code].tag}
      className={className}
      onClick={() => writeTab(scrollKey, scrollY)}
    >
      {locales[code].name}
    </a>
  ));
}

export function useScrollAfterSwitch(): void {
  useEffect(() => {
    const top = readTab(scrollKey);
    clearTab(scrollKey);
    if (typeof top === 'number') scrollTo({ top, behavior: 'instant' });
  }, []);
}
