import { type Locale, locales, type Messages } from '#contract/locales.ts';
import { translator } from '#contract/translate.ts';
import type { I18n } from '#ui/i18n.tsx';
import { isPrivatePath } from '#web/lib/urls.ts';
import type { LaterPart } from './message-parts.ts';

export interface PageI18n extends I18n {
  /** Loads the messages that only the page at this path (without language) needs; once. The server has all messages. */
  loadMessages: (pathname: string) => Promise<void>;
}

let loadPartOfPage: (part: LaterPart) => Promise<void> = async () => {};

/** Loads the messages of a part in the page's language; once. A document in the browser has one language. */
export const loadPart = (part: LaterPart): Promise<void> => loadPartOfPage(part);

/** Loads the messages of one language; the browser loads no other. */
export async function loadI18n(locale: Locale): Promise<PageI18n> {
  const messages: Messages = { ...(await locales[locale].load()).default };
  const loading: Partial<Record<LaterPart, Promise<void>>> = {};
  if (!import.meta.env.SSR)
    loadPartOfPage = (part) => {
      loading[part] ??= laterMessages(locale, part).then((more) => void Object.assign(messages, more));
      return loading[part];
    };
  const loadMessages = async (pathname: string) => {
    const part = partAt(pathname);
    if (part) await loadPart(part);
  };
  return { locale, t: translator(locale, messages), loadMessages };
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

export function partAt(pathname: string): LaterPart | null {
  if (isPrivatePath(pathname)) return 'own';
  const [, first = ''] = pathname.split('/');
  return laterParts[first] ?? null;
}

async function laterMessages(locale: Locale, part: LaterPart): Promise<Partial<Messages>> {
  if (import.meta.env.SSR) return {};
  const files = {
    own: import.meta.glob<Partial<Messages>>('../../contract/messages/*.json', {
      query: '?own',
      import: 'default',
    }),
    content: import.meta.glob<Partial<Messages>>('../../contract/messages/*.json', {
      query: '?content',
      import: 'default',
    }),
    lists: import.meta.glob<Partial<Messages>>('../../contract/messages/*.json', {
      query: '?lists',
      import: 'default',
    }),
    product: import.meta.glob<Partial<Messages>>('../../contract/messages/*.json', {
      query: '?product',
      import: 'default',
    }),
    more: import.meta.glob<Partial<Messages>>('../../contract/messages/*.json', {
      query: '?more',
      import: 'default',
    }),
  };
  return (await files[part][`../../contract/messages/${locale}.json`]?.()) ?? {};
}
