/** Presents rows of posts: summaries for lists, and the parts of an article with their images and products. */
import { inLocale, type Locale, type LocalText } from '#contract/locales.ts';
import type { ArticlePart, BlogPostSummary, StoredArticlePart } from '#contract/schemas/blog.ts';
import type { ImageInfo } from '#contract/schemas/common.ts';
import type { Database } from '#db/database.ts';
import type { CatalogueService } from '#server/modules/catalogue/index.ts';
import type { MediaService } from '#server/modules/media/index.ts';
import type { StoresService } from '#server/modules/stores/index.ts';
import { wallClock } from '#server/platform/time-zone.ts';
import { picturesOf, productsOf, shownParts } from './article.ts';
import { type BriefRow, tagsOf } from './blog.repository.ts';
import type { BlogWithTaxonomy } from './taxonomy.ts';

export interface PostPresenterDeps {
  db: Database;
  media: MediaService;
  stores: StoresService;
  catalogue: Pick<CatalogueService, 'cards'>;
  /** Blogs by id. */
  allBlogs: () => Promise<ReadonlyMap<string, BlogWithTaxonomy>>;
}

export function createPostPresenter({ db, media, stores, catalogue, allBlogs }: PostPresenterDeps) {
  return {
    /** One summary per row, in the same order. */
    async summaries(rows: readonly BriefRow[], locale: Locale): Promise<BlogPostSummary[]> {
      const files = rows.flatMap(({ image }) => image ?? []);
      const ids = rows.map(({ id }) => id);
      const [blogs, timeZone, images, tags] = await Promise.all([
        allBlogs(),
        stores.timeZone(),
        media.images(files),
        tagsOf(db.read, ids),
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

    /** The parts of an article, stored as JSON. */
    async articleOf(json: string, locale: Locale): Promise<ArticlePart[]> {
      const parts = JSON.parse(json) as StoredArticlePart[];
      const [images, products] = await Promise.all([media.images(picturesOf(parts)), catalogue.cards(productsOf(parts), locale)]);
      return shownParts(parts, locale, { image: (file) => images.get(file), product: (id) => products.get(id) });
    },
  };
}

interface SummaryContext {
  blog: BlogWithTaxonomy | undefined;
  /** The shop's time zone, which determines the day of publication. */
  timeZone: string;
  image: ImageInfo | null;
  tagIds: readonly string[];
}

function toSummary(row: BriefRow, locale: Locale, { blog, timeZone, image, tagIds }: SummaryContext): BlogPostSummary {
  const text = (json: string) => inLocale(JSON.parse(json) as LocalText, locale);
  const category = row.category_id === null ? undefined : blog?.categories.get(row.category_id);
  const author = row.author === null ? null : (JSON.parse(row.author) as { name: LocalText; role: LocalText });
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
