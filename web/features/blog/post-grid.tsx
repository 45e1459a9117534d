import type { ReactNode } from 'react';
import type { BlogPostSummary } from '#contract/schemas/blog.ts';
import { useReturnFocus } from '#web/lib/return-focus.ts';
import { pageSizes } from '#web/ui/page-sizes.ts';
import { leadGridClass, postGridClass } from './post.classes.ts';
import { PostCard, type PostCardProps } from './post-card.tsx';

/** The part of a card that becomes part of the post's page in a view transition. */
const carried = '[data-picture]';

/** In `leadGridClass`, of the wider column and of the other. Images of 16 by 9 are cropped from a height of 416 px. */
const leadSizes = [pageSizes(0.58, '(min-width: 60rem) 740px, 92vw'), '(min-width: 60rem) 740px, 92vw'];

interface PostGridProps extends Pick<PostCardProps, 'as'> {
  posts: readonly BlogPostSummary[];
  /** Two columns, of which the first is wider. */
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
