/** Renders an article as HTML for feed readers. Plain texts are escaped; rich text is sanitised already. */
import type { ArticlePart } from '#contract/schemas/blog.ts';
import type { ImageInfo } from '#contract/schemas/common.ts';
import { escapeHtml } from '#server/platform/html.ts';

/** Image URLs start with `origin`, since feeds are read on other sites. */
export function articleHtml(image: ImageInfo | null, title: string, parts: readonly ArticlePart[], origin: string): string {
  const cover = image ? `<p>${picture(image, title, origin)}</p>` : '';
  return cover + parts.map((part) => partHtml(part, origin)).join('');
}

function partHtml(part: ArticlePart, origin: string): string {
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
  }
}

function picture({ imageURL, width, height }: ImageInfo, alt: string, origin: string): string {
  return `<img src="${escapeHtml(origin + imageURL)}" alt="${escapeHtml(alt)}" width="${width}" height="${height}">`;
}
