/**
 * Blog posts of Shopify, a row each, as the apps Matrixify and Altera export them: Shopify itself has no export of its blog. Columns as
 * Matrixify's documents named them in November 2026.
 */
import { postPath } from '#contract/limits.ts';
import { type Problem, problem } from '#contract/problems.ts';
import { plainParagraphs } from '#server/platform/html.ts';
import { slugOf } from '#server/platform/slugs.ts';
import { instantOf } from '#server/platform/time-zone.ts';
import { placeOf, type Sheet } from '../sheet/read-sheet.ts';
import { type FoundPost, toldProblems } from './found-post.ts';
import {
  columnNames,
  type Entry,
  flagIn,
  type Known,
  type Mapping,
  nameOfColumn,
  type Reading,
  RowReader,
} from './kind.ts';
import { type HtmlSources, isEmpty, plainContent } from './post-html.ts';
import { freeLinks, hostAndPath, idPart } from './post-links.ts';
import { mostTags } from './wordpress.ts';

const names = columnNames({
  postId: 'id',
  handle: 'handle',
  title: 'title',
  author: 'author',
  postText: 'body html',
  excerpt: 'summary html',
  tags: 'tags',
  published: 'published',
  postDate: 'published at',
  oldLink: 'url',
  blogId: 'blog: id',
  blogHandle: 'blog: handle',
  blogTitle: 'blog: title',
  cover: 'image src',
  comments: 'comment: id',
});
export const articleFields = names.fields;

export function articleScore(columns: readonly string[]): number {
  const all = new Set(columns.map(nameOfColumn));
  const isBlog = all.has('blog: handle') || all.has('blog: title') || all.has('summary html');
  return all.has('handle') && all.has('body html') && isBlog && !all.has('variant price')
    ? columns.filter((column) => names.fieldOf(column) !== null).length + 30
    : 0;
}
export const articleFieldOf = (column: string, columns: readonly string[]) =>
  articleScore(columns) > 0 ? names.fieldOf(column) : null;

interface Article {
  key: string;
  lines: number[];
  row: Sheet['rows'][number];
  handle: string;
  blog: { handle: string; title: string };
  comments: number;
}

export function* readArticles(
  sheet: Sheet,
  mapping: Mapping,
  { timeZone }: Reading,
  known: Known,
): Generator<Entry<FoundPost> | null> {
  const reader = new RowReader(sheet, mapping);
  const articles = articlesIn(sheet, reader);
  const free = freeLinks(known.posts);
  const links = new Map<string, string>();
  const hosts = new Set<string>();
  for (const article of articles) {
    reader.row = article.row;
    const address = hostAndPath(reader.text('oldLink') ?? '');
    if (address !== '') hosts.add(address.split('/', 1)[0] ?? '');
    if (article.handle !== '') links.set(pathOf(article), postPath(free(article.key, article.handle)));
  }
  const sources: HtmlSources = {
    link(href) {
      const isRelative = /^\/(?!\/)/.test(href);
      const path = isRelative ? href.split(/[?#]/, 1)[0] : '';
      if (path) return links.get(path.replace(/\/+$/, '').toLowerCase()) ?? href;
      const [host = '', ...rest] = hostAndPath(href).split('/');
      return hosts.has(host) || host.endsWith('.myshopify.com') ? links.get(`/${rest.join('/')}`) : undefined;
    },
    picture: (address) => (/^https?:\/\//i.test(address) ? address : undefined),
  };
  const blogs = new Set(articles.map(({ blog }) => blog.handle || blog.title));
  yield null;
  for (const [at, article] of articles.entries()) {
    reader.row = article.row;
    yield entryOf(reader, article, {
      sources,
      timeZone,
      link: links.get(pathOf(article)) ?? postPath(free(article.key, '')),
      isOne: blogs.size < 2,
    });
    if (at % 10 === 0) yield null;
  }
}

const pathOf = ({ blog, handle }: Pick<Article, 'blog' | 'handle'>) =>
  `/blogs/${blog.handle || 'news'}/${handle}`.toLowerCase();

/** Further rows of an article have its comments. */
function articlesIn(sheet: Sheet, reader: RowReader): Article[] {
  const found = new Map<string, Article>();
  for (const row of sheet.rows) {
    reader.row = row;
    const text = (field: string) => reader.text(field) ?? '';
    const blog = { handle: text('blogHandle') || slugOf(text('blogTitle')), title: text('blogTitle') };
    const id = text('postId').replace(/^gid:\/\/shopify\/\w+\//, '');
    const handle = text('handle');
    const named = id || (handle === '' ? '' : idPart(`${blog.handle}/${handle}`));
    const key = `shopify-${slugOf(named, 40) || `row-${row.line}`}`;
    const before = found.get(key);
    const comments = text('comments') === '' ? 0 : 1;
    if (!before) found.set(key, { key, lines: [row.line], row, handle, blog, comments });
    else {
      before.lines.push(row.line);
      before.comments += comments;
    }
  }
  return [...found.values()];
}

interface Context {
  sources: HtmlSources;
  timeZone: string;
  link: string;
  /** The file has one blog. Several become categories. */
  isOne: boolean;
}

function entryOf(
  reader: RowReader,
  article: Article,
  { sources, timeZone, link, isOne }: Context,
): Entry<FoundPost> {
  const { key, lines, handle, blog, comments } = article;
  const [line = 0] = lines;
  const text = (field: string) => reader.text(field) ?? '';
  const { html, told } = plainContent(text('postText'), sources);
  const problems: Problem[] = toldProblems(told, line, reader.columnOf('postText'));
  const published = flagIn(text('published'));
  const at = timeIn(text('postDate'), timeZone);
  if (text('postDate') !== '' && at === null) problems.push(reader.at('postDate', 'problem.post.time'));
  const isPublished = published ?? at !== null;
  if (isPublished && at === null && text('postDate') === '')
    problems.push(reader.at('postDate', 'problem.post.time'));
  if (comments > 0) problems.push(reader.at('comments', 'problem.sheet.lost.comments', { warning: 1 }));
  const tags = [
    ...new Set(
      text('tags')
        .split(',')
        .map((each) => each.trim())
        .filter(Boolean),
    ),
  ];
  if (tags.length > mostTags) problems.push(reader.at('tags', 'problem.sheet.lost.tags', { warning: 1 }));
  const title = text('title').trim();
  if (title === '')
    problems.push(problem(placeOf(line, reader.columnOf('title')), 'problem.post.untitled', { warning: 1 }));
  if (isEmpty(html))
    problems.push(problem(placeOf(line, reader.columnOf('postText')), 'problem.post.empty', { warning: 1 }));
  const named = blog.title || blog.handle;
  return {
    subject: title || handle || key,
    lines,
    problems,
    content: {
      type: 'post',
      id: key,
      link: link.slice(postPath('').length),
      title: title || handle || key,
      html,
      excerpt: plainParagraphs(text('excerpt')).join(' '),
      cover: text('cover') || null,
      author: text('author'),
      category: isOne || named === '' ? null : { slug: blog.handle, name: named },
      tags: tags.slice(0, mostTags).map((name) => ({ slug: '', name })),
      isPublished,
      at,
      skipped: false,
      from: handle === '' ? null : pathOf(article),
    },
  };
}

/** `2023-06-01 10:00:00 -0400`, `2023-06-01T10:00:00Z`, or a day; null for anything else. */
function timeIn(text: string, timeZone: string): number | null {
  const iso = text
    .trim()
    .replace(/^(\d{4}-\d{2}-\d{2}) (\d)/, '$1T$2')
    .replace(/ UTC$/, 'Z')
    .replace(/ ?([+-]\d{2}):?(\d{2})$/, '$1:$2');
  try {
    const at = instantOf(iso, timeZone);
    return at >= 0 ? at : null;
  } catch {
    return null;
  }
}
