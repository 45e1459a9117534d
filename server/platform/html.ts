/** Escapes text for HTML, and sanitises merchants' rich text. On the server only: the sanitiser is larger than a page's script. */
import sanitizeHtml, { type IOptions } from 'sanitize-html';
import type { RichText } from '#blocks/define-block.ts';
import { type Locale, localizePath, mainLocale, splitLocale } from '#contract/locales.ts';
import { fittingUrl, pictureName, srcSet } from '#contract/media.ts';
import type { ImageInfo } from '#contract/schemas/common.ts';
import { NestingError, nestingCounter } from './markup.ts';

export const blockRichText: RichText = { sanitize: safeHtml, pictures: picturesInHtml };

const allowedTags = [
  'h2',
  'h3',
  'h4',
  'p',
  'br',
  'hr',
  'blockquote',
  'ul',
  'ol',
  'li',
  'dl',
  'dt',
  'dd',
  'a',
  'strong',
  'em',
  'b',
  'i',
  's',
  'u',
  'sub',
  'sup',
  'small',
  'mark',
  'code',
  'pre',
  'q',
  'cite',
  'abbr',
  'time',
  'img',
  'figure',
  'figcaption',
  'table',
  'caption',
  'thead',
  'tbody',
  'tfoot',
  'tr',
  'th',
  'td',
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
    img: ['src', 'alt'],
  },
  allowedSchemes: ['http', 'https', 'mailto', 'tel'],
  // A URL that starts with // looks like a path of the shop but leads to another host.
  allowProtocolRelative: false,
  disallowedTagsMode: 'discard',
};

/** Tags that are nested too deep are all left out. */
function sanitized(html: string, options: IOptions): string {
  const nesting = nestingCounter();
  try {
    return sanitizeHtml(html, {
      ...options,
      onOpenTag: (tag) => nesting.open(tag),
      onCloseTag: () => nesting.close(),
    });
  } catch (error) {
    if (!(error instanceof NestingError)) throw error;
    return sanitizeHtml(html.replaceAll(/<[^<>]*>?/g, ' '), options);
  }
}

/** Wider images are no sharper in a column of text, px. */
const widestPicture = 1600;
/** For browsers without srcset, px. */
const plainPicture = 800;
const pictureSizes = '(min-width: 48rem) 42rem, 92vw';

/** External images would reveal readers to others. No h1: a page's only h1 is its title. */
export function safeHtml(html: string): string {
  return sanitized(html, {
    ...safe,
    transformTags: { h1: 'h2' },
    exclusiveFilter: ({ tag, attribs }) => tag === 'img' && !pictureName.test(attribs.src ?? ''),
  });
}

/** Its texts without formats, for what shows no HTML. */
export function plainParagraphs(html: string): string[] {
  const lines = html.replace(
    /<(?:br|hr|\/(?:p|h\d|li|dt|dd|tr|blockquote|figcaption|caption|pre))\b[^<>]*>/gi,
    '$&\n',
  );
  const plain = unescapeHtml(sanitized(lines, { allowedTags: [], allowedAttributes: {} }));
  return plain.split('\n').flatMap((line) => line.replaceAll(/\s+/g, ' ').trim() || []);
}

export function picturesInHtml(html: string): string[] {
  return [...html.matchAll(/<img\b[^<>]*?\ssrc="([^"<]*)"/g)].map(([, file = '']) => file);
}

/** Links into the shop stay in that language, external links are marked, and missing images are left out. */
export function shownHtml(
  html: string,
  locale: Locale,
  image: (file: string) => ImageInfo | undefined,
): string {
  return sanitized(html, {
    ...safe,
    allowedAttributes: {
      ...safe.allowedAttributes,
      img: ['src', 'srcset', 'sizes', 'width', 'height', 'alt', 'loading'],
    },
    exclusiveFilter: ({ tag, attribs }) => tag === 'img' && !attribs.src,
    transformTags: {
      h1: 'h2',
      img: (tagName, { src = '', alt = '' }) => ({ tagName, attribs: pictureAttributes(image(src), alt) }),
      a: (tagName, { href = '', title }) => ({
        tagName,
        attribs: {
          href:
            isPageOfShop(href) && locale !== mainLocale()
              ? localizePath(splitLocale(href).pathname, locale)
              : href,
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

function pictureAttributes(info: ImageInfo | undefined, alt: string): Record<string, string> {
  if (!info) return {};
  return {
    src: fittingUrl(info, plainPicture),
    srcset: srcSet({ ...info, width: Math.min(info.width, widestPicture) }),
    sizes: pictureSizes,
    width: String(info.width),
    height: String(info.height),
    alt,
    loading: 'lazy',
  };
}

const escapes: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const entities: Record<string, string> = {
  ...Object.fromEntries(Object.entries(escapes).map(([character, entity]) => [entity, character])),
  // React's form of the apostrophe.
  '&#x27;': "'",
};

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => escapes[character] ?? character);
}

/** Also React's escapes; other entities stay. */
export function unescapeHtml(text: string): string {
  return text.replace(/&(?:amp|lt|gt|quot|#39|#x27);/g, (entity) => entities[entity] ?? entity);
}

/** XML cannot represent control characters and lone surrogates even escaped. */
export function withoutInvalidXml(text: string): string {
  return text.replaceAll(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, '');
}
