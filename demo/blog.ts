import type { BlogInput, PostInput } from '#server/modules/content/index.ts';
import blog from './data/blog.json' with { type: 'json' };

/** Posts are published in the morning, Toronto time. */
const publishedHourUtc = 14;

export function demoBlog(): BlogInput {
  return {
    id: blog.blog.id,
    name: blog.blog.name,
    description: blog.blog.description,
    ...blog.config,
    categories: blog.categories.map(({ slug, ...category }) => ({ id: slug, ...category })),
    tags: blog.tags.map(({ slug, ...tag }) => ({ id: slug, ...tag })),
  };
}

export function demoPosts(): PostInput[] {
  return blog.posts.map(({ link, title, excerpt, cover, author, date, category, tags, likes, body }) => ({
    blogId: blog.blog.id,
    link,
    title,
    excerpt,
    author: { name: author, role: roleOf(author.en) },
    image: cover,
    category,
    tags,
    publishedAt: Date.parse(date) + publishedHourUtc * 60 * 60 * 1000,
    parts: body,
    likesBefore: likes,
  }));
}

function roleOf(name: string): { en: string; zh: string } {
  return blog.authors.find((author) => author.name.en === name)?.role ?? { en: '', zh: '' };
}
