/** Reads pages, the gallery and blogs in the form in which they are imported. */
import type { Database } from '#db/database.ts';
import { allPages } from './blocks/pages.repository.ts';
import { parsed } from './blocks/published-blocks.ts';
import { withoutIds } from './blog/article.ts';
import { listBlogs, listCategories, listTags } from './blog/blog.repository.ts';
import { allPosts, allPostTags } from './blog/blog-editor.repository.ts';
import type { BlogInput, PostInput } from './blog/blog-input.ts';
import type { PageInput } from './pages/page-problems.ts';
import { galleryPhotos } from './photographs/photographs.repository.ts';
import type { GalleryPhoto } from './photographs/photographs.service.ts';

export interface BlogExport {
  blog: BlogInput;
  /** Oldest first, scheduled ones included. */
  posts: PostInput[];
}

export type ContentExport = ReturnType<typeof createContentExport>;

export function createContentExport({ db }: { db: Database }) {
  return {
    async pages(): Promise<PageInput[]> {
      const rows = await allPages(db.read);
      return rows.map(({ name, title, meta_description, blocks }) => ({
        name,
        title: JSON.parse(title),
        metaDescription: JSON.parse(meta_description),
        blocks: parsed(blocks),
      }));
    },
    async gallery(): Promise<GalleryPhoto[]> {
      const rows = await galleryPhotos(db.read);
      return rows.map(({ id, caption, image, link, taken_at }) => ({
        id,
        caption: JSON.parse(caption),
        image,
        link,
        takenAt: taken_at,
      }));
    },
    async blogs(): Promise<BlogExport[]> {
      const [blogs, categories, tags] = [
        await listBlogs(db.read),
        await listCategories(db.read),
        await listTags(db.read),
      ];
      const posts = await postsByBlog(db);
      return blogs.map((row) => ({
        blog: {
          id: row.id,
          name: JSON.parse(row.name),
          description: JSON.parse(row.description),
          enableUserLike: row.enable_user_like === 1,
          enableGuestLike: row.enable_guest_like === 1,
          categories: categories
            .filter(({ blog_id }) => blog_id === row.id)
            .map(({ id, name, description }) => ({
              id,
              name: JSON.parse(name),
              description: JSON.parse(description),
            })),
          tags: tags
            .filter(({ blog_id }) => blog_id === row.id)
            .map(({ id, name }) => ({ id, name: JSON.parse(name) })),
        },
        posts: posts.get(row.id) ?? [],
      }));
    },
  };
}

async function postsByBlog(db: Database): Promise<Map<string, PostInput[]>> {
  const tags = Map.groupBy(await allPostTags(db.read), ({ post_id }) => post_id);
  const posts = (await allPosts(db.read)).map(
    (row): PostInput => ({
      blogId: row.blog_id,
      link: row.link,
      title: JSON.parse(row.title),
      excerpt: JSON.parse(row.excerpt),
      author: row.author === null ? null : JSON.parse(row.author),
      image: row.image,
      category: row.category_id,
      tags: (tags.get(row.id) ?? []).map(({ tag_id }) => tag_id),
      publishedAt: row.published_at,
      likesBefore: row.likes,
      parts: withoutIds(parsed(row.parts)),
    }),
  );
  return Map.groupBy(posts, ({ blogId }) => blogId);
}
