/** SPEC §2: the posts of a category. */
import { useSuspenseQuery } from '@tanstack/react-query';
import { createFileRoute, notFound } from '@tanstack/react-router';
import { inLocale } from '#contract/locales.ts';
import { BlogScreen } from '#web/features/blog/blog-screen.tsx';
import { checkBlogSearch } from '#web/features/blog/blog-search.ts';
import { BlogSkeleton } from '#web/features/blog/blog-skeleton.tsx';
import { feedLinks } from '#web/features/blog/feed-links.ts';
import { loadPosts } from '#web/features/blog/load-posts.ts';
import { blogsQuery } from '#web/features/blog/queries.ts';
import { useApi } from '#web/lib/api-context.tsx';
import { pageHead } from '#web/lib/head.ts';
import { breadcrumbList, graphOf } from '#web/lib/json-ld.ts';
import { urls } from '#web/lib/urls.ts';

export const Route = createFileRoute('/blog/cat/$cat')({
  validateSearch: checkBlogSearch,
  loaderDeps: ({ search }) => search,
  loader: async ({ context, params: { cat }, deps }) => {
    const { blog, isEmpty } = await loadPosts(context, { categoryName: cat }, deps.page);
    const category = blog.categories.find(({ blogCategoryName }) => blogCategoryName === cat);
    if (!category) throw notFound();
    const title = inLocale(category.nameContent, context.locale);
    return { title, description: category.description, unlisted: isEmpty, blogName: inLocale(blog.nameContent, context.locale) };
  },
  head: ({ match, matches, loaderData, params: { cat } }) => {
    if (!loaderData) return pageHead(matches, undefined);
    const { title, blogName } = loaderData;
    const steps = [
      { label: blogName, href: urls.blog() },
      { label: title, href: urls.blogCategory(cat) },
    ];
    return pageHead(matches, {
      ...loaderData,
      links: feedLinks(blogName, match.context),
      jsonLd: graphOf(breadcrumbList(steps, match.context)),
    });
  },
  component: BlogCategoryPage,
  pendingComponent: BlogSkeleton,
});

function BlogCategoryPage() {
  const { cat } = Route.useParams();
  const { page } = Route.useSearch();
  const { title, description } = Route.useLoaderData();
  const {
    data: [blog],
  } = useSuspenseQuery(blogsQuery(useApi()));
  if (!blog) throw notFound();
  return <BlogScreen key={cat} blog={blog} filter={{ categoryName: cat }} page={page} title={title} lead={description} />;
}
