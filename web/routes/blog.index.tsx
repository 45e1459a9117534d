import { createFileRoute } from '@tanstack/react-router';
import { BlogScreen } from '#web/features/blog/blog-screen.tsx';
import { blogHead } from '#web/features/blog/page-head.ts';
import { BlogSkeleton } from '#web/features/blog/post-grid.tsx';
import { loadPosts, useMainBlog } from '#web/features/blog/queries.ts';
import { pageHead } from '#web/lib/head.ts';
import { checkPageSearch } from '#web/lib/paged.ts';

const filter = {};

export const Route = createFileRoute('/blog/')({
  validateSearch: checkPageSearch,
  loaderDeps: ({ search }) => search,
  loader: async ({ context, deps }) => {
    const { blog, isEmpty } = await loadPosts(context, filter, deps.page);
    return blogHead(blog, isEmpty, context);
  },
  head: ({ matches, loaderData }) => pageHead(matches, loaderData),
  component: BlogPage,
  pendingComponent: BlogSkeleton,
});

function BlogPage() {
  const { page } = Route.useSearch();
  const { title, description } = Route.useLoaderData();
  return <BlogScreen blog={useMainBlog()} filter={filter} page={page} title={title} lead={description} />;
}
