/** Posts and pages of WordPress's own export, as `sheet/wxr.ts` reads it. */
import { postPath } from '#contract/limits.ts';
import { type Problem, problem } from '#contract/problems.ts';
import { plainParagraphs } from '#server/platform/html.ts';
import { slugOf } from '#server/platform/slugs.ts';
import { instantAt, isCalendarDay } from '#server/platform/time-zone.ts';
import type { Sheet } from '../sheet/read-sheet.ts';
import { placeOf } from '../sheet/read-sheet.ts';
import { type FoundPost, type FoundTopic, toldProblems } from './found-post.ts';
import { columnNames, type Entry, type Known, type Mapping, type Reading, RowReader } from './kind.ts';
import { type HtmlSources, isEmpty, type PostHtml, withoutComments, wordpressContent } from './post-html.ts';
import { type FreeLinks, freeLinks, hostAndPath, idPart } from './post-links.ts';
import type { Attachment, TextSources } from './shortcodes.ts';

const names = columnNames({
  title: 'title',
  oldLink: 'link',
  pubDate: 'pubdate',
  author: 'dc:creator',
  postText: 'content:encoded',
  excerpt: 'excerpt:encoded',
  postId: 'wp:post_id',
  postDate: 'wp:post_date',
  postDateUtc: 'wp:post_date_gmt',
  handle: 'wp:post_name',
  postStatus: 'wp:status',
  postParent: 'wp:post_parent',
  postType: 'wp:post_type',
  postPassword: 'wp:post_password',
  picture: 'wp:attachment_url',
  postCategories: 'category',
  tags: 'post_tag',
  cover: '_thumbnail_id',
  alt: '_wp_attachment_image_alt',
  mainCategory: '_yoast_wpseo_primary_category',
  comments: 'wp:comment',
  site: 'wp:base_blog_url',
});
export const wordpressFields = names.fields;

export const wordpressScore = (columns: readonly string[]) =>
  columns.includes('wp:post_type') && columns.includes('content:encoded') ? 1000 : 0;
export const wordpressFieldOf = (column: string, columns: readonly string[]) =>
  wordpressScore(columns) > 0 ? names.fieldOf(column) : null;

/** Of WordPress itself and its themes: nobody looks for it in a blog. */
const inner = new Set([
  'attachment',
  'revision',
  'nav_menu_item',
  'custom_css',
  'customize_changeset',
  'oembed_cache',
  'user_request',
  'wp_block',
  'wp_template',
  'wp_template_part',
  'wp_global_styles',
  'wp_navigation',
  'wp_font_family',
  'wp_font_face',
]);
/** The category of posts without one, by the languages of WordPress. */
const noCategory = new Set([
  'uncategorized',
  'uncategorised',
  'non-classe',
  'sin-categoria',
  'sem-categoria',
  'senza-categoria',
  '未分类',
  '未分類',
]);
export const mostTags = 50;
const mostExcerpt = 320;

interface Item {
  line: number;
  id: string;
  type: string;
  status: string;
  isPublished: boolean;
  slug: string;
  oldLink: string;
  parent: string;
  title: string;
  row: Sheet['rows'][number];
}

interface Source {
  reader: RowReader;
  site: string;
  byId: ReadonlyMap<string, Item>;
  attachments: ReadonlyMap<string, Attachment & { parent: string }>;
  /** Those that are pictures, by the post that they were sent to. */
  ofPosts: ReadonlyMap<string, string[]>;
  originals: ReadonlyMap<string, string>;
  /** The new address of each thing of the file that gets one. */
  links: Map<string, string>;
  /** By the old one, without host and slash. */
  byPath: Map<string, string>;
}

export function* readWordpress(
  sheet: Sheet,
  mapping: Mapping,
  { timeZone }: Reading,
  known: Known,
): Generator<Entry<FoundPost> | null> {
  const reader = new RowReader(sheet, mapping);
  const source = sourceOf(sheet, reader);
  const items = [...source.byId.values()].filter(({ type }) => !inner.has(type));
  const free = freeLinks(known.posts);
  for (const item of items)
    if (isPost(item)) addLink(source, item, postPath(free(docId(source, item), nameOf(item))));
  yield null;
  const pages = new Map<string, PostHtml>();
  for (const item of items.filter(isPage)) {
    const content = contentOf(source, item);
    pages.set(item.id, content);
    const name = pageName(item);
    if (isWhole(content) && item.isPublished) addLink(source, item, `/${name}`);
    yield null;
  }
  for (const [at, item] of items.entries()) {
    reader.row = item.row;
    yield entryOf(source, item, { timeZone, free });
    if (at % 10 === 0) yield null;
  }
}

const isPost = ({ type, status }: Item) => type === 'post' && status !== 'trash';
const isPage = ({ type, status }: Item) => type === 'page' && status !== 'trash';
const isWhole = ({ told }: PostHtml) => told.left.size === 0 && told.missing === 0;

function sourceOf(sheet: Sheet, reader: RowReader): Source {
  const byId = new Map<string, Item>();
  const attachments = new Map<string, Attachment & { parent: string }>();
  const ofPosts = new Map<string, string[]>();
  const originals = new Map<string, string>();
  let site = '';
  for (const row of sheet.rows) {
    reader.row = row;
    const text = (field: string) => reader.text(field) ?? '';
    const id = text('postId') || `row-${row.line}`;
    site ||= hostAndPath(text('site'));
    const [type, status] = [text('postType') || 'post', text('postStatus') || 'publish'];
    const isPublished = (status === 'publish' || status === 'future') && text('postPassword') === '';
    const item = { line: row.line, id, type, status, isPublished, row };
    byId.set(id, {
      ...item,
      slug: decoded(text('handle')),
      oldLink: text('oldLink'),
      parent: text('postParent'),
      title: text('title'),
    });
    const address = text('picture');
    if (type !== 'attachment' || address === '') continue;
    const [alt, caption, parent] = [text('alt'), text('excerpt'), text('postParent')];
    attachments.set(id, { address, alt, caption, parent });
    originals.set(address, address);
    if (/\.(?:jpe?g|png|webp|avif|gif)$/i.test(address))
      ofPosts.set(parent, [...(ofPosts.get(parent) ?? []), id]);
  }
  return { reader, site, byId, attachments, ofPosts, originals, links: new Map(), byPath: new Map() };
}

function addLink({ links, byPath }: Source, { id, oldLink }: Item, link: string): void {
  links.set(id, link);
  const path = hostAndPath(oldLink);
  if (path !== '' && !/[?&](?:p|page_id)=/.test(oldLink)) byPath.set(path, link);
}

function decoded(slug: string): string {
  try {
    return decodeURIComponent(slug);
  } catch {
    return slug;
  }
}

const nameOf = ({ slug, title }: Pick<Item, 'slug' | 'title'>) => slug || title;
const pageName = (item: Item) => slugOf(nameOf(item), 60) || 'page';
const docId = ({ site }: Pick<Source, 'site'>, { id }: Item) => `wp-${idPart(site)}-${slugOf(id, 40)}`;

function sourcesFor(source: Source, item: Item): TextSources & HtmlSources {
  return {
    attachment: (id) => source.attachments.get(id),
    ofPost: () => source.ofPosts.get(item.id) ?? [],
    block(id) {
      const shared = source.byId.get(id);
      if (shared?.type !== 'wp_block') return undefined;
      source.reader.row = shared.row;
      const text = source.reader.text('postText');
      source.reader.row = item.row;
      return text;
    },
    link: (href) => linkInShop(source, href),
    picture: (address) => pictureAt(source, address),
  };
}

/** Of a link to something of the file: its new address. Links to the rest of the site get its full address. */
function linkInShop({ site, links, byPath }: Source, href: string): string | undefined {
  const isRelative = /^\/(?!\/)/.test(href);
  const full = isRelative ? `http://${site.split('/', 1)[0]}${href}` : href;
  if (!isRelative && !/^https?:\/\//i.test(href)) return undefined;
  const path = hostAndPath(full);
  if (path !== site && !path.startsWith(`${site}/`)) return isRelative ? full : undefined;
  const [, id = ''] = /[?&](?:p|page_id|attachment_id)=(\d+)/.exec(full) ?? [];
  const link = id === '' ? byPath.get(path) : links.get(id);
  const [, part = ''] = /(#[\w-]+)$/.exec(full) ?? [];
  return link === undefined ? (isRelative ? full : undefined) : link + part;
}

/** Without the size that WordPress adds: in the file the picture has its own. */
function pictureAt({ site, originals }: Source, address: string): string | undefined {
  const full = /^\/(?!\/)/.test(address) ? `https://${site.split('/', 1)[0]}${address}` : address;
  if (!/^https?:\/\//i.test(full)) return undefined;
  const [plain = full] = full.split(/[?#]/, 1);
  const whole = plain.replace(/-\d+x\d+(\.\w+)$/, '$1');
  const scaled = whole.replace(/(\.\w+)$/, '-scaled$1');
  return (
    originals.get(plain) ?? originals.get(whole) ?? originals.get(scaled) ?? (isResized(full) ? plain : full)
  );
}

const isResized = (address: string) =>
  /^https?:\/\/(?:[\w.-]+\.files\.wordpress\.com|i\d\.wp\.com)\//i.test(address);

function contentOf(source: Source, item: Item): PostHtml {
  source.reader.row = item.row;
  return wordpressContent(source.reader.text('postText') ?? '', sourcesFor(source, item));
}

function entryOf(
  source: Source,
  item: Item,
  { timeZone, free }: { timeZone: string; free: FreeLinks },
): Entry<FoundPost> {
  const { reader } = source;
  const { line, id, type, status, isPublished, title } = item;
  const problems: Problem[] = [];
  const say = (column: string, key: Problem['key'], values: Problem['values'] = {}) =>
    problems.push(problem(placeOf(line, column), key, { ...values, warning: 1 }));
  const isSkipped = status === 'trash' || (type !== 'post' && type !== 'page');
  if (status === 'trash') say('wp:status', 'problem.sheet.lost.trash');
  else if (isSkipped) say('wp:post_type', 'problem.sheet.lost.otherTypes');
  const content = isSkipped
    ? { html: '', told: { left: new Set<string>(), embeds: 0, missing: 0 } }
    : contentOf(source, item);
  reader.row = item.row;
  const text = (field: string) => reader.text(field) ?? '';
  if (!isSkipped && text('comments') !== '') say('wp:comment', 'problem.sheet.lost.comments');
  if (status === 'private' || text('postPassword') !== '') say('wp:status', 'problem.sheet.lost.private');
  problems.push(...toldProblems(content.told, line, 'content:encoded'));
  const found = topicsIn(text('postCategories')).filter(({ slug }) => !noCategory.has(slug));
  const main = found.find(({ slug }) => slug === decoded(text('mainCategory'))) ?? found[0];
  const tags = [...found.filter((each) => each !== main), ...topicsIn(text('tags'))];
  if (tags.length > mostTags) say('post_tag', 'problem.sheet.lost.tags');
  const cover = source.attachments.get(text('cover'));
  if (text('cover') !== '' && text('cover') !== '0' && !cover && !isSkipped)
    say('_thumbnail_id', 'problem.post.pictureMissing', { count: 1 });
  const at = timeOf(reader, timeZone);
  if (isPublished && at === null)
    problems.push(problem(placeOf(line, 'wp:post_date'), 'problem.post.time', {}));
  if (title.trim() === '' && !isSkipped) say('title', 'problem.post.untitled');
  if (isEmpty(content.html) && type === 'post' && !isSkipped) say('content:encoded', 'problem.post.empty');
  const name = nameOf(item);
  const doc = docId(source, item);
  const path = source.links.get(id);
  return {
    subject: title.trim() || name || id,
    lines: [line],
    problems,
    content: {
      type: type === 'page' ? 'page' : 'post',
      id: type === 'page' ? pageName(item) : doc,
      link:
        type === 'page'
          ? pageName(item)
          : isSkipped
            ? ''
            : (path?.slice(postPath('').length) ?? free(doc, name)),
      title: title.trim() || name || id,
      html: content.html,
      excerpt: excerptOf(text('excerpt'), text('postText')),
      cover: cover?.address ?? null,
      author: text('author'),
      category: main ?? null,
      tags: tags.slice(0, mostTags),
      isPublished,
      at,
      skipped: isSkipped,
      from: /[?&](?:p|page_id)=/.test(item.oldLink) ? null : pathAt(item.oldLink),
    },
  };
}

function topicsIn(lines: string): FoundTopic[] {
  return lines.split('\n').flatMap((line) => {
    const [slug = '', name = ''] = line.split('\t');
    return slug === '' ? [] : [{ slug: decoded(slug), name: name || decoded(slug) }];
  });
}

/** What stands before `more` is what WordPress shows in its lists. */
function excerptOf(given: string, raw: string): string {
  const before = given === '' && raw.includes('<!--more') ? (raw.split('<!--more', 1)[0] ?? '') : '';
  const plain = plainParagraphs(
    withoutComments(given || before, () => ' ').replaceAll(/\[\/?[a-z][^[\]]{0,500}\]/gi, ''),
  ).join(' ');
  return plain.length > mostExcerpt && given === ''
    ? `${plain.slice(0, mostExcerpt).replace(/\s+\S*$/, '')}…`
    : plain;
}

const pathAt = (address: string): string | null => {
  const [, path = ''] = /^https?:\/\/[^/]+(\/[^?#]*)/i.exec(address) ?? [];
  return path === '' || path === '/' ? null : path;
};

/** By the date in UTC; else by that of the site, as if it were in the time zone of the shop. */
function timeOf(reader: RowReader, timeZone: string): number | null {
  const parts = (field: string) =>
    /^(\d{4}-\d{2}-\d{2})[ T](\d{2}):(\d{2})(?::(\d{2}))?$/.exec(reader.text(field) ?? '');
  const utc = parts('postDateUtc');
  if (utc && !utc[0].startsWith('0000')) {
    const at = Date.parse(`${utc[1]}T${utc[2]}:${utc[3]}:${utc[4] ?? '00'}Z`);
    if (at >= 0) return at;
  }
  const [, day = '', hour = '', minute = ''] = parts('postDate') ?? [];
  const at = isCalendarDay(day) ? instantAt(day, Number(hour) * 60 + Number(minute), timeZone) : null;
  if (at !== null && at >= 0) return at;
  const told = Date.parse(reader.text('pubDate') ?? '');
  return told >= 0 ? told : null;
}
