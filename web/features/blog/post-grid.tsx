import type { ReactNode } from 'react';
import { limits } from '#contract/limits.ts';
import { inLocale } from '#contract/locales.ts';
import type { BlogPostSummary } from '#contract/schemas/blog.ts';
import { cx } from '#ui/cx.ts';
import { formatCalendarDay } from '#ui/format.ts';
import { useLocale, useT } from '#ui/i18n.tsx';
import { Frame, Skeleton, SkeletonText } from '#ui/layout.tsx';
import { Link } from '#ui/link.tsx';
import { useReturnFocus } from '#web/lib/return-focus.ts';
import { urls } from '#web/lib/urls.ts';
import { Picture, pageSizes } from '#web/ui/picture.tsx';

const postGridClass = 'grid gap-x-8 gap-y-12 product:grid-cols-2 menu:grid-cols-3';
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

export function ReturningPosts({ lead = false, children }: { lead?: boolean; children: ReactNode }) {
  return (
    <ul ref={useReturnFocus<HTMLUListElement>(carried)} className={lead ? leadGridClass : postGridClass}>
      {children}
    </ul>
  );
}

interface PostCardProps {
  post: BlogPostSummary;
  leading?: boolean;
  sizes?: string | undefined;
  priority?: boolean;
  as?: 'h2' | 'h3';
}

const leadingSizes = pageSizes(0.65, '(min-width: 60rem) 60vw, 92vw');
const cardSizes = pageSizes(0.32, '(min-width: 60rem) 30vw, (min-width: 48rem) 45vw, 92vw');

const cardClass = 'group/card relative flex flex-col gap-4.5';
const leadingClass = 'menu:grid menu:grid-cols-[minmax(0,8fr)_minmax(0,4fr)] menu:items-center menu:gap-12';
const pictureClass = 'block aspect-3/2 overflow-hidden';
/** The title's link covers the card; the category's link lies above that. */
const titleClass =
  'outline-none after:absolute after:inset-0 focus-visible:after:outline-2 focus-visible:after:outline-focus focus-visible:after:outline-offset-6 group-hover/card:underline group-hover/card:decoration-1';

export function PostCard({
  post,
  leading = false,
  sizes = leading ? leadingSizes : cardSizes,
  ...rest
}: PostCardProps) {
  const { priority = false, as: Heading = 'h3' } = rest;
  const locale = useLocale();
  const { link, title, excerpt, image, blogCategory } = post;
  return (
    <article className={cx(cardClass, leading && leadingClass)} data-item={link}>
      {image && (
        <div className={pictureClass} data-picture>
          <Picture className="h-full" image={image} alt="" sizes={sizes} priority={priority} />
        </div>
      )}
      <div className={cx('flex flex-col gap-2', leading && 'menu:gap-3.5')}>
        {blogCategory && (
          <p className="text-sm">
            <Link
              href={urls.blogCategory(blogCategory.blogCategoryName)}
              className="relative z-1 inline-block py-0.5 text-action hover:underline"
            >
              {inLocale(blogCategory.nameContent, locale)}
            </Link>
          </p>
        )}
        <Heading className={leading ? 'text-2xl' : 'text-xl'}>
          <Link href={urls.blogPost(link)} className={titleClass} data-opens>
            {title}
          </Link>
        </Heading>
        <p className="text-ink-soft">{excerpt}</p>
        <p className="text-ink-soft text-sm">
          <PostMeta post={post} />
        </p>
      </div>
    </article>
  );
}

export function PostCardSkeleton() {
  return (
    <li className={cardClass} aria-hidden="true">
      <span className={cx('skeleton', pictureClass)} />
      <span className="flex flex-col gap-2">
        <span className="skeleton skeleton-line w-2/5" />
        <span className="skeleton skeleton-line w-4/5 text-xl" />
        <span className="skeleton skeleton-line w-4/5" />
        <span className="skeleton skeleton-line w-2/5 text-sm" />
      </span>
    </li>
  );
}

export function PostMeta({ post: { publishedOn, readingMinutes } }: { post: BlogPostSummary }) {
  const t = useT();
  return (
    <>
      <time dateTime={publishedOn}>{formatCalendarDay(publishedOn, useLocale(), 'date')}</time>
      <span aria-hidden="true"> · </span>
      <span>{t('blog.minutes', { count: readingMinutes })}</span>
    </>
  );
}

export function BlogSkeleton() {
  return (
    <Frame className="pt-4 pb-section">
      <SkeletonText lines={1} className="mt-6 max-w-96 text-2xl" />
      <SkeletonText lines={1} className="mt-3 max-w-prose" />
      <Skeleton className="mt-8 mb-8 h-12" />
      <ul className={postGridClass}>
        {Array.from({ length: limits.blogPageSize }, (_, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no identity and never change order
          <PostCardSkeleton key={place} />
        ))}
      </ul>
    </Frame>
  );
}

export function PostSkeleton() {
  return (
    <Frame className="pt-4 pb-section">
      <div className={postHeadClass}>
        <SkeletonText lines={1} className="max-w-32 text-sm" />
        <SkeletonText lines={2} className="mt-4 text-3xl" />
        <SkeletonText lines={2} className="mt-4 text-lg" />
      </div>
      <Skeleton className={postCoverClass} />
      <div className="article">
        <SkeletonText lines={6} />
      </div>
    </Frame>
  );
}
