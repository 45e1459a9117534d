/** Rich text of merchants, made harmless. On the server only: the sanitiser is larger than a page's script. */
import sanitizeHtml, { type IOptions } from 'sanitize-html';
import { defaultLocale, type Locale } from '#contract/locales.ts';

const allowedTags = [
  ...['h2', 'h3', 'h4', 'p', 'br', 'hr', 'blockquote', 'ul', 'ol', 'li', 'dl', 'dt', 'dd'],
  ...['a', 'strong', 'em', 'b', 'i', 's', 'u', 'sub', 'sup', 'small', 'mark', 'code', 'pre', 'q', 'cite', 'abbr', 'time'],
  ...['table', 'caption', 'thead', 'tbody', 'tfoot', 'tr', 'th', 'td'],
];

const safe: IOptions = {
  allowedTags,
  allowedAttributes: {
    a: ['href', 'rel', 'title'],
    ol: ['start'],
    th: ['scope', 'colspan', 'rowspan'],
    td: ['colspan', 'rowspan'],
    abbr: ['title'],
    time: ['datetime'],
  },
  allowedSchemes: ['http', 'https', 'mailto', 'tel'],
  // What starts with // looks like the shop's own and is not.
  allowProtocolRelative: false,
  disallowedTagsMode: 'discard',
};

/** What may be kept: text and its structure, no scripts, styles, pictures, frames or forms. A page has one h1, which is its title. */
export function safeHtml(html: string): string {
  return sanitizeHtml(html, { ...safe, transformTags: { h1: 'h2' } });
}

/** As a page in `locale` shows it: links into the shop stay in that language, others say that they leave. */
export function shownHtml(html: string, locale: Locale): string {
  return sanitizeHtml(html, {
    ...safe,
    transformTags: {
      h1: 'h2',
      a: (tagName, { href = '', title }) => ({
        tagName,
        attribs: {
          href: isPageOfShop(href) && locale !== defaultLocale ? `/${locale}${href === '/' ? '' : href}` : href,
          ...(title ? { title } : {}),
          ...(/^https?:/i.test(href) ? { rel: 'noopener external' } : {}),
        },
      }),
    },
  });
}

function isPageOfShop(href: string): boolean {
  return /^\/(?!\/|media\/|api\/)/.test(href);
}
