import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useHydrated } from '@tanstack/react-router';
import { useState } from 'react';
import type { BlogLikes, BlogPostSummary } from '#contract/schemas/blog.ts';
import { announce } from '#ui/announce.tsx';
import { ButtonLabel, buttonClass, LinkButton } from '#ui/button.tsx';
import { formatNumber } from '#ui/format.ts';
import { useLocale, useT } from '#ui/i18n.tsx';
import { Icon } from '#ui/icon.tsx';
import { heartIcon } from '#ui/page-icons.ts';
import { useApi } from '#web/lib/api.ts';
import { urls } from '#web/lib/urls.ts';
import { likesQuery } from './queries.ts';

const filledClass =
  'absolute inset-0 fill-current text-action transition-[clip-path] duration-180 [clip-path:circle(0)] group-aria-pressed:[clip-path:circle(75%)]';
const pressedClass = 'group aria-pressed:border-action aria-pressed:bg-action-tint';

/** SPEC §5, §6: likes a post or removes the like. A visitor who may not like sees the count only. */
export function LikeButton({ post }: { post: BlogPostSummary }) {
  const t = useT();
  const locale = useLocale();
  const { likes, liked, allowed, failed, toggle } = useLikes(post);
  if (allowed === 'no') {
    return (
      <p className="inline-flex min-h-12 items-center gap-2 text-ink-soft">
        <Icon name={heartIcon} size={20} />
        {t('blog.likes', { count: likes })}
      </p>
    );
  }
  if (allowed === 'signIn') {
    return (
      <LinkButton icon={heartIcon} variant="secondary" href={urls.login(urls.blogPost(post.link))}>
        {t('blog.like.signIn')} <span className="tabular-nums">{formatNumber(likes, locale)}</span>
      </LinkButton>
    );
  }
  return (
    <>
      <button
        type="button"
        aria-pressed={liked}
        onClick={toggle}
        className={buttonClass({ variant: 'secondary', className: pressedClass })}
      >
        <ButtonLabel>
          <span className="relative">
            <Icon name={heartIcon} size={20} />
            <Icon name={heartIcon} size={20} className={filledClass} />
          </span>
          {t('blog.like')} <span className="tabular-nums">{formatNumber(likes, locale)}</span>
        </ButtonLabel>
      </button>
      {failed && <p className="basis-full text-clay text-sm">{t('blog.like.failed')}</p>}
    </>
  );
}

interface Likes extends BlogLikes {
  failed: boolean;
  toggle: () => void;
}

/** The likes as in the page, then current. A press shows at once and is reverted if rejected; several reach the shop in order. */
function useLikes(post: BlogPostSummary): Likes {
  const t = useT();
  const api = useApi();
  const client = useQueryClient();
  const which = { storeBlogId: post.associatedStoreBlog.id, storeBlogPostId: post.id };
  const query = likesQuery(api, which);
  const mutationKey = ['blog', 'like', post.id];
  const [failed, setFailed] = useState(false);
  const hydrated = useHydrated();
  const { data } = useQuery(query);
  // The server's page is the same for everybody, so during hydration the visitor likes nothing.
  const known: BlogLikes = (hydrated ? data : undefined) ?? { likes: post.likes, liked: false, allowed: 'yes' };

  const { mutate } = useMutation({
    mutationKey,
    scope: { id: mutationKey.join(' ') },
    mutationFn: (like: boolean) => api.call('likeBlogPost', { params: { ...which, like: like ? 'true' : 'false' } }),
    onSuccess: (answer) => {
      // A later press that is still pending already shows its result.
      if (client.isMutating({ mutationKey }) === 1) client.setQueryData(query.queryKey, answer);
    },
    onError: () => {
      setFailed(true);
      announce(t('blog.like.failed'), 'assertive');
      return client.invalidateQueries({ queryKey: query.queryKey });
    },
  });

  return {
    ...known,
    failed,
    toggle() {
      const liked = !known.liked;
      const likes = Math.max(0, known.likes + (liked ? 1 : -1));
      setFailed(false);
      void client.cancelQueries({ queryKey: query.queryKey });
      client.setQueryData(query.queryKey, { ...known, liked, likes });
      announce(t(liked ? 'blog.liked' : 'blog.unliked', { count: likes }));
      mutate(liked);
    },
  };
}
