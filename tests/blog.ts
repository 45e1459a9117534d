/** Writes a blog for tests. Posts are an hour apart, the first one is the newest. */
import type { PostInput } from '#server/modules/content/blog/blog-input.ts';
import type { TestApp } from './test-app.ts';

export const blogId = 'notes';
const hourMs = 60 * 60_000;

export function post(testApp: TestApp, number: number, change: Partial<PostInput> = {}): PostInput {
  return {
    blogId,
    link: `post-${number}`,
    title: { en: `Post ${number}`, zh: `第${number}篇` },
    excerpt: { en: `About ${number}`, zh: `说说${number}` },
    author: null,
    image: null,
    category: null,
    tags: [],
    publishedAt: testApp.clock.now() - number * hourMs,
    parts: [{ type: 'paragraph', text: { en: 'Words.', zh: '字。' } }],
    ...change,
  };
}

/** A blog with the categories `brewing` and `care` and the tags `oolong` and `glaze`. */
export async function writeBlog(
  testApp: TestApp,
  posts: readonly PostInput[],
  likes = { users: true, guests: true },
  id = blogId,
): Promise<void> {
  const { editor } = testApp.services.blog;
  const blog = {
    id,
    name: { en: 'Notes', zh: '手记' },
    description: { en: 'What we noted.', zh: '记下的事。' },
    enableUserLike: likes.users,
    enableGuestLike: likes.guests,
    categories: ['brewing', 'care'].map((name) => ({
      id: name,
      name: { en: name, zh: `${name}类` },
      description: { en: '' },
    })),
    tags: ['oolong', 'glaze'].map((name) => ({ id: name, name: { en: name } })),
  };
  await editor.upsertAll(blog, posts);
}
