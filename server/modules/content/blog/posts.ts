import { inLocale, type Locale, type LocalText } from '#contract/locales.ts';
import type { ArticlePart, BlogPost, BlogPostSummary, StoredArticlePart } from '#contract/schemas/blog.ts';
import type { ImageInfo } from '#contract/schemas/common.ts';
import type { Database } from '#db/database.ts';
import type { CatalogueService } from '#server/modules/catalogue/index.ts';
import type { MediaService } from '#server/modules/media/index.ts';
import type { StoresService } from '#server/modules/stores/index.ts';
import { notFound } from '#server/platform/errors.ts';
import { wallClock } from '#server/platform/time-zone.ts';
import { picturesOf, productsOf, shownParts } from './article.ts';
import {
  type BriefRow,
  findPost,
  listedPosts,
  listPosts,
  neighbours,
  type PostRow,
  partsOf,
  relatedPosts,
  tagsOf,
} from './blog.repository.ts';
import type { BlogWithTaxonomy } from './blogs.ts';

const relatedShown = 3;

/** A post with its parts, for feeds. `updatedAt` is epoch ms. */
export type Article = BlogPostSummary & { updatedAt: number; parts: ArticlePart[] };

/** A post for a sitemap. Times in epoch ms. */
export interface ListedPost {
  link: string;
  image: ImageInfo | null;
  publishedAt: number;
  updatedAt: number;
}

/** Everything of the blog that a sitemap lists: posts, newest first, and the categories and tags that have posts. */
export interface ListedContent {
  posts: ListedPost[];
  categories: string[];
  tags: string[];
}

export type ShownRow = BriefRow & Pick<PostRow, 'parts'>;

export interface PostsDeps {
  db: Database;
  media: MediaService;
  presenter: ReturnType<typeof createPostPresenter>;
  mainBlog: () => Promise<BlogWithTaxonomy | undefined>;
}

export function createPosts(deps: PostsDeps) {
  const { db, presenter, mainBlog } = deps;
  const { summaries, articleOf } = presenter;

  /** @throws {AppError} 404 for an unknown or unpublished post */
  async function post(link: string, locale: Locale): Promise<BlogPost> {
    const row = await findPost(db.read, link);
    if (!row) throw notFound();
    return shownAs(row, (await tagsOf(db.read, [row.id])).get(row.id) ?? [], locale);
  }

  /** A post as readers see it, from what is stored or only written of it. */
  async function shownAs(row: ShownRow, tagIds: readonly string[], locale: Locale): Promise<BlogPost> {
    const [related, { older, newer }, parts] = await Promise.all([
      relatedPosts(db.read, row, tagIds, relatedShown),
      neighbours(db.read, row),
      articleOf(row.parts, locale),
    ]);
    const ofRelated = await tagsOf(
      db.read,
      related.map(({ id }) => id),
    );
    const [summary, ...others] = await summaries(
      [row, ...related],
      locale,
      new Map([...ofRelated, [row.id, tagIds]]),
    );
    if (!summary) throw new Error(`No summary of ${row.link}`);
    const linkOf = (post: typeof older) =>
      post ? { link: post.link, title: inLocale(JSON.parse(post.title), locale) } : null;
    return {
      ...summary,
      updatedAt: row.updated_at,
      blogPage: { parts },
      related: others,
      previous: linkOf(older),
      next: linkOf(newer),
    };
  }

  async function articles(count: number, locale: Locale): Promise<Article[]> {
    const blog = await mainBlog();
    if (!blog) return [];
    const rows = await listPosts(db.read, { blogId: blog.id }, { from: 0, count });
    const stored = await partsOf(
      db.read,
      rows.map(({ id }) => id),
    );
    const posts = await summaries(rows, locale);
    return Promise.all(
      rows.map(async (row, index) => {
        // One summary per row, in the same order.
        const summary = posts[index] as BlogPostSummary;
        return {
          ...summary,
          updatedAt: row.updated_at,
          parts: await articleOf(stored.get(row.id) ?? '[]', locale),
        };
      }),
    );
  }

  return { post, shownAs, articles, listed: () => listedContent(deps) };
}

async function listedContent({ db, media, mainBlog }: PostsDeps): Promise<ListedContent> {
  const [rows, main] = await Promise.all([listedPosts(db.read), mainBlog()]);
  const images = await media.images(rows.flatMap(({ image }) => image ?? []));
  const withPosts = (facts: Iterable<{ id: string; count: number }> = []) =>
    [...facts].filter(({ count }) => count > 0).map(({ id }) => id);
  return {
    posts: rows.map(({ link, image, published_at, updated_at }) => ({
      link,
      image: (image !== null && images.get(image)) || null,
      publishedAt: published_at,
      updatedAt: updated_at,
    })),
    categories: withPosts(main?.categories.values()),
    tags: withPosts(main?.tags.values()),
  };
}

interface PostPresenterDeps {
  db: Database;
  media: MediaService;
  stores: StoresService;
  catalogue: Pick<CatalogueService, 'cards'>;
  allBlogs: () => Promise<ReadonlyMap<string, BlogWithTaxonomy>>;
}

export function createPostPresenter({ db, media, stores, catalogue, allBlogs }: PostPresenterDeps) {
  return {
    /** One summary per row, in the same order. `known` has tags that are not read. */
    async summaries(
      rows: readonly BriefRow[],
      locale: Locale,
      known?: ReadonlyMap<string, readonly string[]>,
    ): Promise<BlogPostSummary[]> {
      const files = rows.flatMap(({ image }) => image ?? []);
      const ids = rows.map(({ id }) => id);
      const [blogs, timeZone, images, tags] = await Promise.all([
        allBlogs(),
        stores.timeZone(),
        media.images(files),
        known ?? tagsOf(db.read, ids),
      ]);
      return rows.map((row) =>
        toSummary(row, locale, {
          blog: blogs.get(row.blog_id),
          timeZone,
          image: (row.image !== null && images.get(row.image)) || null,
          tagIds: tags.get(row.id) ?? [],
        }),
      );
    },

    async articleOf(json: string, locale: Locale): Promise<ArticlePart[]> {
      const parts = JSON.parse(json) as StoredArticlePart[];
      const [images, products] = await Promise.all([
        media.images(picturesOf(parts)),
        catalogue.cards(productsOf(parts), locale),
      ]);
      return shownParts(parts, locale, {
        image: (file) => images.get(file),
        product: (id) => products.get(id),
      });
    },
  };
}

interface SummaryContext {
  blog: BlogWithTaxonomy | undefined;
  timeZone: string;
  image: ImageInfo | null;
  tagIds: readonly string[];
}

function toSummary(
  row: BriefRow,
  locale: Locale,
  { blog, timeZone, image, tagIds }: SummaryContext,
): BlogPostSummary {
  const text = (json: string) => inLocale(JSON.parse(json) as LocalText, locale);
  const category = row.category_id === null ? undefined : blog?.categories.get(row.category_id);
  const author =
    row.author === null ? null : (JSON.parse(row.author) as { name: LocalText; role: LocalText });
  const minutes = JSON.parse(row.reading_minutes) as Partial<Record<Locale, number>> & { en: number };
  return {
    id: row.id,
    link: row.link,
    title: text(row.title),
    excerpt: text(row.excerpt),
    image,
    author: author && { name: inLocale(author.name, locale), role: inLocale(author.role, locale) },
    publishedAt: row.published_at,
    publishedOn: wallClock(row.published_at, timeZone).date,
    readingMinutes: minutes[locale] ?? minutes.en,
    likes: row.likes,
    blogCategory: category ? { blogCategoryName: category.id, nameContent: category.name } : null,
    tags: tagIds.flatMap((id) => {
      const tag = blog?.tags.get(id);
      return tag ? [{ name: id, nameContent: tag.name }] : [];
    }),
    associatedStoreBlog: { id: row.blog_id },
  };
}
