import sanitizeHtml from 'sanitize-html';
import { unescapeHtml } from '#server/platform/html.ts';

/** The text of an HTML fragment, cut at `most` characters with an ellipsis. Scripts and styles are left out. */
export function plainText(html: string, most: number): string {
  // Adds a space at the end of each block, so that words do not run together.
  const spaced = html.slice(0, longestHtml).replace(/<\/?(?:p|div|li|h[1-6]|br|tr|td|blockquote)\b/gi, ' $&');
  const text = sanitizeHtml(spaced, { allowedTags: [], allowedAttributes: {} });
  return shortened(unescapeHtml(text), most);
}

/** Collapses white space and removes control characters; cut at `most` characters with an ellipsis. */
export function shortened(text: string, most: number): string {
  const characters = [
    ...text
      .replace(/[\s\p{Cc}]+/gu, ' ')
      .replace(/[\u202a-\u202e\u2066-\u2069]/g, '')
      .trim(),
  ];
  return characters.length <= most ? characters.join('') : `${characters.slice(0, most).join('').trimEnd()}…`;
}

/** The longest HTML that is processed, in characters: a feed may put a whole article into an excerpt. */
const longestHtml = 20_000;
