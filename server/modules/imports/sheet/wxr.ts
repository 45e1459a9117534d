/**
 * WordPress's export, an RSS feed with elements of its own (WXR 1.0 to 1.2), as a table: a row for each item, always with these columns.
 * No entity beyond those of XML itself is expanded, and nothing else is loaded.
 */
import type { ProblemKey } from '#contract/problems.ts';
import { readMarkup } from '#server/platform/markup.ts';

/** The address of the site, the name of the author and the picture of a post are taken from where the file says them. */
export const wxrColumns = [
  'title',
  'link',
  'pubDate',
  'dc:creator',
  'content:encoded',
  'excerpt:encoded',
  'wp:post_id',
  'wp:post_date',
  'wp:post_date_gmt',
  'wp:post_name',
  'wp:status',
  'wp:post_parent',
  'wp:post_type',
  'wp:post_password',
  'wp:attachment_url',
  'category',
  'post_tag',
  '_thumbnail_id',
  '_wp_attachment_image_alt',
  '_yoast_wpseo_primary_category',
  'wp:comment',
  'wp:base_blog_url',
] as const;
type Column = (typeof wxrColumns)[number];

/** Of tags inside of an item. WordPress's own have three levels. */
const mostDepth = 16;
const mostItems = 50_000;
const headLetters = 20_000;

/** Servers write warnings before the file. */
export const isWxr = (text: string) =>
  /<rss\b[^>]*\bwordpress\.org\/export\/1\.\d/.test(text.slice(0, headLetters));

export class WxrError extends Error {
  readonly problem: ProblemKey;
  readonly values: Record<string, number>;
  constructor(problem: ProblemKey, values: Record<string, number> = {}) {
    super(problem);
    this.problem = problem;
    this.values = values;
  }
}

interface Item extends Partial<Record<Column, string>> {
  terms: { domain: string; slug: string; name: string }[];
  metaKey: string;
  comments: number;
}

/** With the header. @throws {WxrError | NestingError} for a file that ends too early, or that no exporter writes */
export function tableOfWxr(xml: string): string[][] {
  const start = xml.search(/<\?xml\b|<rss\b/);
  if (/<!(?:DOCTYPE|ENTITY)\b/i.test(xml.slice(0, xml.indexOf('<channel'))))
    throw new WxrError('problem.sheet.wxrForm');
  const channel = new Channel();
  readMarkup(xml.slice(start), channel.handler, { xmlMode: true });
  if (!channel.isWhole) throw new WxrError('problem.sheet.wxrCut');
  return [[...wxrColumns], ...channel.items.map((item) => channel.rowOf(item))];
}

const fields = new Set<string>(
  wxrColumns.filter((column) => column !== 'category' && column !== 'wp:base_blog_url'),
);
/** Of a term in the head of the file, by version and kind. */
const termTags: Readonly<Record<string, 'slug' | 'id'>> = {
  'wp:category_nicename': 'slug',
  'wp:term_id': 'id',
};

class Channel {
  readonly items: Item[] = [];
  isWhole = false;
  #item: Item | undefined;
  #path: string[] = [];
  #text = '';
  #term: { domain: string; slug: string } | undefined;
  readonly #names = new Map<string, string>();
  readonly #slugs = new Map<string, string>();
  #author = { login: '', name: '' };
  #head = { slug: '', id: '' };
  #site = { blog: '', link: '' };

  get handler() {
    return {
      onopentag: (tag: string, attributes: Record<string, string>) => this.#open(tag, attributes),
      ontext: (text: string) => {
        this.#text += text;
      },
      // Also what is still open where the file ends.
      onclosetag: (tag: string, isImplied: boolean) => this.#close(tag, isImplied),
    };
  }

  #open(tag: string, { domain = '', nicename = '' }: Record<string, string>): void {
    this.#path.push(tag);
    this.#text = '';
    if (tag === 'item' && !this.#item) {
      this.#item = { terms: [], metaKey: '', comments: 0 };
      this.#path = ['item'];
    } else if (this.#item && this.#path.length > mostDepth) throw new WxrError('problem.sheet.wxrForm');
    else if (this.#item && tag === 'category') this.#term = { domain, slug: nicename };
  }

  #close(tag: string, isImplied: boolean): void {
    const text = this.#text.trim();
    this.#text = '';
    if (tag === 'rss' && !isImplied) this.isWhole = true;
    if (!this.#item) this.#closeHead(tag, text);
    else if (tag === 'item' && this.#path.length === 1) {
      this.items.push(this.#item);
      this.#item = undefined;
      if (this.items.length > mostItems) throw new WxrError('problem.sheet.rows', { limit: mostItems });
    } else this.#closeField(this.#item, tag, text);
    this.#path.pop();
  }

  #closeField(item: Item, tag: string, text: string): void {
    const parent = this.#path.at(-2);
    if (tag === 'wp:comment') item.comments += 1;
    if (tag === 'wp:meta_key' && parent === 'wp:postmeta') item.metaKey = text;
    if (
      tag === 'wp:meta_value' &&
      parent === 'wp:postmeta' &&
      item.metaKey.startsWith('_') &&
      fields.has(item.metaKey)
    )
      item[item.metaKey as Column] = text;
    if (parent !== 'item') return;
    if (tag === 'category' && this.#term) item.terms.push({ ...this.#term, name: text });
    else if (fields.has(tag)) item[tag as Column] = text;
  }

  #closeHead(tag: string, text: string): void {
    if (tag === 'wp:author_login') this.#author.login = text;
    if (tag === 'wp:author_display_name') this.#author.name = text;
    if (tag === 'wp:author') {
      if (this.#author.name !== '') this.#names.set(this.#author.login, this.#author.name);
      this.#author = { login: '', name: '' };
    }
    const field = termTags[tag];
    if (field) this.#head[field] = text;
    if (tag === 'wp:category') {
      this.#slugs.set(this.#head.id, this.#head.slug);
      this.#head = { slug: '', id: '' };
    }
    if (tag === 'wp:base_blog_url') this.#site.blog = text;
    if (tag === 'link' && this.#path.at(-2) === 'channel') this.#site.link = text;
  }

  /** Terms are a line each: its part of the address, a tab, its name. */
  rowOf({ terms, comments, metaKey: _, ...item }: Item): string[] {
    // Version 1.0 repeats each term without its slug.
    const termsOf = (...domains: string[]) => [
      ...new Set(
        terms
          .filter(({ domain }) => domains.includes(domain))
          .map(({ slug, name }) => `${slug}\t${name.replaceAll(/\s+/g, ' ')}`)
          .filter((each) => !each.startsWith('\t')),
      ),
    ];
    const creator = item['dc:creator'] ?? '';
    const primary = item._yoast_wpseo_primary_category ?? '';
    const row: Item = {
      terms,
      comments,
      metaKey: '',
      ...item,
      'dc:creator': this.#names.get(creator) ?? creator,
      category: termsOf('category').join('\n'),
      post_tag: termsOf('post_tag', 'tag').join('\n'),
      _yoast_wpseo_primary_category: this.#slugs.get(primary) ?? '',
      'wp:comment': comments > 0 ? String(comments) : '',
      'wp:base_blog_url': this.#site.blog || this.#site.link,
    };
    return wxrColumns.map((column) => row[column] ?? '');
  }
}
