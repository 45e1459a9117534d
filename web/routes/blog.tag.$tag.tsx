/** SPEC §2: the posts of a tag. */
import { useSuspenseQuery } from '@tanstack/react-query';
import { createFileRoute, notFound } from '@tanstack/react-router';
import { inLocale } from '#contract/locales.ts';
import { BlogScreen } from '#web/features/blog/blog-screen.tsx';
import { checkBlogSearch } from '#web/features/blog/blog-search.ts';
import { BlogSkeleton } from '#web/features/blog/blog-skeleton.tsx';
import { feedLinks } from '#web/features/blog/feed-links.ts';
import { loadPosts } from '#web/features/blog/load-posts.ts';
import { blogsQuery, blogTagsQuery } from '#web/features/blog/queries.ts';
import { useApi } from '#web/lib/api-context.tsx';
import { pageHead } from '#web/lib/head.ts';
import { breadcrumbList, graphOf } from '#web/lib/json-ld.ts';
import { urls } from '#web/lib/urls.ts';

export const Route = createFileRoute('/blog/tag/$tag')({
  validateSearch: checkBlogSearch,
  loaderDeps: ({ search }) => search,
  loader: async ({ context, params: { tag }, deps }) => {
    const { blog, isEmpty } = await loadPosts(context, { tagName: tag }, deps.page);
    const tags = context.queryClient.getQueryData(blogTagsQuery(context.api, blog.id).queryKey);
    const found = tags?.find(({ name }) => name === tag);
    const name = found ? inLocale(found.nameContent, context.locale) : tag;
    return {
      title: context.t('blog.tagged', { name }),
      unlisted: isEmpty,
      blogName: inLocale(blog.nameContent, context.locale),
    };
  },
  head: ({ match, matches, loaderData, params: { tag } }) => {
    if (!loaderData) return pageHead(matches, undefined);
    const { title, blogName } = loaderData;
    const steps = [
      { label: blogName, href: urls.blog() },
      { label: title, href: urls.blogTag(tag) },
    ];
    return pageHead(matches, {
      ...loaderData,
      links: feedLinks(blogName, match.context),
      jsonLd: graphOf(breadcrumbList(steps, match.context)),
    });
  },
  component: BlogTagPage,
  pendingComponent: BlogSkeleton,
});

function BlogTagPage() {
  const { tag } = Route.useParams();
  const { page } = Route.useSearch();
  const { title } = Route.useLoaderData();
  const {
    data: [blog],
  } = useSuspenseQuery(blogsQuery(useApi()));
  if (!blog) throw notFound();
  return <BlogScreen key={tag} blog={blog} filter={{ tagName: tag }} page={page} title={title} />;
}
