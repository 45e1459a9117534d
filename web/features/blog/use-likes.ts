import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useHydrated } from '@tanstack/react-router';
import { useState } from 'react';
import type { BlogLikes, BlogPostSummary } from '#contract/schemas/blog.ts';
import { announce } from '#ui/announce.tsx';
import { useT } from '#ui/i18n.tsx';
import { useApi } from '#web/lib/api-context.tsx';
import { likesQuery } from './queries.ts';

export interface Likes extends BlogLikes {
  /** The last change could not be saved and was reverted. */
  failed: boolean;
  toggle: () => void;
}

/**
 * The likes of a post: first as in the page, then current. A press shows at once and is reverted if the shop rejects it;
 * several presses reach the shop in order, so that the last one counts.
 */
export function useLikes(post: BlogPostSummary): Likes {
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
