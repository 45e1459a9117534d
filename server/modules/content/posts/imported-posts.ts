/** Posts and pages as the files of other programs bring them: written, compared and taken back as a whole. */
import { type Locale, type LocalText, mainLocale } from '#contract/locales.ts';
import { type Problem, problem } from '#contract/problems.ts';
import { isEqual } from '#contract/rules/patch.ts';
import type { PageDocument } from '#contract/schemas/page.ts';
import { type BlogDocument, PostDocument } from '#contract/schemas/post.ts';
import { recordCatalogueChange } from '#db/catalogue-version.ts';
import type { Database, Reader } from '#db/database.ts';
import {
  type Change,
  type Draft,
  dropDraftWithLinks,
  findDraft,
  leaveDraft,
  listDrafts,
  noteDocument,
} from '#server/modules/changes/index.ts';
import { topics } from '#server/platform/recorded-reads.ts';
import { schemaProblems } from '#server/platform/schema-problems.ts';
import { lockPages } from '../blocks/pages.repository.ts';
import { validateBlocks } from '../blocks/published-blocks.ts';
import { cleanedParts } from '../blog/article.ts';
import { listBlogs } from '../blog/blog.repository.ts';
import {
  allStoredPosts,
  dropBlog,
  dropBlogParts,
  findStoredPost,
  lockBlogs,
  lockPosts,
  postsIn,
  putBlog,
  removePost,
} from '../blog/blog-editor.repository.ts';
import { blogDocument, blogValues, livePost, writePost } from '../blog/blog-editor.ts';
import { writtenPage } from '../pages/content.service.ts';
import { pageNameProblems } from '../pages/page-problems.ts';
import { addBlog } from './post.kind.ts';

/** What readers see of a post, and what is only written of it. */
export interface HeldPost {
  live: PostDocument | null;
  draft: Draft | null;
}

/** Categories and tags of the blog, in their order. */
export type BlogTopics = Pick<BlogDocument, 'categories' | 'tags'>;

export type ImportedPosts = ReturnType<typeof createImportedPosts>;

export function createImportedPosts({ db, now }: { db: Database; now: () => number }) {
  const held = async (reader: Reader, id: string): Promise<HeldPost | null> => {
    const [live, draft] = [await livePost(reader, id), await findDraft(reader, 'post', id)];
    return live || draft ? { live, draft } : null;
  };

  return {
    held,

    /** The blog that posts come into: the shop's first. */
    async blog(reader: Reader): Promise<BlogDocument | null> {
      const [first] = await listBlogs(reader);
      return first ? blogDocument(reader, first.id) : null;
    },

    /** The addresses of all posts, also of those that are only written, with the ids of the posts. */
    async links(reader: Reader): Promise<Map<string, string>> {
      const [rows, drafts] = [await allStoredPosts(reader), await listDrafts(reader, 'post')];
      return new Map([
        ...drafts.map(({ id, content }) => [(content as PostDocument).link, id] as const),
        ...rows.map(({ id, link }) => [link, id] as const),
      ]);
    },

    /** Until the transaction ends. */
    lock: async ({ trx }: Change): Promise<void> => {
      await lockPages(db, trx);
      await lockPosts(db, trx);
      await lockBlogs(db, trx);
    },

    /** As it is stored, sanitised. */
    cleaned: (post: PostDocument): PostDocument => ({ ...post, parts: cleanedParts(post.parts) }),

    /** By its fields; empty if it can be written. Pictures, categories, tags and the addresses of drafts are not looked up. */
    async problemsOf(reader: Reader, post: PostDocument): Promise<Problem[]> {
      const invalid = schemaProblems(PostDocument, post);
      if (invalid.length > 0) return invalid;
      const other = await findStoredPost(reader, 'link', post.link);
      return other && other.id !== post.id ? [problem(['link'], 'problem.post.taken')] : [];
    },

    /** Adds categories and tags to the blog, which is made if the shop has none. Returns the id of one that was made. */
    async addTopics(change: Change, { categories, tags }: BlogTopics): Promise<string | null> {
      const { trx } = change;
      const [first] = await listBlogs(trx);
      const id = first?.id ?? (await addBlog(change));
      const before = await blogDocument(trx, id);
      if (!before) throw new Error(`No blog ${id}`);
      const missing = <T extends { id: string }>(there: readonly T[], more: readonly T[]) => [
        ...there,
        ...more.filter((each) => !there.some((one) => one.id === each.id)),
      ];
      const after = {
        ...before,
        categories: missing(before.categories, categories),
        tags: missing(before.tags, tags),
      };
      if (!isEqual(before, after)) {
        await putBlog(trx, blogValues(after));
        noteDocument(change, 'blog', before, after);
        await recordCatalogueChange(trx, [topics.blogs]);
      } else if (first) change.note('blog', id, []);
      return first ? null : id;
    },

    /** Of what was added, what nothing uses any more. `blog`: its id, if it was made. */
    async dropTopics(
      change: Change,
      ids: { categories: readonly string[]; tags: readonly string[]; blog: string | null },
    ) {
      const { trx } = change;
      const [first] = await listBlogs(trx);
      const before = first && (await blogDocument(trx, first.id));
      if (!before) return change.note('blog', ids.blog ?? 'blog', []);
      const written = (await listDrafts(trx, 'post')).flatMap(({ content, scheduled }) => [
        content as PostDocument,
        ...(scheduled ? [scheduled.content as PostDocument] : []),
      ]);
      const free = async (kind: 'category' | 'tag', all: readonly string[]) => {
        const found: string[] = [];
        for (const each of all) {
          const part = kind === 'category' ? { category: each } : { tag: each };
          const isWritten = written.some(({ category, tags }) =>
            kind === 'category' ? category === each : tags.includes(each),
          );
          if (!isWritten && (await postsIn(trx, before.id, part)).length === 0) found.push(each);
        }
        return found;
      };
      const categories = await free('category', ids.categories);
      const tags = await free('tag', ids.tags);
      const isEmpty = written.length === 0 && (await allStoredPosts(trx)).length === 0;
      await dropBlogParts(trx, before.id, { categories, tags });
      const after = await blogDocument(trx, before.id);
      if (after && before.id === ids.blog && isEmpty && after.categories.length + after.tags.length === 0) {
        await dropBlog(trx, before.id);
        change.note('blog', before.id);
      } else if (after) noteDocument(change, 'blog', before, after);
      await recordCatalogueChange(trx, [topics.blogs]);
    },

    /** Stores what readers see and what is only written; null removes it. `before`: what is stored. */
    async put(change: Change, id: string, before: HeldPost | null, after: HeldPost | null): Promise<void> {
      const { trx } = change;
      if (after?.live) await writePost(trx, after.live, now());
      else if (before?.live) {
        await removePost(trx, id);
        await recordCatalogueChange(trx, [topics.blogs, topics.posts]);
      }
      if (after?.draft) await leaveDraft(trx, 'post', after.live, after.draft);
      else if (before?.draft) await dropDraftWithLinks(trx, 'post', id);
      const [was, is] = [writtenIn(before), writtenIn(after)];
      if (is) noteDocument(change, 'post', was, is);
      else change.note('post', id);
    },

    page: writtenPage,
    pageNameProblems: (name: string): Problem[] => pageNameProblems(name),

    /** A page that is only written, with formatted text. */
    async addPage(change: Change, page: PageDocument): Promise<void> {
      await leaveDraft(change.trx, 'page', null, {
        id: page.id,
        content: cleanedPage(page),
        scheduled: null,
        failedAt: null,
      });
      noteDocument(change, 'page', null, cleanedPage(page));
    },
    cleanedPage,

    /** False if it is no longer as it was added: it stays then. */
    async takeBackPage(change: Change, page: PageDocument): Promise<boolean> {
      const written = await writtenPage(change.trx, page.id);
      const draft = await findDraft(change.trx, 'page', page.id);
      if (!draft || draft.scheduled || !isEqual(written, cleanedPage(page))) return false;
      await dropDraftWithLinks(change.trx, 'page', page.id);
      change.note('page', page.id);
      return true;
    },
  };
}

/** What the office shows of it. */
export const writtenIn = (held: HeldPost | null): PostDocument | null =>
  (held?.draft?.content as PostDocument | undefined) ?? held?.live ?? null;

const cleanedPage = (page: PageDocument): PageDocument => ({
  ...page,
  blocks: validateBlocks(page.blocks).blocks,
});

/** A page of formatted text. */
export function pageOfText(id: string, title: LocalText, html: string, language: Locale): PageDocument {
  const block = {
    id: 'text',
    type: 'text',
    title: null,
    paragraphs: [],
    items: [],
    html: { [language]: html },
  };
  return { id, title, metaDescription: { [mainLocale()]: '' } as LocalText, blocks: [block] };
}
