/** Texts of WordPress as its editor shows them: paragraphs by empty lines, without shortcodes and comments of blocks. */

const block =
  /^<\/?(?:p|div|h[1-6]|ul|ol|li|dl|table|thead|tbody|tr|t[dh]|blockquote|figure|pre|hr|section|article|iframe|img)\b/i;
const attributes = String.raw`(?:\s+[\w:-]+\s*=\s*(?:"[^"\]]*"|'[^'\]]*'|[^\s"'\]]+))`;
const name = '[a-z][a-z0-9_-]*';
/** With attributes, or closed: what people write in brackets has neither. */
const shortcodes = new RegExp(String.raw`\[/${name}\]|\[${name}${attributes}+\s*/?\]`, 'gi');
const closing = new RegExp(String.raw`\[/(${name})\]`, 'gi');
const bare = new RegExp(String.raw`\[(${name})\s*/?\]`, 'gi');

/** As exports write it: line breaks are a backslash and an n. */
export function wordpressHtml(exported: string): string {
  // A backslash and an n that somebody wrote has a second backslash before it.
  const text = exported.replaceAll(/(\\?)\\n/g, (whole, escaped: string) =>
    escaped ? whole.slice(1) : '\n',
  );
  const closed = new Set([...text.matchAll(closing)].map(([, each = '']) => each.toLowerCase()));
  const plain = text
    .replaceAll(/<!--[\s\S]*?-->/g, '')
    .replaceAll(shortcodes, '')
    .replaceAll(bare, (whole, each: string) => (closed.has(each.toLowerCase()) ? '' : whole))
    .trim();
  if (!plain.includes('\n') || !/<[a-z]/i.test(plain)) return plain;
  return plain
    .split(/\n\s*\n/)
    .map((part) => part.trim())
    .filter(Boolean)
    .map((part) =>
      block.test(part) || /<\/(?:p|div|h[1-6]|ul|ol|li|table|tr|blockquote)>$/i.test(part)
        ? part
        : `<p>${part.replaceAll('\n', '<br />')}</p>`,
    )
    .join('\n');
}

/** Undefined for a template of a plug-in, which is no text: `%%title%% %%sep%% %%sitename%%`. */
export const seoText = (text: string | undefined): string | undefined =>
  text === undefined || /%%?\w+%%?/.test(text) ? undefined : text;
