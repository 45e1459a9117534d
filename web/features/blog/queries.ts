import {
  type InfiniteData,
  infiniteQueryOptions,
  type QueryClient,
  type QueryKey,
  useSuspenseQuery,
} from '@tanstack/react-query';
import { notFound } from '@tanstack/react-router';
import { limits } from '#contract/limits.ts';
import type { Blog, BlogPostList } from '#contract/schemas/blog.ts';
import { type ApiClient, callQuery, orNotFound, useApi } from '#web/lib/api.ts';
import { beginAt, listKeptMs } from '#web/lib/paged.ts';

export interface PostFilter {
  categoryName?: string | undefined;
  tagName?: string | undefined;
}

export const blogsQuery = (api: ApiClient) => callQuery(api, 'blogs');

export function useMainBlog(): Blog {
  const [blog] = useSuspenseQuery(blogsQuery(useApi())).data;
  if (!blog) throw notFound();
  return blog;
}

export const blogTagsQuery = (api: ApiClient, storeBlogId: string) =>
  callQuery(api, 'blogTags', { params: { storeBlogId } });

/** Posts in pages counted from 1. `startPage`, where an empty list begins, is not part of the key. */
export function postListQuery(api: ApiClient, storeBlogId: string, filter: PostFilter, startPage = 1) {
  return infiniteQueryOptions<BlogPostList, Error, InfiniteData<BlogPostList, number>, QueryKey, number>({
    queryKey: ['blog', 'posts', api.locale, storeBlogId, filter],
    queryFn: ({ pageParam, signal }) => {
      const startingPosition = (pageParam - 1) * limits.blogPageSize;
      const query = { ...filter, startingPosition, numberToLoad: limits.blogPageSize };
      return api.call('blogPosts', { params: { storeBlogId }, query, signal });
    },
    initialPageParam: startPage,
    getNextPageParam: (last, _pages, page) =>
      last.posts.length < limits.blogPageSize ? undefined : page + 1,
    getPreviousPageParam: (_first, _pages, page) => (page > 1 ? page - 1 : undefined),
    staleTime: 5 * 60_000,
    gcTime: listKeptMs,
  });
}

export const postQuery = (api: ApiClient, link: string) => callQuery(api, 'blogPost', { params: { link } });

export const likesQuery = (api: ApiClient, params: { storeBlogId: string; storeBlogPostId: string }) =>
  callQuery(api, 'blogLikes', { params }, { staleTime: 0 });

interface LoadContext {
  api: ApiClient;
  queryClient: QueryClient;
}

/** Not found: a shop without a blog, or an unknown category or tag. The list of tags is optional. */
export async function loadPosts(
  context: LoadContext,
  filter: PostFilter,
  page = 1,
): Promise<{ blog: Blog; isEmpty: boolean }> {
  const { api, queryClient } = context;
  const [blog] = await queryClient.query({ ...blogsQuery(api), staleTime: 'static' });
  if (!blog) throw notFound();
  const list = postListQuery(api, blog.id, filter, page);
  beginAt(queryClient, list.queryKey, page);
  const [{ pages }] = await Promise.all([
    orNotFound(queryClient.infiniteQuery({ ...list, staleTime: 'static' })),
    queryClient.query({ ...blogTagsQuery(api, blog.id), staleTime: 'static' }).catch(() => undefined),
  ]);
  const isEmpty = pages.every(({ posts }) => posts.length === 0);
  if (isEmpty && page > 1) throw notFound();
  return { blog, isEmpty };
}
