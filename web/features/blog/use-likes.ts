import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useHydrated } from '@tanstack/react-router';
import { useState } from 'react';
import type { BlogLikes, BlogPostSummary } from '#contract/schemas/blog.ts';
import { useT } from '#web/i18n/i18n.tsx';
import { useApi } from '#web/lib/api-context.tsx';
import { announce } from '#web/ui/announce.ts';
import { likesQuery } from './queries.ts';

export interface Likes extends BlogLikes {
  /** The last change could not be saved, and was taken back. */
  failed: boolean;
  toggle: () => void;
}

/**
 * Who likes a post: as the page knows it at first, then as of now. A press shows at once and is taken
 * back where the shop refuses it; presses in a row reach the shop in their order, so that the last one holds.
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
  // The page is everybody's: while it is taken over, nobody likes anything.
  const known: BlogLikes = (hydrated ? data : undefined) ?? { likes: post.likes, liked: false, allowed: 'yes' };

  const { mutate } = useMutation({
    mutationKey,
    scope: { id: mutationKey.join(' ') },
    mutationFn: (like: boolean) => api.call('likeBlogPost', { params: { ...which, like: like ? 'true' : 'false' } }),
    onSuccess: (answer) => {
      // A later press that is still under way already shows what it will be.
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
