/** Loads blogs with their categories, tags and post counts. */
import type { LocalText } from '#contract/locales.ts';
import type { Reader } from '#db/database.ts';
import { countsByCategory, countsByTag, listBlogs, listCategories, listTags } from './blog.repository.ts';

export interface CountedBlogCategory {
  id: string;
  name: LocalText;
  description: LocalText;
  count: number;
}

export interface CountedBlogTag {
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
  /** In the merchant's order. */
  categories: Map<string, CountedBlogCategory>;
  tags: Map<string, CountedBlogTag>;
  /** The number of published posts. */
  count: number;
}

/** By id, the main blog first. */
export async function loadBlogs(db: Reader): Promise<Map<string, BlogWithTaxonomy>> {
  const [blogs, categories, tags, inCategory, tagged] = await Promise.all([
    listBlogs(db),
    listCategories(db),
    listTags(db),
    countsByCategory(db),
    countsByTag(db),
  ]);
  const found = blogs.map((row): [string, BlogWithTaxonomy] => {
    const own = <T extends { blog_id: string }>(rows: readonly T[]) => rows.filter(({ blog_id }) => blog_id === row.id);
    const categoryCounts = new Map(own(inCategory).map(({ category_id, posts }) => [category_id, Number(posts)]));
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
          { id, name: JSON.parse(name), description: JSON.parse(description), count: categoryCounts.get(id) ?? 0 },
        ]),
      ),
      tags: new Map(own(tags).map(({ id, name }) => [id, { id, name: JSON.parse(name), count: tagCounts.get(id) ?? 0 }])),
      count: [...categoryCounts.values()].reduce((sum, posts) => sum + posts, 0),
    };
    return [row.id, facts];
  });
  return new Map(found);
}
