import { createFileRoute, notFound } from '@tanstack/react-router';
import { inLocale } from '#contract/locales.ts';
import { BlogScreen } from '#web/features/blog/blog-screen.tsx';
import { narrowedHead } from '#web/features/blog/page-head.ts';
import { BlogSkeleton } from '#web/features/blog/post-grid.tsx';
import { loadPosts, useMainBlog } from '#web/features/blog/queries.ts';
import { pageHead } from '#web/lib/head.ts';
import { checkPageSearch } from '#web/lib/paged.ts';
import { urls } from '#web/lib/urls.ts';

export const Route = createFileRoute('/blog/cat/$cat')({
  validateSearch: checkPageSearch,
  loaderDeps: ({ search }) => search,
  loader: async ({ context, params: { cat }, deps }) => {
    const { blog, isEmpty } = await loadPosts(context, { categoryName: cat }, deps.page);
    const category = blog.categories.find(({ blogCategoryName }) => blogCategoryName === cat);
    if (!category) throw notFound();
    const { nameContent, description } = category;
    const about = { title: inLocale(nameContent, context.locale), description, href: urls.blogCategory(cat) };
    return narrowedHead(blog, about, isEmpty, context);
  },
  head: ({ matches, loaderData }) => pageHead(matches, loaderData),
  component: BlogCategoryPage,
  pendingComponent: BlogSkeleton,
});

function BlogCategoryPage() {
  const { cat } = Route.useParams();
  const { page } = Route.useSearch();
  const { title, description } = Route.useLoaderData();
  return (
    <BlogScreen
      key={cat}
      blog={useMainBlog()}
      filter={{ categoryName: cat }}
      page={page}
      title={title}
      lead={description}
    />
  );
}
