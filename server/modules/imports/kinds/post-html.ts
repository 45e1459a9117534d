/** The HTML of other programs as posts of the shop have it: paragraphs, pictures by their addresses, links in place of videos. */
import { escapeHtml, plainParagraphs, unescapeHtml } from '#server/platform/html.ts';
import { mostNested, NestingError, readMarkup } from '#server/platform/markup.ts';
import { nothingTold, type TextSources, type Told, withoutShortcodes } from './shortcodes.ts';

export interface PostHtml {
  html: string;
  told: Told;
}

export interface HtmlSources {
  /** The same link in the shop; undefined for one that leads elsewhere. */
  link(href: string): string | undefined;
  /** Where a picture can be had, in full size; undefined if nowhere. */
  picture(address: string): string | undefined;
}

/** Of blocks that a block of the file repeats. */
const mostRepeats = 50;
const blockStart =
  /^<\/?(?:p|div|h[1-6]|ul|ol|li|dl|dt|dd|table|caption|thead|tbody|tfoot|tr|t[dh]|blockquote|figure|figcaption|pre|hr|section|article|aside|header|footer|main|center|iframe|video|audio|details|summary|form)\b/i;
const blockEnd =
  /<\/(?:p|div|h[1-6]|ul|ol|li|dl|table|tr|t[dh]|blockquote|figure|figcaption|pre|section|article|center)>$/i;

/** Of WordPress: without the comments of its editor and without shortcodes, with paragraphs where lines are empty. */
export function wordpressContent(raw: string, sources: TextSources & HtmlSources): PostHtml {
  const told = nothingTold();
  let repeats = 0;
  const said = withoutComments(raw, (comment) => {
    const [, block = '', rest = ''] = /^\s*wp:([a-z][a-z0-9/-]*)\s*([\s\S]*)$/.exec(comment) ?? [];
    // A block without content shows what the other site has, such as its latest posts.
    if (!rest.endsWith('/') || harmless.has(block)) return '\n';
    repeats += 1;
    const shared =
      block === 'block' && repeats <= mostRepeats
        ? sources.block(/"ref":\s*(\d+)/.exec(rest)?.[1] ?? '')
        : undefined;
    if (shared !== undefined) return `\n\n${withoutComments(shared, () => '\n')}\n\n`;
    told.left.add(block === 'block' ? 'core/block' : block);
    return '\n';
  });
  const { text, kept } = withoutCode(said);
  const paragraphs = inParagraphs(withoutShortcodes(text, sources, told));
  return { html: rewritten(kept(paragraphs), sources, told), told };
}

/** In one go, however many begin and do not end. */
export function withoutComments(text: string, instead: (comment: string) => string): string {
  let out = '';
  let at = 0;
  for (let from = text.indexOf('<!--'); from >= 0; from = text.indexOf('<!--', at)) {
    const end = text.indexOf('-->', from + 4);
    if (end < 0) break;
    out += text.slice(at, from) + instead(text.slice(from + 4, end));
    at = end + 3;
  }
  return out + text.slice(at);
}

const harmless = new Set(['more', 'nextpage', 'spacer', 'separator', 'post-title', 'post-content']);

/** Of a shop that keeps HTML as browsers show it. */
export function plainContent(raw: string, sources: HtmlSources): PostHtml {
  const told = nothingTold();
  return { html: rewritten(raw, sources, told), told };
}

/** Stands for code that is put back. */
const mark = '\ue000';

/** Code is shown as it is written. */
function withoutCode(given: string): { text: string; kept: (text: string) => string } {
  const raw = given.replaceAll(mark, '');
  const small = raw.toLowerCase();
  const parts: string[] = [];
  let text = '';
  let at = 0;
  // Without an end it is not code, nor is any behind it.
  const endless = new Set<string>();
  for (const { index: from, 1: name = '' } of small.matchAll(/<(pre|code|script|style)\b/g)) {
    if (from < at || endless.has(name)) continue;
    const end = small.indexOf(`</${name}>`, from);
    if (end < 0) {
      endless.add(name);
      continue;
    }
    const space = name === 'pre' ? '\n\n' : '';
    text += `${raw.slice(at, from)}${space}${mark}${parts.length}${mark}${space}`;
    at = end + name.length + 3;
    parts.push(raw.slice(from, at));
  }
  return {
    text: text + raw.slice(at),
    kept: (all) => all.replaceAll(/\ue000(\d+)\ue000/g, (_, part: string) => parts[Number(part)] ?? ''),
  };
}

function inParagraphs(text: string): string {
  return text
    .replaceAll(/\r\n?/g, '\n')
    .split(/\n[ \t]*\n/)
    .map((part) => part.trim())
    .filter(Boolean)
    .map((part) => {
      if (blockStart.test(part) || blockEnd.test(part) || /^\ue000\d+\ue000$/.test(part)) return part;
      return `<p>${part.replaceAll(/(?<!<br ?\/?>)\n/g, '<br>\n')}</p>`;
    })
    .join('\n');
}

const leaves = [
  'p',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'li',
  'td',
  'th',
  'dt',
  'dd',
  'figcaption',
  'pre',
  'caption',
  'summary',
];
const groups = ['ul', 'ol', 'dl', 'table', 'thead', 'tbody', 'tfoot', 'tr', 'blockquote', 'figure', 'hr'];
const wrappers = [
  'div',
  'section',
  'article',
  'aside',
  'header',
  'footer',
  'main',
  'center',
  'form',
  'fieldset',
  'details',
  'nav',
  'address',
  'body',
  'html',
  'noscript',
];
const inline = [
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
  'q',
  'cite',
  'abbr',
  'time',
];
const renamed: Readonly<Record<string, string>> = {
  h1: 'h2',
  h5: 'h4',
  h6: 'h4',
  summary: 'p',
  strike: 's',
  del: 's',
  ins: 'u',
  tt: 'code',
  kbd: 'code',
};
const silent = new Set([
  'script',
  'style',
  'template',
  'svg',
  'head',
  'title',
  'select',
  'textarea',
  'button',
  'object',
]);
const players = new Set(['iframe', 'embed', 'video', 'audio']);
const kept: Readonly<Record<string, readonly string[]>> = {
  ol: ['start'],
  th: ['scope', 'colspan', 'rowspan'],
  td: ['colspan', 'rowspan'],
  abbr: ['title'],
  time: ['datetime'],
};
const isVoid = new Set(['br', 'hr', 'img']);
/** They have no end, and nothing to show. */
const empty = new Set([
  'input',
  'source',
  'wbr',
  'col',
  'meta',
  'link',
  'base',
  'param',
  'track',
  'area',
  'frame',
  'keygen',
]);

/** Of a player: the page that a person would open. */
function pageOf(address: string): string {
  const full = address.startsWith('//') ? `https:${address}` : address;
  const youtube = /^https?:\/\/(?:www\.)?youtube(?:-nocookie)?\.com\/embed\/([\w-]+)/.exec(full)?.[1];
  if (youtube && youtube !== 'videoseries') return `https://www.youtube.com/watch?v=${youtube}`;
  const vimeo = /^https?:\/\/player\.vimeo\.com\/video\/(\d+)/.exec(full)?.[1];
  return vimeo ? `https://vimeo.com/${vimeo}` : full;
}

function rewritten(html: string, sources: HtmlSources, told: Told): string {
  const writer = new Writer(sources, told);
  try {
    readMarkup(html, writer.handler);
  } catch (error) {
    if (!(error instanceof NestingError)) throw error;
    told.left.add(`<${error.tag}> × ${mostNested}`);
  }
  return writer.text;
}

/** Writes what a post may have, and puts text that stands by itself into paragraphs. */
class Writer {
  /** In pieces: asking how one long text ends would copy it each time. */
  readonly #out: string[] = [];
  /** What is open, as it is written; an empty name for what is left out. */
  readonly #open: string[] = [];
  readonly #counts = new Map<string, number>();
  #silent = 0;
  #player: string | undefined;
  #isLinked = false;
  #isParagraph = false;
  readonly #sources: HtmlSources;
  readonly #told: Told;
  constructor(sources: HtmlSources, told: Told) {
    this.#sources = sources;
    this.#told = told;
  }

  get text(): string {
    // Of a text that was not read to its end.
    while (this.#open.length > 0) this.#closeLast();
    this.#endParagraph();
    return this.#out
      .join('')
      .replaceAll(/<(p|li|h[234]|figcaption|blockquote|figure)>(?:\s|&nbsp;|<br>)*<\/\1>/g, '')
      .trim();
  }

  get handler() {
    return {
      onopentag: (tag: string, attributes: Record<string, string>) => this.#start(tag, attributes),
      ontext: (text: string) => this.#say(text),
      onclosetag: (tag: string) => this.#end(tag),
    };
  }

  #isIn = (names: readonly string[]) => names.some((name) => (this.#counts.get(name) ?? 0) > 0);

  #push(name: string): void {
    this.#open.push(name);
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
  }

  #pop(): string {
    const name = this.#open.pop() ?? '';
    this.#counts.set(name, (this.#counts.get(name) ?? 1) - 1);
    return name;
  }

  #beginParagraph(): void {
    if (this.#isParagraph || this.#isIn(leaves) || this.#isIn(['figure'])) return;
    this.#out.push('<p>');
    this.#isParagraph = true;
  }

  #endParagraph(): void {
    if (!this.#isParagraph) return;
    this.#close('p');
    this.#isParagraph = false;
  }

  #start(tag: string, given: Record<string, string>): void {
    if (silent.has(tag)) {
      this.#silent += 1;
      if (tag === 'object' || tag === 'svg') this.#told.left.add(tag);
      if (tag === 'button' || tag === 'select' || tag === 'textarea') this.#told.left.add('form');
      return;
    }
    if (this.#silent > 0) return;
    const name = renamed[tag] ?? tag;
    if (players.has(tag) || (tag === 'source' && this.#player !== undefined)) this.#play(tag, given);
    else if (empty.has(tag)) {
      if (tag === 'input') this.#told.left.add('form');
    } else if (tag === 'img') this.#picture(given);
    else if (tag === 'br') {
      this.#beginParagraph();
      this.#out.push('<br>');
    } else if (wrappers.includes(tag)) {
      if (tag === 'form') this.#told.left.add('form');
      if (!this.#isIn(leaves)) this.#endParagraph();
      this.#push('');
    } else if (leaves.includes(tag) || groups.includes(tag)) {
      this.#endParagraph();
      this.#out.push(`<${name}${this.#attributes(name, given)}>`);
      if (!isVoid.has(tag)) this.#push(name);
    } else if (inline.includes(name)) {
      this.#beginParagraph();
      this.#out.push(`<${name}${this.#attributes(name, given)}>`);
      this.#push(name);
    } else this.#push('');
  }

  #attributes(name: string, given: Record<string, string>): string {
    if (name === 'a') return this.#href(given.href ?? '');
    return (kept[name] ?? [])
      .flatMap((each) => (given[each] ? [` ${each}="${escapeHtml(given[each])}"`] : []))
      .join('');
  }

  #href(href: string): string {
    const link = href.trim();
    const address = this.#sources.link(link) ?? (/^(?:https?:|mailto:|tel:|#)/i.test(link) ? link : '');
    return address === '' ? '' : ` href="${escapeHtml(address)}"`;
  }

  #picture(given: Record<string, string>): void {
    const address = given['data-orig-file'] || given['data-src'] || given['data-lazy-src'] || given.src || '';
    const full = this.#sources.picture(address.startsWith('//') ? `https:${address}` : address);
    if (full === undefined) {
      this.#told.missing += 1;
      return;
    }
    if (!this.#isIn(['a', 'figure', ...leaves])) this.#endParagraph();
    this.#out.push(`<img src="${escapeHtml(full)}" alt="${escapeHtml((given.alt ?? '').trim())}">`);
  }

  /** Until its end, what it says is for browsers that cannot play it. */
  #play(tag: string, given: Record<string, string>): void {
    const address = given.src || given['data-src'] || '';
    if (tag !== 'source' && tag !== 'embed') {
      this.#player = tag;
      this.#isLinked = false;
    }
    if (/^(?:https?:)?\/\//.test(address) && !(tag === 'source' && this.#isLinked)) {
      this.#isLinked = true;
      this.#told.embeds += 1;
      const page = escapeHtml(pageOf(address));
      const link = `<a href="${page}">${page}</a>`;
      if (this.#isIn([...leaves, 'figure'])) this.#out.push(link);
      else {
        this.#endParagraph();
        this.#out.push(`<p>${link}</p>\n`);
      }
    } else if (tag === 'iframe' || tag === 'embed') this.#told.left.add(tag);
  }

  #say(text: string): void {
    if (this.#silent > 0 || this.#player !== undefined) return;
    if (text.trim() === '' && !this.#isParagraph && !this.#isIn(leaves)) {
      if (text.includes('\n') && !this.#out.at(-1)?.endsWith('\n')) this.#out.push('\n');
      return;
    }
    // In a figure of an embedded site the address is all there is.
    const address = text.trim();
    if (/^https?:\/\/\S+$/.test(address) && !this.#isIn(['a', 'code', 'pre'])) {
      if (this.#isIn(['figure'])) this.#told.embeds += 1;
      this.#beginParagraph();
      this.#out.push(`<a href="${escapeHtml(address)}">${escapeHtml(address)}</a>`);
      return;
    }
    this.#beginParagraph();
    this.#out.push(escapeHtml(text));
  }

  #end(tag: string): void {
    if (silent.has(tag)) {
      this.#silent -= 1;
      return;
    }
    if (this.#silent > 0) return;
    if (players.has(tag)) {
      this.#player = undefined;
      return;
    }
    if (isVoid.has(tag) || empty.has(tag)) return;
    if (this.#closeLast() === '' && wrappers.includes(tag) && !this.#isIn(leaves)) this.#endParagraph();
  }

  /** Returns the name of what was opened last. */
  #closeLast(): string {
    const name = this.#pop();
    if (name === '') return name;
    if (groups.includes(name) && this.#isParagraph) this.#endParagraph();
    this.#close(name);
    return name;
  }

  /** Line breaks before the end of a paragraph show nothing. */
  #close(name: string): void {
    if (name === 'p') while (this.#out.at(-1) === '<br>') this.#out.pop();
    this.#out.push(`</${name}>${leaves.includes(name) || groups.includes(name) ? '\n' : ''}`);
  }
}

/** The addresses of its pictures. */
export const picturesIn = (html: string): string[] => [
  ...new Set([...html.matchAll(/<img src="([^"]*)"/g)].map(([, address = '']) => unescapeHtml(address))),
];

/** Whether a reader would see nothing of it. */
export const isEmpty = (html: string): boolean =>
  picturesIn(html).length === 0 && plainParagraphs(html).length === 0;

/** With those pictures that the shop has; others are left out, and so is a figure without its picture. */
export function withPictures(html: string, fileOf: (address: string) => string | undefined): string {
  const there = html.replaceAll(/<img src="([^"]*)"/g, (_, address: string) => {
    const file = fileOf(unescapeHtml(address));
    return file === undefined ? '<img src=""' : `<img src="${file}"`;
  });
  return there
    .replaceAll(
      /<figure>\s*(?:<a\b[^>]*>\s*)?<img src="" alt="[^"]*">\s*(?:<\/a>\s*)?(?:<figcaption>[\s\S]{0,2000}?<\/figcaption>\s*)?<\/figure>\s*/g,
      '',
    )
    .replaceAll(/<img src="" alt="[^"]*">/g, '')
    .replaceAll(/<p>(?:\s|<br>|<a\b[^>]*>\s*<\/a>)*<\/p>\s*/g, '');
}
