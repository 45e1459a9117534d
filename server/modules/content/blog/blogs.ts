/** Reads the blogs of the shop: what they are called, their categories and their tags. */
import { inLocale, type Locale } from '#contract/locales.ts';
import type { Blog, BlogConfig, BlogTag } from '#contract/schemas/blog.ts';
import type { Database } from '#db/database.ts';
import { cachedByTopics } from '#server/platform/cached-by-topics.ts';
import { notFound } from '#server/platform/errors.ts';
import { topics } from '#server/platform/topics.ts';
import { anyBlog } from './blog.repository.ts';
import { type BlogWithTaxonomy, loadBlogs } from './taxonomy.ts';

export function createBlogs({ db }: { db: Database }) {
  // Whatever shows posts shows their blog as well, so this records both.
  const allBlogs = cachedByTopics(db, [topics.blogs, topics.posts], () => loadBlogs(db.read));

  async function loadBlog(id: string): Promise<BlogWithTaxonomy> {
    const found = (await allBlogs()).get(id);
    if (!found) throw notFound();
    return found;
  }

  return {
    /** By id; the main blog first. */
    allBlogs,

    /** @throws {AppError} 404 for an unknown blog, as the methods below */
    loadBlog,

    /** Undefined if the shop has no blog. */
    async mainBlog(): Promise<BlogWithTaxonomy | undefined> {
      const [first] = (await allBlogs()).values();
      return first;
    },

    /** The main blog first; empty if the shop has no blog. */
    async blogs(locale: Locale): Promise<Blog[]> {
      return [...(await allBlogs()).values()].map((blog) => blogOf(blog, locale));
    },

    /** Whether there is a blog, with posts or without. */
    hasBlogs: cachedByTopics(db, [topics.blogs], () => anyBlog(db.read)),

    blog: async (id: string, locale: Locale): Promise<Blog> => blogOf(await loadBlog(id), locale),

    async config(id: string): Promise<BlogConfig> {
      const { enableUserLike, enableGuestLike } = await loadBlog(id);
      return { enableUserLike, enableGuestLike };
    },

    /** The tags that have posts, most frequent first. */
    async tags(id: string): Promise<BlogTag[]> {
      const { tags } = await loadBlog(id);
      return [...tags.values()]
        .filter(({ count }) => count > 0)
        .sort((a, b) => b.count - a.count)
        .map(({ id: name, name: nameContent, count }) => ({ name, nameContent, count }));
    },
  };
}

function blogOf({ id, name, description, categories, count }: BlogWithTaxonomy, locale: Locale): Blog {
  return {
    id,
    nameContent: name,
    description: inLocale(description, locale),
    categories: [...categories.values()].map((category) => ({
      blogCategoryName: category.id,
      nameContent: category.name,
      description: inLocale(category.description, locale),
      count: category.count,
    })),
    count,
  };
}
