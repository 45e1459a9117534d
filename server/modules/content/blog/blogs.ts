import { inLocale, type Locale, type LocalText } from '#contract/locales.ts';
import type { Blog, BlogConfig, BlogTag } from '#contract/schemas/blog.ts';
import type { Database, Reader } from '#db/database.ts';
import { notFound } from '#server/platform/errors.ts';
import { cachedByTopics, topics } from '#server/platform/recorded-reads.ts';
import { countsByCategory, countsByTag, listBlogs, listCategories, listTags } from './blog.repository.ts';
import { anyReleased } from './blog-editor.repository.ts';

export function createBlogs({ db }: { db: Database }) {
  // Whatever shows posts shows their blog as well, so this records both.
  const allBlogs = cachedByTopics(db, [topics.blogs, topics.posts], () => loadBlogs(db.read));

  async function loadBlog(id: string): Promise<BlogWithTaxonomy> {
    const found = (await allBlogs()).get(id);
    if (!found) throw notFound();
    return found;
  }

  return {
    allBlogs,

    /** @throws {AppError} 404 for an unknown blog, as the methods below */
    loadBlog,

    async mainBlog(): Promise<BlogWithTaxonomy | undefined> {
      const [first] = (await allBlogs()).values();
      return first;
    },

    /** The main blog first; empty if the shop has no blog. */
    async blogs(locale: Locale): Promise<Blog[]> {
      return [...(await allBlogs()).values()].map((blog) => blogOf(blog, locale));
    },

    /** Whether there is anything to read. The first post that readers see records `topics.blogs`. */
    hasBlogs: cachedByTopics(db, [topics.blogs], () => anyReleased(db.read)),

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

interface CountedBlogCategory {
  id: string;
  name: LocalText;
  description: LocalText;
  count: number;
}

interface CountedBlogTag {
  id: string;
  name: LocalText;
  count: number;
}

export interface BlogWithTaxonomy {
  id: string;
  name: LocalText;
  description: LocalText;
  enableUserLike: boolean;
  enableGuestLike: boolean;
  categories: Map<string, CountedBlogCategory>;
  tags: Map<string, CountedBlogTag>;
  count: number;
}

async function loadBlogs(db: Reader): Promise<Map<string, BlogWithTaxonomy>> {
  const [blogs, categories, tags, inCategory, tagged] = await Promise.all([
    listBlogs(db),
    listCategories(db),
    listTags(db),
    countsByCategory(db),
    countsByTag(db),
  ]);
  const found = blogs.map((row): [string, BlogWithTaxonomy] => {
    const own = <T extends { blog_id: string }>(rows: readonly T[]) =>
      rows.filter(({ blog_id }) => blog_id === row.id);
    const categoryCounts = new Map(
      own(inCategory).map(({ category_id, posts }) => [category_id, Number(posts)]),
    );
    const tagCounts = new Map(own(tagged).map(({ tag_id, posts }) => [tag_id, Number(posts)]));
    const facts: BlogWithTaxonomy = {
      id: row.id,
      name: JSON.parse(row.name),
      description: JSON.parse(row.description),
      enableUserLike: row.enable_user_like === 1,
      enableGuestLike: row.enable_guest_like === 1,
      categories: new Map(
        own(categories).map(({ id, name, description }) => [
          id,
          {
            id,
            name: JSON.parse(name),
            description: JSON.parse(description),
            count: categoryCounts.get(id) ?? 0,
          },
        ]),
      ),
      tags: new Map(
        own(tags).map(({ id, name }) => [id, { id, name: JSON.parse(name), count: tagCounts.get(id) ?? 0 }]),
      ),
      count: [...categoryCounts.values()].reduce((sum, posts) => sum + posts, 0),
    };
    return [row.id, facts];
  });
  return new Map(found);
}
