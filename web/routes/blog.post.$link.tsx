import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import type { BlogPost } from '#contract/schemas/blog.ts';
import { useLocale, useT } from '#ui/i18n.tsx';
import { Section } from '#ui/layout.tsx';
import { postCrumbs, postHead } from '#web/features/blog/page-head.ts';
import { PostSkeleton } from '#web/features/blog/post-grid.tsx';
import { PostScreen } from '#web/features/blog/post-screen.tsx';
import { blogsQuery, postQuery } from '#web/features/blog/queries.ts';
import { CardGrid } from '#web/features/catalogue/product-card.tsx';
import { orNotFound, useApi } from '#web/lib/api.ts';
import { pageHead } from '#web/lib/head.ts';

export const Route = createFileRoute('/blog/post/$link')({
  loader: async ({ context, params: { link } }) => {
    const { api, queryClient } = context;
    const [post, blogs] = await orNotFound(
      Promise.all([
        queryClient.query({ ...postQuery(api, link), staleTime: 'static' }),
        queryClient.query({ ...blogsQuery(api), staleTime: 'static' }),
      ]),
    );
    const blog = blogs.find(({ id }) => id === post.associatedStoreBlog.id);
    return postHead(post, blog, context);
  },
  head: ({ matches, loaderData }) => pageHead(matches, loaderData),
  component: PostPage,
  pendingComponent: PostSkeleton,
});

function PostPage() {
  const { link } = Route.useParams();
  const api = useApi();
  const locale = useLocale();
  const { data: post } = useSuspenseQuery(postQuery(api, link));
  const { data: blogs } = useQuery(blogsQuery(api));
  const blog = blogs?.find(({ id }) => id === post.associatedStoreBlog.id);
  return (
    <PostScreen
      key={link}
      post={post}
      crumbs={postCrumbs(post, blog, locale)}
      products={<PostProducts post={post} />}
    />
  );
}

/** One row on a desktop, two on a phone. */
const most = 4;

/** The products that a post shows, each once, after its text. Nothing if it shows none. */
function PostProducts({ post: { blogPage } }: { post: BlogPost }) {
  const t = useT();
  const products = new Map(
    blogPage.parts.flatMap((part) => (part.type === 'product' ? [[part.product.id, part.product]] : [])),
  );
  if (products.size === 0) return null;
  return (
    <Section title={t('blog.products')}>
      <CardGrid products={[...products.values()].slice(0, most)} />
    </Section>
  );
}
