import { createFileRoute } from '@tanstack/react-router';
import { inLocale } from '#contract/locales.ts';
import { BlogScreen } from '#web/features/blog/blog-screen.tsx';
import { narrowedHead } from '#web/features/blog/page-head.ts';
import { BlogSkeleton } from '#web/features/blog/post-grid.tsx';
import { blogTagsQuery, loadPosts, useMainBlog } from '#web/features/blog/queries.ts';
import { pageHead } from '#web/lib/head.ts';
import { checkPageSearch } from '#web/lib/paged.ts';
import { urls } from '#web/lib/urls.ts';

export const Route = createFileRoute('/blog/tag/$tag')({
  validateSearch: checkPageSearch,
  loaderDeps: ({ search }) => search,
  loader: async ({ context, params: { tag }, deps }) => {
    const { blog, isEmpty } = await loadPosts(context, { tagName: tag }, deps.page);
    const tags = context.queryClient.getQueryData(blogTagsQuery(context.api, blog.id).queryKey);
    const found = tags?.find(({ name }) => name === tag);
    const name = found ? inLocale(found.nameContent, context.locale) : tag;
    return narrowedHead(
      blog,
      { title: context.t('blog.tagged', { name }), href: urls.blogTag(tag) },
      isEmpty,
      context,
    );
  },
  head: ({ matches, loaderData }) => pageHead(matches, loaderData),
  component: BlogTagPage,
  pendingComponent: BlogSkeleton,
});

function BlogTagPage() {
  const { tag } = Route.useParams();
  const { page } = Route.useSearch();
  const { title } = Route.useLoaderData();
  return <BlogScreen key={tag} blog={useMainBlog()} filter={{ tagName: tag }} page={page} title={title} />;
}
