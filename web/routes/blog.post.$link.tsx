/** SPEC §2: a post of the blog. */
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useLocale } from '#ui/i18n.tsx';
import { PostSkeleton } from '#web/features/blog/blog-skeleton.tsx';
import { postHead } from '#web/features/blog/page-head.ts';
import { postCrumbs } from '#web/features/blog/post-crumbs.ts';
import { PostScreen } from '#web/features/blog/post-screen.tsx';
import { blogsQuery, postQuery } from '#web/features/blog/queries.ts';
import { orNotFound } from '#web/lib/api.ts';
import { useApi } from '#web/lib/api-context.tsx';
import { pageHead } from '#web/lib/head.ts';
import { PostProducts } from './-post-products.tsx';

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
  return <PostScreen key={link} post={post} crumbs={postCrumbs(post, blog, locale)} products={<PostProducts post={post} />} />;
}
