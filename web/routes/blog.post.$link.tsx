/** SPEC §2: a post of the blog. */
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { inLocale } from '#contract/locales.ts';
import { PostSkeleton } from '#web/features/blog/blog-skeleton.tsx';
import { feedLinks } from '#web/features/blog/feed-links.ts';
import { postJsonLd } from '#web/features/blog/json-ld.ts';
import { postCrumbs } from '#web/features/blog/post-crumbs.ts';
import { PostScreen } from '#web/features/blog/post-screen.tsx';
import { blogsQuery, postQuery } from '#web/features/blog/queries.ts';
import { useLocale } from '#web/i18n/i18n.tsx';
import { useApi } from '#web/lib/api-context.tsx';
import { pageHead } from '#web/lib/head.ts';
import { orNotFound } from '#web/lib/loading.ts';

export const Route = createFileRoute('/blog/post/$link')({
  loader: async ({ context: { api, queryClient }, params: { link } }) => {
    await orNotFound(
      Promise.all([
        queryClient.query({ ...postQuery(api, link), staleTime: 'static' }),
        queryClient.query({ ...blogsQuery(api), staleTime: 'static' }),
      ]),
    );
  },
  head: ({ match, matches, params: { link } }) => {
    const { api, locale, queryClient } = match.context;
    const post = queryClient.getQueryData(postQuery(api, link).queryKey);
    if (!post) return pageHead(matches, undefined);
    const blog = queryClient.getQueryData(blogsQuery(api).queryKey)?.find(({ id }) => id === post.associatedStoreBlog.id);
    return pageHead(matches, {
      title: post.title,
      description: post.excerpt,
      image: post.image,
      openGraphType: 'article',
      jsonLd: postJsonLd(post, postCrumbs(post, blog, locale), match.context),
      links: blog && feedLinks(inLocale(blog.nameContent, locale), match.context),
    });
  },
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
  return <PostScreen key={link} post={post} crumbs={postCrumbs(post, blog, locale)} />;
}
