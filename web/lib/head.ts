/** Titles, descriptions and the addresses of a page in its languages, for `head` of the routes. */
import type { ImageInfo } from '#contract/schemas/common.ts';
import { defaultLocale, type Locale, localeCodes, locales } from '#contract/locales.ts';
import { localizePath } from './locale-path.ts';
import { isPrivatePath } from './urls.ts';

type Meta = Record<string, unknown>;
export interface Head {
  meta: Meta[];
  links: { rel: string; href: string; hrefLang?: string }[];
}

interface HeadContext {
  locale: Locale;
  origin: string;
}

/** What every page has. `pathname` carries no language. */
export function rootHead({ locale, origin }: HeadContext, pathname: string, shopName: string | undefined): Head {
  const address = (code: Locale) => origin + localizePath(pathname, code);
  const shared: Meta[] = [
    { charSet: 'utf-8' },
    { name: 'viewport', content: 'width=device-width, initial-scale=1, viewport-fit=cover' },
    { name: 'theme-color', content: '#f8f4ed', media: '(prefers-color-scheme: light)' },
    { title: shopName ?? '' },
  ];
  if (isPrivatePath(pathname)) return { meta: [...shared, { name: 'robots', content: 'noindex' }], links: [] };
  return {
    meta: [...shared, { property: 'og:site_name', content: shopName }, { property: 'og:url', content: address(locale) }],
    links: [
      { rel: 'canonical', href: address(locale) },
      ...localeCodes.map((code) => ({ rel: 'alternate', hrefLang: locales[code].tag.slice(0, 2), href: address(code) })),
      { rel: 'alternate', hrefLang: 'x-default', href: address(defaultLocale) },
    ],
  };
}

export interface PageHead {
  title: string;
  description?: string | undefined;
  image?: ImageInfo | null | undefined;
}

export type { ImageInfo };
