/** SPEC §2: the blog. */
import { useSuspenseQuery } from '@tanstack/react-query';
import { createFileRoute, notFound } from '@tanstack/react-router';
import { inLocale } from '#contract/locales.ts';
import { BlogScreen } from '#web/features/blog/blog-screen.tsx';
import { checkBlogSearch } from '#web/features/blog/blog-search.ts';
import { BlogSkeleton } from '#web/features/blog/blog-skeleton.tsx';
import { feedLinks } from '#web/features/blog/feed-links.ts';
import { blogJsonLd } from '#web/features/blog/json-ld.ts';
import { loadPosts } from '#web/features/blog/load-posts.ts';
import { blogsQuery } from '#web/features/blog/queries.ts';
import { useApi } from '#web/lib/api-context.tsx';
import { pageHead } from '#web/lib/head.ts';

const filter = {};

export const Route = createFileRoute('/blog/')({
  validateSearch: checkBlogSearch,
  loaderDeps: ({ search }) => search,
  loader: async ({ context, deps }) => {
    const { blog, isEmpty } = await loadPosts(context, filter, deps.page);
    const title = inLocale(blog.nameContent, context.locale);
    return { title, description: blog.description, unlisted: isEmpty };
  },
  head: ({ match, matches, loaderData }) =>
    pageHead(
      matches,
      loaderData && {
        ...loaderData,
        links: feedLinks(loaderData.title, match.context),
        jsonLd: blogJsonLd(loaderData, match.context),
      },
    ),
  component: BlogPage,
  pendingComponent: BlogSkeleton,
});

function BlogPage() {
  const { page } = Route.useSearch();
  const { title, description } = Route.useLoaderData();
  const {
    data: [blog],
  } = useSuspenseQuery(blogsQuery(useApi()));
  if (!blog) throw notFound();
  return <BlogScreen blog={blog} filter={filter} page={page} title={title} lead={description} />;
}
