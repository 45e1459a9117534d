/** The language of the page, for components. Loaders and heads have the same as `context.locale` and `context.t`. */
import { createContext, type ReactNode, useContext } from 'react';
import { type Locale, locales, type Messages } from '#contract/locales.ts';
import { type Translate, translator } from '#contract/translate.ts';

export interface I18n {
  locale: Locale;
  t: Translate;
  /** Adds the messages of private pages (`own-messages.ts`), once. The server has them from the start. */
  loadOwnMessages: () => Promise<void>;
}

/** Brings the messages of one language; the browser fetches no other. */
export async function loadI18n(locale: Locale): Promise<I18n> {
  const messages: Messages = { ...(await locales[locale].load()).default };
  let loading: Promise<void> | undefined;
  const loadOwnMessages = () => {
    loading ??= ownMessages(locale).then((own) => void Object.assign(messages, own));
    return loading;
  };
  return { locale, t: translator(locale, messages), loadOwnMessages };
}

async function ownMessages(locale: Locale): Promise<Partial<Messages>> {
  if (import.meta.env.SSR) return {};
  const files = import.meta.glob<Partial<Messages>>('../../contract/messages/*.json', { query: '?own', import: 'default' });
  return (await files[`../../contract/messages/${locale}.json`]?.()) ?? {};
}

const I18nContext = createContext<I18n | null>(null);

export function I18nProvider({ i18n, children }: { i18n: I18n; children: ReactNode }) {
  return <I18nContext value={i18n}>{children}</I18nContext>;
}

function useI18n(): I18n {
  const i18n = useContext(I18nContext);
  if (!i18n) throw new Error('useT or useLocale outside of I18nProvider');
  return i18n;
}

export function useLocale(): Locale {
  return useI18n().locale;
}

/** `t('cart.empty.title')`, `t('list.count', { count })` for a pair of plural messages. */
export function useT(): Translate {
  return useI18n().t;
}
