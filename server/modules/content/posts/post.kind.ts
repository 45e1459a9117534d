/** Posts and blogs as documents: the room Blog. */
import type { FastifyInstance } from 'fastify';
import type { TSchema } from 'typebox';
import { postPath } from '#contract/limits.ts';
import { type Locale, type LocalText, localeCodes, mainLocale } from '#contract/locales.ts';
import { type Problem, problem } from '#contract/problems.ts';
import { type Edit, edited } from '#contract/rules/patch.ts';
import { type BlogPost, StoredArticlePart } from '#contract/schemas/blog.ts';
import { BlogDocument, PostDocument } from '#contract/schemas/post.ts';
import type { Publication } from '#contract/staff/documents.ts';
import type { StaffBody, StaffResponse } from '#contract/staff/endpoints.ts';
import { recordCatalogueChange } from '#db/catalogue-version.ts';
import type { Database, Reader } from '#db/database.ts';
import { shopOrigin } from '#server/http/origin.ts';
import { serveStaff } from '#server/http/staff-endpoint.ts';
import type { CatalogueService } from '#server/modules/catalogue/index.ts';
import {
  type Change,
  type ChangesService,
  createDocuments,
  createPublishing,
  type DocumentKind,
  type Draft,
  type DraftedKind,
  type DraftLinks,
  draftIds,
  draftsLinked,
  listDrafts,
  noteDocument,
  serveDocuments,
  servePublishing,
  writtenOf,
} from '#server/modules/changes/index.ts';
import type { MediaService } from '#server/modules/media/index.ts';
import type { RedirectsService } from '#server/modules/settings/index.ts';
import type { Env } from '#server/platform/env.ts';
import { notFound } from '#server/platform/errors.ts';
import { translate } from '#server/platform/i18n.ts';
import type { Permit } from '#server/platform/permits.ts';
import { topics } from '#server/platform/recorded-reads.ts';
import { type SchemaNode, schemaProblems } from '#server/platform/schema-problems.ts';
import { freeId } from '#server/platform/slugs.ts';
import { cleanedParts, picturesOf, productsOf, saysSomething } from '../blog/article.ts';
import { listBlogs, listCategories, listTags } from '../blog/blog.repository.ts';
import type { BlogService } from '../blog/blog.service.ts';
import {
  allStoredPosts,
  dropBlogParts,
  findStoredPost,
  knownNames,
  lockBlogs,
  lockPosts,
  postsIn,
  putBlog,
  removePost,
  takeOut,
} from '../blog/blog-editor.repository.ts';
import {
  blogDocument,
  blogValues,
  livePost,
  postDocument,
  unknownNames,
  valuesOf,
  writePost,
} from '../blog/blog-editor.ts';
import { type Blockers, createBlockers, type Found, lookThrough } from '../pages/blockers.ts';
import { pageFolders } from '../pages/links.ts';
import { missingByLanguage } from '../pages/missing-texts.ts';

export interface OfficePostsDeps {
  db: Database;
  now: () => number;
  changes: ChangesService;
  media: MediaService;
  catalogue: CatalogueService;
  redirects: RedirectsService;
  blog: BlogService;
  draftLinks: DraftLinks;
  env: Pick<Env, 'publicUrl'>;
}

function postKind(deps: OfficePostsDeps): DraftedKind<PostDocument, StaffBody<'addPost'>> {
  const { db, now, media, redirects } = deps;
  const blockers = createBlockers(deps);
  return {
    name: 'post',
    schema: PostDocument,
    schemaOf: (part) => partSchemas.get((part as { type?: unknown } | null)?.type),
    lock: (trx) => lockPosts(db, trx),
    read: livePost,
    all: async (reader) => (await allStoredPosts(reader)).map(postDocument),
    async problems(content, before, reader) {
      const files = ({ image, parts }: PostDocument) => [
        ...(image === null ? [] : [image]),
        ...picturesOf(cleanedParts(parts)),
      ];
      const known = new Set(before ? files(before) : []);
      const named = files(content).filter((file) => !known.has(file));
      const found = await media.images(named);
      return [
        ...partProblems(content.parts, (file) => !named.includes(file) || found.has(file)),
        ...(content.image !== null && named.includes(content.image) && !found.has(content.image)
          ? [problem(['image'], 'problem.invalid')]
          : []),
        ...((await isTaken(reader, content)) ? [problem(['link'], 'problem.post.taken')] : []),
        ...unknownNames(content, await knownNames(reader)),
      ];
    },
    async make(change, { title }) {
      const { trx } = change;
      const blogId = (await listBlogs(trx))[0]?.id ?? (await addBlog(change));
      const drafted = await draftIds(trx, 'post');
      // What another post says of itself is asked only of the few names that are nobody's id.
      const isUsed = async (name: string) =>
        drafted.has(name) ||
        (await findStoredPost(trx, 'id', name)) !== undefined ||
        (await isTaken(trx, { id: '', link: name }));
      const id = await freeId(title[mainLocale()] ?? '', 'post', isUsed);
      const nothing = { [mainLocale()]: '' } as LocalText;
      const text = { id: 'text', type: 'html', html: nothing };
      const fresh = {
        image: null,
        author: { name: nothing, role: nothing },
        category: null,
        tags: [],
        publishedAt: null,
      };
      return { ...fresh, id, blogId, link: id, title, excerpt: nothing, parts: [text] };
    },
    async write(change, post) {
      const { movedFrom } = await writePost(change.trx, post, now());
      if (movedFrom !== null)
        await redirects.put(change, [{ from: postPath(movedFrom), to: postPath(post.link) }]);
      return undefined;
    },
    drafts: {
      cleaned: (post) => ({ ...post, parts: cleanedParts(post.parts) }),
      blockers: (post) => blockersOf(post, blockers),
      withdraw: ({ trx }, { id }) => removePost(trx, id),
      shownFrom: ({ publishedAt }) => publishedAt,
    },
  };
}

function partProblems(parts: readonly unknown[], isKnown: (file: string) => boolean): Problem[] {
  const ids = new Set<unknown>();
  return parts.flatMap((candidate, index) => {
    const { id, ...part } = (typeof candidate === 'object' && candidate !== null ? candidate : {}) as Record<
      string,
      unknown
    >;
    const path = ['parts', typeof id === 'string' ? id : String(index)];
    if (typeof id !== 'string' || id === '' || ids.has(id))
      return [problem([...path, 'id'], 'problem.repeated')];
    ids.add(id);
    const image = part.type === 'image' && typeof part.image === 'string' ? part.image : null;
    return [
      ...schemaProblems(StoredArticlePart, part).map((each) => ({ ...each, path: [...path, ...each.path] })),
      ...(image !== null && !isKnown(image) ? [problem([...path, 'image'], 'problem.invalid')] : []),
    ];
  });
}

/** By another post, whether readers see it or not. */
async function isTaken(reader: Reader, { id, link }: Pick<PostDocument, 'id' | 'link'>): Promise<boolean> {
  const other = await findStoredPost(reader, 'link', link);
  if (other && other.id !== id) return true;
  const drafts = await draftsLinked(reader, 'post', link);
  const links = drafts.flatMap((draft) =>
    draft.id === id
      ? []
      : [draft.content, draft.scheduled?.content].map((each) => (each as PostDocument | undefined)?.link),
  );
  return links.includes(link);
}

const partSchemas = new Map(
  (StoredArticlePart.anyOf as unknown as readonly TSchema[]).map((part) => [
    (part as unknown as SchemaNode).properties?.type?.const,
    part,
  ]),
);

function blockersOf(post: PostDocument, blockers: Blockers): Promise<Problem[]> {
  return blockers(postPath(post.link), (found) => {
    const { properties } = PostDocument;
    lookThrough(properties.excerpt, post.excerpt, ['excerpt'], found);
    lookThrough(properties.author, post.author, ['author'], found);
    const parts = cleanedParts(post.parts);
    for (const part of parts) lookAtPart(part, ['parts', part.id], found);
    // Said at the part that waits for words; without one, of the parts as a whole.
    if (!parts.some(saysSomething))
      found.problems.push(
        problem(['parts', ...parts.slice(0, 1).map(({ id }) => id)], 'problem.publish.empty'),
      );
  });
}

function lookAtPart(part: ReturnType<typeof cleanedParts>[number], path: string[], found: Found): void {
  if (part.type === 'heading') {
    if (part.level > found.level + 1)
      found.problems.push(problem([...path, 'level'], 'problem.publish.heading', { level: part.level }));
    found.level = part.level;
  }
  if (part.type === 'product')
    found.links.push({ path: [...path, 'product'], link: `${pageFolders.product}${part.product}` });
  lookThrough(partSchemas.get(part.type), part, path, found);
}

/** The first one comes with the first post. */
export async function addBlog(change: Change): Promise<string> {
  const blog: BlogDocument = {
    id: 'blog',
    name: Object.fromEntries(
      localeCodes.map((code) => [code, translate(code)('shell.menu.blog')]),
    ) as LocalText,
    description: { [mainLocale()]: '' } as LocalText,
    enableUserLike: true,
    enableGuestLike: false,
    categories: [],
    tags: [],
  };
  await putBlog(change.trx, blogValues(blog));
  noteDocument(change, 'blog', null, blog);
  await recordCatalogueChange(change.trx, [topics.blogs]);
  return blog.id;
}

/** Begins the ids of new categories and tags: their names give them addresses when they are saved. */
const newPart = /^new-/;

function blogKind({ db }: OfficePostsDeps): DocumentKind<BlogDocument, never> {
  return {
    name: 'blog',
    schema: BlogDocument,
    lock: async (trx) => {
      await lockPosts(db, trx);
      await lockBlogs(db, trx);
    },
    read: blogDocument,
    async all(reader) {
      const blogs = await Promise.all((await listBlogs(reader)).map(({ id }) => blogDocument(reader, id)));
      return blogs.filter((blog) => blog !== null);
    },
    problems: async ({ categories, tags }) => [
      ...repeated('categories', categories),
      ...repeated('tags', tags),
    ],
    async write(change, given) {
      const { trx } = change;
      const content = { ...given, categories: await named(given.categories), tags: await named(given.tags) };
      const before = await blogDocument(trx, given.id);
      await putBlog(trx, blogValues(content));
      const gone = (list: 'categories' | 'tags') =>
        (before?.[list] ?? [])
          .filter(({ id }) => !content[list].some((each) => each.id === id))
          .map(({ id }) => id);
      const [categories, tags] = [gone('categories'), gone('tags')];
      for (const category of categories) await leave(change, content.id, { category });
      for (const tag of tags) await leave(change, content.id, { tag });
      await dropBlogParts(trx, content.id, { categories, tags });
      noteDocument(change, 'blog', before, content);
      await recordCatalogueChange(trx, [topics.blogs, topics.posts]);
      return undefined;
    },
  };
}

function repeated(list: string, entries: readonly { id: string }[]): Problem[] {
  const ids = entries.map(({ id }) => id);
  return ids
    .filter((id, index) => ids.indexOf(id) !== index)
    .map((id) => problem([list, id, 'id'], 'problem.repeated'));
}

async function named<T extends { id: string; name: LocalText }>(entries: readonly T[]): Promise<T[]> {
  const taken = new Set(entries.map(({ id }) => id));
  const all: T[] = [];
  for (const entry of entries) {
    if (!newPart.test(entry.id)) all.push(entry);
    else {
      const id = await freeId(entry.name[mainLocale()] ?? '', 'topic', (each) => taken.has(each));
      taken.add(id);
      all.push({ ...entry, id });
    }
  }
  return all;
}

/** Posts of a category or tag that ends go on without it. */
async function leave(
  change: Change,
  blogId: string,
  part: { category: string } | { tag: string },
): Promise<void> {
  const { trx } = change;
  for (const id of await postsIn(trx, blogId, part)) {
    const before = await livePost(trx, id);
    await takeOut(trx, id, part);
    const after = await livePost(trx, id);
    if (before && after) noteDocument(change, 'post', before, after);
  }
}

function missingIn(post: PostDocument) {
  const { parts, ...head } = post;
  return missingByLanguage([
    [PostDocument, head],
    ...cleanedParts(parts).map((part): [TSchema | undefined, unknown] => [partSchemas.get(part.type), part]),
  ]);
}

/** What readers see, and what is only written yet. */
async function list(
  { db }: OfficePostsDeps,
  publicationOf: (live: PostDocument | null, draft: Draft | null) => Publication,
): Promise<StaffResponse<'posts'>> {
  const [rows, drafts] = [await allStoredPosts(db.read), await listDrafts(db.read, 'post')];
  const live = new Map(rows.map((row) => [row.id, postDocument(row)]));
  const draftOf = new Map(drafts.map((draft) => [draft.id, draft]));
  const posts = [...new Set([...draftOf.keys(), ...live.keys()])].flatMap((id) => {
    const [seen, draft] = [live.get(id) ?? null, draftOf.get(id) ?? null];
    const post = (draft?.content as PostDocument | undefined) ?? seen;
    if (!post) return [];
    const { blogId, link, title, author, category, tags, publishedAt } = post;
    const date = publishedAt ?? seen?.publishedAt ?? null;
    const summary = { id, blogId, link, title, author: author.name, category, tags, publishedAt: date };
    return [{ ...summary, missing: missingIn(post), publication: publicationOf(seen, draft) }];
  });
  const dateOf = ({ publishedAt }: { publishedAt: number | null }) => publishedAt ?? Number.POSITIVE_INFINITY;
  return {
    posts: posts.toSorted((a, b) => (dateOf(a) < dateOf(b) ? 1 : dateOf(a) > dateOf(b) ? -1 : 0)),
    blogs: await blogNames(db.read),
  };
}

async function blogNames(reader: Reader): Promise<StaffResponse<'posts'>['blogs']> {
  const [blogs, categories, tags] = [
    await listBlogs(reader),
    await listCategories(reader),
    await listTags(reader),
  ];
  const namesIn = (blogId: string, rows: readonly { blog_id: string; id: string; name: string }[]) =>
    rows
      .filter(({ blog_id }) => blog_id === blogId)
      .map(({ id, name }) => ({ name: id, nameContent: JSON.parse(name) }));
  return blogs.map(({ id, name }) => ({
    id,
    name: JSON.parse(name),
    categories: namesIn(id, categories),
    tags: namesIn(id, tags),
  }));
}

export type OfficePosts = ReturnType<typeof createOfficePosts>;

export function createOfficePosts(deps: OfficePostsDeps) {
  const { db, now, blog, catalogue } = deps;
  const kind = postKind(deps);
  const [documents, publishing] = [createDocuments(deps, kind), createPublishing(deps, kind)];
  const ofBlogs = blogKind(deps);

  async function read(permit: Permit, id: string): Promise<StaffResponse<'post'>> {
    const document = await documents.read(permit, id);
    const { blogId, parts } = document.content;
    const names = await blogNames(db.read);
    const products = await catalogue.named(productsOf(cleanedParts(parts)), mainLocale());
    return {
      ...document,
      publication: await publishing.publication(db.read, id),
      liveLink: (await findStoredPost(db.read, 'id', id))?.link ?? null,
      blog: names.find((each) => each.id === blogId) ?? { id: blogId, name: {}, categories: [], tags: [] },
      products: products.map(({ id: product, nameContent }) => ({ name: product, nameContent })),
    } as StaffResponse<'post'>;
  }

  return {
    publishAllDue: publishing.publishAllDue,
    /**
     * A post as it would be after the edits, with the parts that can be shown. Nothing records that it was read: it is one person's.
     * @throws {AppError} 404 if there is no such post
     */
    async draft(id: string, edits: readonly Edit[], locale: Locale): Promise<BlogPost> {
      const stored = await writtenOf(db.read, 'post', id, () => livePost(db.read, id));
      if (!stored) throw notFound();
      const tried = { ...edited(stored, edits), id };
      // A field that is not as it has to be stays as it is stored.
      const wrong = new Set(schemaProblems(PostDocument, tried).map(({ path: [field] }) => field));
      const post: PostDocument = {
        ...stored,
        ...Object.fromEntries(Object.entries(tried).filter(([field]) => !wrong.has(field))),
      };
      const parts = cleanedParts(post.parts);
      const values = valuesOf({ ...post, parts }, now(), await findStoredPost(db.read, 'id', id));
      const row = { ...values, id, updated_at: now(), released: 1 as const, likes: 0 };
      return blog.shownAs(row, post.tags, locale);
    },
    register(app: FastifyInstance): void {
      serveDocuments(app, kind, documents, read);
      const origin = shopOrigin(app, deps.env.publicUrl);
      servePublishing(app, { name: kind.name, publishing, links: deps.draftLinks, origin, read });
      serveStaff(app, 'posts', () => list(deps, publishing.publicationOf));
      serveDocuments(app, ofBlogs, createDocuments(deps, ofBlogs));
      serveStaff(app, 'blogs', async () => ({
        blogs: [...(await blog.allBlogs()).values()].map(({ id, name, count }) => ({
          id,
          name,
          posts: count,
        })),
      }));
    },
  };
}
