import type { QueryClient } from '@tanstack/react-query';
import { notFound } from '@tanstack/react-router';
import type { Blog } from '#contract/schemas/blog.ts';
import { type ApiClient, orNotFound } from '#web/lib/api.ts';
import { beginAt } from '#web/lib/paged.ts';
import { blogsQuery, blogTagsQuery, type PostFilter, postListQuery } from './queries.ts';

interface LoadContext {
  api: ApiClient;
  queryClient: QueryClient;
}

/**
 * Loads what the first view of a list of posts needs. Not found: a shop without a blog, or a category or tag that the blog does
 * not have. Tags are optional; a list without them is still shown.
 */
export async function loadPosts(context: LoadContext, filter: PostFilter, page = 1): Promise<{ blog: Blog; isEmpty: boolean }> {
  const { api, queryClient } = context;
  const [blog] = await queryClient.query({ ...blogsQuery(api), staleTime: 'static' });
  if (!blog) throw notFound();
  const list = postListQuery(api, blog.id, filter, page);
  beginAt(queryClient, list.queryKey, page);
  const [{ pages }] = await Promise.all([
    orNotFound(queryClient.infiniteQuery({ ...list, staleTime: 'static' })),
    queryClient.query({ ...blogTagsQuery(api, blog.id), staleTime: 'static' }).catch(() => undefined),
  ]);
  return { blog, isEmpty: pages.every(({ posts }) => posts.length === 0) };
}
