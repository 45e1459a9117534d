/** Provides the page's language to components. Loaders and heads have it as `context.locale` and `context.t`. */
import { createContext, type ReactNode, useContext } from 'react';
import { type Locale, locales, type Messages } from '#contract/locales.ts';
import { type Translate, translator } from '#contract/translate.ts';
import { isPrivatePath } from '#web/lib/urls.ts';
import type { LaterPart } from './message-parts.ts';

export interface I18n {
  locale: Locale;
  t: Translate;
  /** Loads the messages that only the page at this path (without language) needs; once. The server has all messages. */
  loadMessages: (pathname: string) => Promise<void>;
  /** Loads the messages of a part; once. */
  loadPart: (part: LaterPart) => Promise<void>;
}

/** Loads the messages of one language; the browser loads no other. */
export async function loadI18n(locale: Locale): Promise<I18n> {
  const messages: Messages = { ...(await locales[locale].load()).default };
  const loading: Partial<Record<LaterPart, Promise<void>>> = {};
  const loadPart = (part: LaterPart) => {
    loading[part] ??= laterMessages(locale, part).then((more) => void Object.assign(messages, more));
    return loading[part];
  };
  const loadMessages = async (pathname: string) => {
    const part = partAt(pathname);
    if (part) await loadPart(part);
  };
  return { locale, t: translator(locale, messages), loadMessages, loadPart };
}

const laterParts: Partial<Record<string, LaterPart>> = {
  blog: 'content',
  contact: 'content',
  product: 'product',
  products: 'lists',
  productlist: 'lists',
  search: 'lists',
  tag: 'lists',
  brand: 'lists',
  brands: 'lists',
  clearance: 'lists',
  table: 'own',
};

/** The extra messages (`message-parts.ts`) of a page, by its path without language. */
export function partAt(pathname: string): LaterPart | null {
  if (isPrivatePath(pathname)) return 'own';
  const [, first = ''] = pathname.split('/');
  return laterParts[first] ?? null;
}

async function laterMessages(locale: Locale, part: LaterPart): Promise<Partial<Messages>> {
  if (import.meta.env.SSR) return {};
  const files = {
    own: import.meta.glob<Partial<Messages>>('../../contract/messages/*.json', { query: '?own', import: 'default' }),
    content: import.meta.glob<Partial<Messages>>('../../contract/messages/*.json', { query: '?content', import: 'default' }),
    lists: import.meta.glob<Partial<Messages>>('../../contract/messages/*.json', { query: '?lists', import: 'default' }),
    product: import.meta.glob<Partial<Messages>>('../../contract/messages/*.json', { query: '?product', import: 'default' }),
    more: import.meta.glob<Partial<Messages>>('../../contract/messages/*.json', { query: '?more', import: 'default' }),
  };
  return (await files[part][`../../contract/messages/${locale}.json`]?.()) ?? {};
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

/** Loads the messages of a part, for code that arrives later than its page. */
export function useLoadPart(): I18n['loadPart'] {
  return useI18n().loadPart;
}

/** `t('cart.empty.title')`, `t('list.count', { count })` for a pair of plural messages. */
export function useT(): Translate {
  return useI18n().t;
}
