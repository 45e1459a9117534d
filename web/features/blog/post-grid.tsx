import type { ReactNode } from 'react';
import type { BlogPostSummary } from '#contract/schemas/blog.ts';
import { useReturnFocus } from '#web/lib/return-focus.ts';
import { leadGridClass, postGridClass } from './post.classes.ts';
import { PostCard, type PostCardProps } from './post-card.tsx';

/** The part of a card that becomes part of the post's page in a view transition. */
const carried = '[data-picture]';

interface PostGridProps extends Pick<PostCardProps, 'as'> {
  posts: readonly BlogPostSummary[];
  /** Two columns, of which the first is wider. */
  lead?: boolean;
}

/** Posts in a grid of three columns. Back from one of them returns to its card. */
export function PostGrid({ posts, as, lead = false }: PostGridProps) {
  return (
    <ReturningPosts lead={lead}>
      {posts.map((post) => (
        <li key={post.id}>
          <PostCard post={post} {...(as ? { as } : {})} />
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
