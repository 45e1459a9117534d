/** Text of somebody else's HTML: no markup is left, so that it is harmless wherever it is shown as text. */
import sanitizeHtml from 'sanitize-html';
import { unescapeHtml } from '#server/platform/html.ts';

/** The words of some HTML, cut at `most` characters with an ellipsis. What stood in scripts and styles is left out. */
export function plainText(html: string, most: number): string {
  // Where a block ended, words must not run into each other.
  const spaced = html.slice(0, longestHtml).replace(/<\/?(?:p|div|li|h[1-6]|br|tr|td|blockquote)\b/gi, ' $&');
  const text = sanitizeHtml(spaced, { allowedTags: [], allowedAttributes: {} });
  return shortened(unescapeHtml(text), most);
}

/** White space is one space, control characters are none; cut at `most` characters with an ellipsis. */
export function shortened(text: string, most: number): string {
  const characters = [
    ...text
      .replace(/[\s\p{Cc}]+/gu, ' ')
      .replace(/[\u202a-\u202e\u2066-\u2069]/g, '')
      .trim(),
  ];
  return characters.length <= most ? characters.join('') : `${characters.slice(0, most).join('').trimEnd()}…`;
}

/** A whole article may stand where an excerpt is wanted. Characters. */
const longestHtml = 20_000;
