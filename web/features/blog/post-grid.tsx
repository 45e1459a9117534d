import type { ReactNode } from 'react';
import type { BlogPostSummary } from '#contract/schemas/blog.ts';
import { useReturnFocus } from '#web/lib/return-focus.ts';
import { pageSizes } from '#web/ui/picture.tsx';
import { PostCard, type PostCardProps } from './post-card.tsx';

/** The shapes that posts and their placeholders share. */
export const postGridClass = 'grid gap-x-8 gap-y-12 product:grid-cols-2 menu:grid-cols-3';
/** The pictures of a row have one height, whatever their width. */
const leadGridClass =
  'grid gap-x-6 gap-y-12 menu:grid-cols-[7fr_5fr] menu:*:*:*:data-picture:aspect-auto menu:*:*:*:data-picture:h-104';
export const postHeadClass = 'mx-auto max-w-[50rem] pt-8 pb-10 text-center menu:pt-12 menu:pb-14';
export const postCoverClass = 'aspect-3/2 overflow-hidden menu:aspect-2/1';

/** The part of a card that becomes part of the post's page in a view transition. */
const carried = '[data-picture]';

/** In `leadGridClass`, of the wider column and of the other. Images of 16 by 9 are cropped from a height of 416 px. */
const leadSizes = [pageSizes(0.58, '(min-width: 60rem) 740px, 92vw'), '(min-width: 60rem) 740px, 92vw'];

interface PostGridProps extends Pick<PostCardProps, 'as'> {
  posts: readonly BlogPostSummary[];
  lead?: boolean;
}

/** Posts in a grid of three columns. Back from one of them returns to its card. */
export function PostGrid({ posts, as, lead = false }: PostGridProps) {
  return (
    <ReturningPosts lead={lead}>
      {posts.map((post, index) => (
        <li key={post.id}>
          <PostCard post={post} sizes={lead ? leadSizes[index % 2] : undefined} {...(as ? { as } : {})} />
        </li>
      ))}
    </ReturningPosts>
  );
}

/** The list itself, for screens that fill it page by page. */
export function ReturningPosts({ lead = false, children }: { lead?: boolean; children: ReactNode }) {
  return (
    <ul ref={useReturnFocus<HTMLUListElement>(carried)} className={lead ? leadGridClass : postGridClass}>
      {children}
    </ul>
  );
}
