/** The shortcodes of WordPress and its usual plug-ins in a text: what becomes a picture or a link, what goes, and what stays as words. */
import { escapeHtml, unescapeHtml } from '#server/platform/html.ts';

export interface Attachment {
  address: string;
  alt: string;
  caption: string;
}

/** What a text refers to. */
export interface TextSources {
  attachment(id: string): Attachment | undefined;
  /** The ids of pictures that belong to the post. */
  ofPost(): readonly string[];
  /** The text of a block that several posts share. */
  block(id: string): string | undefined;
}

/** What happened to a text. */
export interface Told {
  /** Names of shortcodes and blocks without a place in the shop. */
  left: Set<string>;
  /** Addresses of videos, sounds and the like, which are links now. */
  embeds: number;
  /** Pictures that are named and not in the file. */
  missing: number;
}

export const nothingTold = (): Told => ({ left: new Set(), embeds: 0, missing: 0 });

/** Those that WordPress itself has, and a few that everybody knows, also without attributes. */
const media = new Set([
  'embed',
  'video',
  'audio',
  'youtube',
  'vimeo',
  'wpvideo',
  'soundcloud',
  'ted',
  'dailymotion',
  'tweet',
]);
const own = new Set([
  ...media,
  'caption',
  'wp_caption',
  'gallery',
  'playlist',
  'contact-form',
  'contact-form-7',
]);

/** What is between them is theirs; words between others stay. */
const isWrapping = new Set([...media, 'caption', 'wp_caption']);

const attributesIn = (text: string): { named: Map<string, string>; bare: string[] } => {
  const named = new Map<string, string>();
  const bare: string[] = [];
  for (const [, key, double, single, plain, rest] of text.matchAll(
    /([\w:-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'\]]+))|(\S+)/g,
  ))
    if (key !== undefined) named.set(key.toLowerCase(), double ?? single ?? plain ?? '');
    else if (rest !== undefined) bare.push(rest.replace(/^["']|["']$/g, ''));
  return { named, bare };
};

const linkTo = (address: string) =>
  `\n\n<p><a href="${escapeHtml(address)}">${escapeHtml(address)}</a></p>\n\n`;

/** A picture with its words. The address of another site stands until it is fetched. */
export const figure = ({ address, alt, caption }: Attachment) =>
  `<figure><img src="${escapeHtml(address)}" alt="${escapeHtml(alt)}">${caption ? `<figcaption>${caption}</figcaption>` : ''}</figure>`;

function addressOf(code: string, value: string, { named, bare }: ReturnType<typeof attributesIn>): string {
  const given =
    value.trim() ||
    named.get('src') ||
    named.get('url') ||
    named.get('mp4') ||
    named.get('mp3') ||
    named.get('id') ||
    bare[0] ||
    '';
  const first = unescapeHtml(given);
  if (/^https?:\/\//.test(first)) return first;
  if (code === 'youtube' && /^[\w-]{6,20}$/.test(first)) return `https://www.youtube.com/watch?v=${first}`;
  if (code === 'vimeo' && /^\d+$/.test(first)) return `https://vimeo.com/${first}`;
  return '';
}

interface Found {
  from: number;
  to: number;
  code: string;
  isEnd: boolean;
  value: string;
  attributes: string;
}

/** Of what stands in quotes, so that a text is read in one go. */
const mostQuoted = 4000;

/** The end of a shortcode that begins at a bracket; -1 if it is none: outside of quotes there is no other bracket. */
function endOf(text: string, from: number): number {
  for (let at = from + 1; at < text.length && at - from < 2 * mostQuoted; at++) {
    const sign = text[at];
    if (sign === ']') return at;
    if (sign === '[' || sign === '<') return -1;
    if (sign !== '"' && sign !== "'") continue;
    const close = text.slice(at + 1, at + 1 + mostQuoted).indexOf(sign);
    if (close < 0) return -1;
    at += close + 1;
  }
  return -1;
}

const form = /^(\/?)([A-Za-z][\w-]*)(?:=(\S*))?(?:\s+([\s\S]*?))?\s*\/?$/;

function found(text: string): Found[] {
  const all: Found[] = [];
  for (let from = text.indexOf('['); from >= 0; from = text.indexOf('[', from + 1)) {
    if (!/[A-Za-z/]/.test(text[from + 1] ?? '')) continue;
    const end = endOf(text, from);
    if (end < 0) continue;
    const [, slash = '', code = '', value = '', attributes = ''] = form.exec(text.slice(from + 1, end)) ?? [];
    // Two brackets say that it is an example.
    if (code === '' || (text[from - 1] === '[' && text[end + 1] === ']')) continue;
    all.push({
      from,
      to: end + 1,
      code: code.toLowerCase(),
      isEnd: slash !== '',
      value,
      attributes: attributes.trim(),
    });
  }
  return all;
}

/** Replaces shortcodes outside of code. What people write in brackets has neither attributes nor an end, and stays. */
export function withoutShortcodes(text: string, sources: TextSources, told: Told): string {
  const all = found(text);
  const ends = Map.groupBy(
    all.filter(({ isEnd }) => isEnd),
    ({ code }) => code,
  );
  let out = '';
  let at = 0;
  for (const { from, to, code, isEnd, value, attributes: inside } of all) {
    if (from < at) continue;
    const isCode = own.has(code) || ends.has(code) || value !== '' || inside.includes('=');
    if (!isCode) continue;
    out += text.slice(at, from);
    at = to;
    if (isEnd) continue;
    const left = ends.get(code) ?? [];
    while (left[0] && left[0].from < to) left.shift();
    const end = isWrapping.has(code) ? left[0] : undefined;
    const content = end ? text.slice(to, end.from) : '';
    if (end) at = end.to;
    if (code === 'caption' || code === 'wp_caption')
      out += captioned(content, attributesIn(inside).named.get('caption'), sources, told);
    else if (code === 'gallery') out += gallery(attributesIn(inside).named.get('ids'), sources, told);
    else if (media.has(code)) {
      const address = addressOf(code, content || value, attributesIn(inside));
      if (address === '') told.left.add(code);
      else told.embeds += 1;
      out += address === '' ? '' : linkTo(address);
    } else told.left.add(code);
  }
  return (out + text.slice(at)).replaceAll(/\[(\[[^[\]]+\])\]/g, '$1');
}

function captioned(content: string, given: string | undefined, sources: TextSources, told: Told): string {
  const [picture = '', words = ''] =
    /^((?:<a\b[^<>]*>\s*)?<img\b[^<>]*>\s*(?:<\/a>)?)([\s\S]*)$/i.exec(content.trimStart())?.slice(1) ?? [];
  if (picture === '') return withoutShortcodes(content, sources, told);
  const caption = (given ?? words).trim();
  return `\n\n<figure>${picture}${caption ? `<figcaption>${caption}</figcaption>` : ''}</figure>\n\n`;
}

function gallery(ids: string | undefined, { attachment, ofPost }: TextSources, told: Told): string {
  const named = ids === undefined ? ofPost() : ids.split(/[\s,]+/).filter(Boolean);
  const pictures = named.map((id) => attachment(id));
  told.missing += pictures.filter((each) => each === undefined).length;
  return `\n\n${pictures.flatMap((each) => (each ? [figure(each)] : [])).join('\n')}\n\n`;
}
