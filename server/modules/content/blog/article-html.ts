/** Renders an article as HTML for feed readers. Plain texts are escaped; rich text is sanitised already. */
import { localizePath } from '#contract/locale-path.ts';
import { inLocale, type Locale } from '#contract/locales.ts';
import type { ArticlePart } from '#contract/schemas/blog.ts';
import type { ImageInfo } from '#contract/schemas/common.ts';
import { escapeHtml } from '#server/platform/html.ts';

interface HtmlArticle {
  image: ImageInfo | null;
  title: string;
  parts: readonly ArticlePart[];
}

/** URLs start with `origin`, since feeds are read on other sites. */
export function articleHtml({ image, title, parts }: HtmlArticle, origin: string, locale: Locale): string {
  const cover = image ? `<p>${picture(image, title, origin)}</p>` : '';
  return cover + parts.map((part) => partHtml(part, origin, locale)).join('');
}

function partHtml(part: ArticlePart, origin: string, locale: Locale): string {
  switch (part.type) {
    case 'paragraph':
      return `<p>${escapeHtml(part.text)}</p>`;
    case 'heading':
      return `<h${part.level}>${escapeHtml(part.text)}</h${part.level}>`;
    case 'image': {
      const caption = part.caption ? `<figcaption>${escapeHtml(part.caption)}</figcaption>` : '';
      return `<figure>${picture(part.image, part.alt, origin)}${caption}</figure>`;
    }
    case 'list': {
      const tag = part.ordered ? 'ol' : 'ul';
      return `<${tag}>${part.items.map((item) => `<li>${escapeHtml(item)}</li>`).join('')}</${tag}>`;
    }
    case 'quote': {
      const source = part.source ? `<footer>${escapeHtml(part.source)}</footer>` : '';
      return `<blockquote><p>${escapeHtml(part.text)}</p>${source}</blockquote>`;
    }
    case 'html':
      // Sanitised already. Links into the shop and its images become absolute, and each image has a single size.
      return part.html
        .replaceAll(/ (?:srcset|sizes|loading)="[^"]*"/g, '')
        .replaceAll(/ (href|src)="\//g, (_, name) => ` ${name}="${escapeHtml(origin)}/`);
    case 'product': {
      const address = origin + localizePath(`/product/${encodeURIComponent(part.product.id)}`, locale);
      return `<p><a href="${escapeHtml(address)}">${escapeHtml(inLocale(part.product.nameContent, locale))}</a></p>`;
    }
  }
}

function picture({ imageURL, width, height }: ImageInfo, alt: string, origin: string): string {
  return `<img src="${escapeHtml(origin + imageURL)}" alt="${escapeHtml(alt)}" width="${width}" height="${height}">`;
}
