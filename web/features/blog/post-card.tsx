import { inLocale } from '#contract/locales.ts';
import type { BlogPostSummary } from '#contract/schemas/blog.ts';
import { useLocale } from '#web/i18n/i18n.tsx';
import { Link } from '#web/lib/link.tsx';
import { urls } from '#web/lib/urls.ts';
import { cx } from '#web/ui/cx.ts';
import { Picture } from '#web/ui/picture.tsx';
import { PostMeta } from './post-meta.tsx';

export interface PostCardProps {
  post: BlogPostSummary;
  /** The first of a list: its picture fills the row, or two thirds of it beside the words. */
  leading?: boolean;
  /** For pictures of the first screen. */
  priority?: boolean;
  /** One below the heading that stands above the cards. */
  as?: 'h2' | 'h3';
}

const sizes = {
  leading: '(min-width: 88rem) 820px, (min-width: 60rem) 60vw, 92vw',
  card: '(min-width: 88rem) 416px, (min-width: 60rem) 30vw, (min-width: 48rem) 45vw, 92vw',
};

/** A post in a list. The title's link covers the card; its category is a link of its own. */
export function PostCard({ post, leading = false, priority = false, as: Heading = 'h3' }: PostCardProps) {
  const locale = useLocale();
  const { link, title, excerpt, image, blogCategory } = post;
  return (
    <article className={cx('post-card', leading && 'post-card-leading')} data-item={link}>
      {image && (
        <div className="post-card-picture">
          <Picture image={image} alt="" sizes={leading ? sizes.leading : sizes.card} priority={priority} />
        </div>
      )}
      <div className="post-card-words">
        {blogCategory && (
          <p className="text-sm">
            <Link href={urls.blogCategory(blogCategory.blogCategoryName)} className="post-card-category">
              {inLocale(blogCategory.nameContent, locale)}
            </Link>
          </p>
        )}
        <Heading className={leading ? 'text-2xl' : 'text-xl'}>
          <Link href={urls.blogPost(link)} className="post-card-title" data-opens>
            {title}
          </Link>
        </Heading>
        <p className="post-card-excerpt">{excerpt}</p>
        <p className="text-ink-soft text-sm">
          <PostMeta post={post} />
        </p>
      </div>
    </article>
  );
}

/** A card's place while it loads. */
export function PostCardSkeleton() {
  return (
    <li className="post-card" aria-hidden="true">
      <span className="skeleton post-card-picture" />
      <span className="post-card-words">
        <span className="skeleton skeleton-line skeleton-short" />
        <span className="skeleton skeleton-line skeleton-wide text-xl" />
        <span className="skeleton skeleton-line skeleton-wide" />
        <span className="skeleton skeleton-line skeleton-short text-sm" />
      </span>
    </li>
  );
}
