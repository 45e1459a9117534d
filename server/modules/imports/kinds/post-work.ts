/** Judges the posts and pages of a file against the shop, writes them, and takes that back. */
import { postPath } from '#contract/limits.ts';
import { type Locale, type LocalText, localeCodes, mainLocale } from '#contract/locales.ts';
import { type Problem, problem } from '#contract/problems.ts';
import { type Difference, isEqual } from '#contract/rules/patch.ts';
import type { BlogDocument, PostDocument } from '#contract/schemas/post.ts';
import type { Database, Reader } from '#db/database.ts';
import type { BulkOutcome, BulkRow, Change, RunChange } from '#server/modules/changes/index.ts';
import { type HeldPost, type ImportedPosts, pageOfText, writtenIn } from '#server/modules/content/index.ts';
import { plainPath, type Redirect } from '#server/modules/settings/index.ts';
import { plainParagraphs } from '#server/platform/html.ts';
import { placeOf } from '../sheet/read-sheet.ts';
import type { FoundPost } from './found-post.ts';
import {
  type Entry,
  fingerprintOf,
  type ImportOptions,
  isRefused,
  type Judge,
  type Judged,
  type KnownPosts,
  type Made,
  type PlannedRow,
  type Preparation,
  type ShownPost,
  takenBackEach,
} from './kind.ts';
import type { FileOf, PictureAddresses } from './picture-addresses.repository.ts';
import { picturesIn, withPictures } from './post-html.ts';
import { BlogTopicNames } from './post-topics.ts';
import { type OwnPagesDeps, ownAddresses } from './redirects.ts';

export interface PostWorkDeps extends OwnPagesDeps {
  db: Database;
  now: () => number;
  importedPosts: ImportedPosts;
  pictures: PictureAddresses;
}

interface Undo {
  before: HeldPost | null;
  /** What the import left, so that what somebody has changed since is not taken back. */
  after: string;
  redirect?: Redirect & { before: Redirect[] };
}

/** Of topics that are made in one transaction. */
const madeAtOnce = 50;
/** The part of a post that files write. */
const textPart = 'text';

export function createPostWork(deps: PostWorkDeps) {
  return {
    judge: (options: ImportOptions) => judge(deps, options),
    prepare: (preparation: Preparation<FoundPost>, options: ImportOptions) =>
      prepare(deps, preparation, options),
    apply: (change: Change, rows: readonly PlannedRow<FoundPost>[], options: ImportOptions) =>
      apply(deps, change, rows, options),
    takeBack: (change: Change, rows: readonly BulkRow[]) => takeBack(deps, change, rows),
    clear: (run: RunChange, made: Made) => clear(deps, run, made),
    addressesOf: (reader: Reader, contents: readonly FoundPost[]) =>
      deps.pictures.elsewhere(reader, contents.map(pictured)),
    async known(): Promise<KnownPosts> {
      const links = await deps.importedPosts.links(deps.db.read);
      const ids = new Map([...links].map(([link, id]) => [id, link]));
      return { linkOf: (id) => ids.get(id), isTaken: (link) => links.has(link) };
    },
  };
}

const addressesIn = ({ html, cover }: FoundPost) => [
  ...new Set([...(cover === null ? [] : [cover]), ...picturesIn(html)]),
];
/** As products name theirs. */
const pictured = (post: FoundPost) => ({
  pictures: addressesIn(post).map((address) => ({ address })),
  variants: [],
});

interface Context {
  language: Locale;
  topics: BlogTopicNames;
  blogId: string;
  fileOf: FileOf;
  /** Whether the shop answers at a path itself. Asked when something is written. */
  isOwn?: (path: string) => boolean;
}

/** In the language of the file; what it is in others stays. */
const said = (before: LocalText | undefined, text: string, language: Locale) =>
  ({ ...before, [language]: text }) as LocalText;

/** Names are said in the first language of the shop, too. */
const named = (before: LocalText | undefined, text: string, language: Locale) =>
  said({ ...(before ?? ({ [mainLocale()]: text } as LocalText)) }, text, language);

const htmlOf = ({ html }: FoundPost, fileOf: FileOf) =>
  withPictures(html, (address) => fileOf(address, []) ?? undefined);

function merged(
  { importedPosts }: Pick<PostWorkDeps, 'importedPosts'>,
  found: FoundPost,
  before: PostDocument | null,
  context: Context,
): PostDocument {
  const { language, topics, blogId, fileOf } = context;
  const nothing = { [mainLocale()]: '' } as LocalText;
  const parts = (before?.parts ?? []) as { id: string; type: string; html?: LocalText }[];
  const old = parts.find(({ id, type }) => id === textPart && type === 'html');
  const text = {
    id: textPart,
    type: 'html',
    html: said(old?.html ?? nothing, htmlOf(found, fileOf), language),
  };
  const cover = found.cover === null ? null : (fileOf(found.cover, []) ?? null);
  return importedPosts.cleaned({
    id: found.id,
    blogId: before?.blogId ?? blogId,
    title: named(before?.title, found.title, language),
    excerpt: said(before?.excerpt ?? nothing, found.excerpt, language),
    image: cover,
    author: {
      name:
        found.author === ''
          ? (before?.author.name ?? nothing)
          : named(before?.author.name, found.author, language),
      role: before?.author.role ?? nothing,
    },
    link: before?.link ?? found.link,
    category: found.category ? topics.category(found.category) : (before?.category ?? null),
    tags: [...new Set(found.tags.flatMap((tag) => topics.tag(tag) ?? []))],
    publishedAt: found.isPublished ? found.at : (before?.publishedAt ?? null),
    parts: old ? parts.map((part) => (part === old ? text : part)) : [text, ...parts],
  });
}

const contextOf = (
  blog: BlogDocument | null,
  options: ImportOptions,
  fileOf: FileOf,
  topics = new BlogTopicNames(blog, options.language),
): Context => ({
  language: options.language,
  blogId: blog?.id ?? 'blog',
  fileOf,
  topics,
});

/** What the file makes of a post: null if it leaves it as it is, because readers see what is only written in the file. */
function heldAfter(
  deps: PostWorkDeps,
  found: FoundPost,
  before: HeldPost | null,
  context: Context,
): HeldPost | null {
  if (before?.live && !found.isPublished) return null;
  const base = found.isPublished ? (before?.live ?? writtenIn(before)) : writtenIn(before);
  const post = merged(deps, found, base, context);
  if (found.isPublished)
    return { live: post, draft: before?.live && isEqual(before.live, post) ? before.draft : null };
  return {
    live: null,
    draft: { id: post.id, content: post, scheduled: before?.draft?.scheduled ?? null, failedAt: null },
  };
}

function judge(deps: PostWorkDeps, options: ImportOptions): Judge<FoundPost> {
  const { importedPosts, pictures, db } = deps;
  const shared = importedPosts
    .blog(db.read)
    .then((blog) => ({ blog, topics: new BlogTopicNames(blog, options.language) }));
  const pages = new Map<string, number>();
  return {
    async of(entries) {
      const { blog, topics } = await shared;
      const fileOf = await pictures.known(
        db.read,
        entries.map(({ content }) => pictured(content)),
      );
      const context = contextOf(blog, options, fileOf, topics);
      const all: Judged[] = [];
      for (const entry of entries)
        all.push(
          entry.content.type === 'page'
            ? await judgedPage(deps, entry, pages)
            : await judgedPost(deps, entry, context),
        );
      return all;
    },
    async made() {
      const { blog, topics } = await shared;
      return { brands: [], ...topics.made(), ...(blog ? {} : { blogs: ['blog'] }) };
    },
  };
}

async function judgedPost(
  deps: PostWorkDeps,
  { content, lines, problems: read }: Entry<FoundPost>,
  context: Context,
): Promise<Judged> {
  const { importedPosts, pictures, db } = deps;
  if (isRefused(read)) return { outcome: 'problem', fields: [], problems: read };
  if (content.skipped) return { outcome: 'unchanged', fields: [], problems: read };
  const before = await importedPosts.held(db.read, content.id);
  const after = heldAfter(deps, content, before, context);
  const at = (column: string) => placeOf(lines[0] ?? 0, column);
  if (!after)
    return {
      outcome: 'unchanged',
      fields: [],
      problems: [...read, problem(at('status'), 'problem.post.isLive', { warning: 1 })],
    };
  const post = writtenIn(after) as PostDocument;
  const problems = [
    ...read,
    ...(context.topics.isFull ? [problem(at('tags'), 'problem.sheet.lost.topics', { warning: 1 })] : []),
    ...(await importedPosts.problemsOf(db.read, post)).map((each) => ({
      ...each,
      path: at(each.path.join(' · ')),
    })),
  ];
  if (isRefused(problems)) return { outcome: 'problem', fields: [], problems };
  if (!before) return { outcome: 'new', fields: [], problems, shows: shownOf(deps, content, post, context) };
  const waiting = pictures.waiting(pictured(content), context.fileOf);
  const fields = [
    ...changesIn(before, after),
    ...waiting.map((address) => ({ path: ['images'], to: address })),
  ];
  return { outcome: fields.length > 0 ? 'changed' : 'unchanged', fields, problems };
}

const shownHtml = (parts: PostDocument['parts'], language: Locale) => {
  const text = (parts as { id: string; html?: LocalText }[]).find(({ id }) => id === textPart)?.html;
  return plainParagraphs(text?.[language] ?? '').join(' ');
};

/** What people are told of a change: the text in its beginning and its length. */
function changesIn(before: HeldPost, after: HeldPost): Difference[] {
  const [was, is] = [after.live ? (before.live ?? writtenIn(before)) : writtenIn(before), writtenIn(after)];
  if (!was || !is) return [];
  const fields: Difference[] = [];
  const add = (path: readonly string[], from: unknown, to: unknown) => {
    if (!isEqual(from, to)) fields.push({ path: [...path], from, to });
  };
  add(['postStatus'], before.live ? 'live' : 'draft', after.live ? 'live' : 'draft');
  for (const field of ['title', 'excerpt'] as const)
    for (const code of localeCodes) add([field, code], was[field][code], is[field][code]);
  for (const code of localeCodes) add(['author', code], was.author.name[code], is.author.name[code]);
  add(['cover'], was.image, is.image);
  add(['postCategories'], was.category, is.category);
  add(['tags'], was.tags, is.tags);
  add(['postDate'], was.publishedAt, is.publishedAt);
  if (!isEqual(was.parts, is.parts))
    for (const code of localeCodes) {
      const [from, to] = [shownHtml(was.parts, code), shownHtml(is.parts, code)];
      if (from !== to) add(['postText', code], from, to);
    }
  // Formats and pictures can differ where words do not.
  if (!isEqual(was.parts, is.parts) && !fields.some(({ path }) => path[0] === 'postText'))
    add(['postText'], 'formats', 'changed');
  return fields;
}

function shownOf(
  { now }: Pick<PostWorkDeps, 'now'>,
  found: FoundPost,
  post: PostDocument,
  { topics }: Context,
): ShownPost {
  const isLater = found.at !== null && found.at > now();
  return {
    title: found.title,
    state: !found.isPublished ? 'draft' : isLater ? 'later' : 'live',
    at: found.isPublished ? found.at : null,
    address: postPath(post.link),
    author: found.author,
    category: topics.nameOf(post.category) ?? '',
    pictures: addressesIn(found).length,
  };
}

/** A page is only added: what the shop has stays as it is. */
async function judgedPage(
  deps: PostWorkDeps,
  { content, lines, problems: read }: Entry<FoundPost>,
  claimed: Map<string, number>,
): Promise<Judged> {
  const [line = 0] = lines;
  if (isRefused(read)) return { outcome: 'problem', fields: [], problems: read };
  if (content.skipped) return { outcome: 'unchanged', fields: [], problems: read };
  const { importedPosts, db } = deps;
  const at = placeOf(line, 'wp:post_name');
  const first = claimed.get(content.id);
  if (first !== undefined) return refusedPage(read, problem(at, 'problem.page.twice', { line: first }));
  claimed.set(content.id, line);
  // What the shop cannot show would be missing on the page.
  if (read.some(({ key }) => key === 'problem.post.left' || key === 'problem.post.pictureMissing'))
    return refusedPage(read, problem(placeOf(line, 'content:encoded'), 'problem.page.parts'));
  const wrong = importedPosts.pageNameProblems(content.id);
  if (wrong.length > 0) return refusedPage(read, ...wrong.map((each) => ({ ...each, path: at })));
  const before = await importedPosts.page(db.read, content.id);
  if (before)
    return {
      outcome: 'unchanged',
      fields: [],
      problems: [...read, problem(at, 'problem.sheet.lost.pageThere', { warning: 1 })],
    };
  const shows: ShownPost = {
    title: content.title,
    state: 'draft',
    at: null,
    address: `/${content.id}`,
    author: '',
    category: '',
    pictures: picturesIn(content.html).length,
  };
  return { outcome: 'new', fields: [], problems: read, shows };
}

const refusedPage = (read: readonly Problem[], ...why: readonly Problem[]): Judged => ({
  outcome: 'problem',
  fields: [],
  problems: [...read, ...why],
});

/** Categories and tags of what is imported, and a blog if the shop has none. */
async function prepare(
  { importedPosts, db }: PostWorkDeps,
  { run, contents: all, keep }: Preparation<FoundPost>,
  { language }: ImportOptions,
): Promise<void> {
  const blog = await importedPosts.blog(db.read);
  const topics = new BlogTopicNames(blog, language);
  let posts = 0;
  for await (const contents of all)
    for (const { type, category, tags } of contents) {
      if (type !== 'post') continue;
      posts += 1;
      if (category) topics.category(category);
      for (const tag of tags) topics.tag(tag);
    }
  if (posts === 0) return;
  const made = topics.made();
  await keep({ brands: [], ...made, ...(blog ? {} : { blogs: ['blog'] }) });
  const { categories, tags } = topics.documents();
  for (let at = 0; at === 0 || at < Math.max(categories.length, tags.length); at += madeAtOnce) {
    const part = { categories: categories.slice(at, at + madeAtOnce), tags: tags.slice(at, at + madeAtOnce) };
    await run((change) => importedPosts.addTopics(change, part));
  }
}

async function apply(
  deps: PostWorkDeps,
  change: Change,
  rows: readonly PlannedRow<FoundPost>[],
  options: ImportOptions,
): Promise<BulkOutcome[]> {
  const { importedPosts, pictures } = deps;
  await importedPosts.lock(change);
  const fileOf = await pictures.known(
    change.trx,
    rows.map(({ content }) => pictured(content)),
  );
  const isOwn = await ownAddresses(deps);
  const context = { ...contextOf(await importedPosts.blog(change.trx), options, fileOf), isOwn };
  const outcomes: BulkOutcome[] = [];
  for (const row of rows)
    outcomes.push(
      row.content.type === 'page'
        ? await appliedPage(deps, change, row, { options, fileOf })
        : await appliedPost(deps, change, row, context),
    );
  return outcomes;
}

async function appliedPost(
  deps: PostWorkDeps,
  change: Change,
  { no, subject, content, earlier }: PlannedRow<FoundPost>,
  context: Context,
): Promise<BulkOutcome> {
  const { importedPosts, pictures } = deps;
  const before = await importedPosts.held(change.trx, content.id);
  const first: Undo | null = earlier?.undo ? JSON.parse(earlier.undo) : null;
  const same = { no, subject, outcome: earlier?.outcome ?? 'unchanged' };
  // Somebody has written in it since the first phase.
  if (earlier && (!first || fingerprint(before) !== first.after)) return same;
  const after = heldAfter(deps, content, before, context);
  if (!after) return same;
  const problems = await importedPosts.problemsOf(change.trx, writtenIn(after) as PostDocument);
  if (problems.length > 0) return { no, subject, problems, outcome: earlier?.outcome ?? 'problem' };
  const fields = before ? changesIn(before, after) : [];
  const isWaiting = pictures.waiting(pictured(content), context.fileOf).length > 0;
  const isSame = before !== null && isEqual(before.live, after.live) && isEqual(before.draft, after.draft);
  if (isSame && (earlier || !isWaiting)) return same;
  if (!isSame) await importedPosts.put(change, content.id, before, after);
  const redirect =
    first?.redirect ?? (await redirected(deps, change, content, { held: after, isOwn: context.isOwn }));
  const stored = await importedPosts.held(change.trx, content.id);
  const undo: Undo = {
    before: first ? first.before : before,
    after: fingerprint(stored),
    ...(redirect && { redirect }),
  };
  return { no, subject, fields, undo, outcome: earlier?.outcome ?? (before ? 'changed' : 'new') };
}

/** The old address leads to the new one, unless the shop has something there or leads it elsewhere. */
async function redirected(
  { redirects }: PostWorkDeps,
  change: Change,
  { from }: FoundPost,
  { held: { live }, isOwn }: { held: HeldPost; isOwn: Context['isOwn'] },
): Promise<Undo['redirect']> {
  if (!live || from === null) return undefined;
  const path = plainPath(from);
  const to = postPath(live.link);
  if (!isAddress(path) || path === plainPath(to) || isOwn?.(path)) return undefined;
  if (await redirects.find(change.trx, path)) return undefined;
  const before = await redirects.changedBy(change.trx, path);
  await redirects.put(change, [{ from: path, to }]);
  return { from: path, to, before };
}

const isAddress = (path: string) => path.length <= 500 && /^\/[^/\\\s#?][^\s#?]*$/.test(path);

async function appliedPage(
  { importedPosts }: PostWorkDeps,
  change: Change,
  { no, subject, content, earlier }: PlannedRow<FoundPost>,
  { options: { language }, fileOf }: { options: ImportOptions; fileOf: FileOf },
): Promise<BulkOutcome> {
  const page = pageOfText(
    content.id,
    named(undefined, content.title, language),
    htmlOf(content, fileOf),
    language,
  );
  if (earlier) {
    const before = earlier.undo ? JSON.parse(earlier.undo) : null;
    const same = { no, subject, outcome: earlier.outcome ?? 'new' };
    if (!before || isEqual(importedPosts.cleanedPage(before), importedPosts.cleanedPage(page))) return same;
    if (!(await importedPosts.takeBackPage(change, before))) return same;
  } else if (await importedPosts.page(change.trx, content.id)) return { no, subject, outcome: 'unchanged' };
  await importedPosts.addPage(change, page);
  return { no, subject, outcome: 'new', fields: [], undo: page };
}

async function takeBack(
  deps: PostWorkDeps,
  change: Change,
  rows: readonly BulkRow[],
): Promise<BulkOutcome[]> {
  const { importedPosts, redirects } = deps;
  await importedPosts.lock(change);
  return takenBackEach(rows, async ({ plan, undo }) => {
    if (undo === null) return true;
    const { content }: { content: FoundPost } = JSON.parse(plan ?? '{}');
    if (content.type === 'page') return importedPosts.takeBackPage(change, JSON.parse(undo));
    const { before, after, redirect }: Undo = JSON.parse(undo);
    const now = await importedPosts.held(change.trx, content.id);
    if (fingerprint(now) !== after) return false;
    if (!isEqual(now, before)) await importedPosts.put(change, content.id, now, before);
    if (redirect) await redirects.restore(change, { from: redirect.from, to: redirect.to }, redirect.before);
    return true;
  });
}

/** Categories, tags and the blog that the import made and that nothing uses. */
async function clear(
  { importedPosts }: PostWorkDeps,
  run: RunChange,
  { categories, tags, blogs = [] }: Made,
): Promise<void> {
  if (categories.length + tags.length + blogs.length === 0) return;
  await run((change) => importedPosts.dropTopics(change, { categories, tags, blog: blogs[0] ?? null }));
}

const fingerprint = (held: HeldPost | null) =>
  fingerprintOf([held?.live ?? null, held?.draft?.content ?? null]);
