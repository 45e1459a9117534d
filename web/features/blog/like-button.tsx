import type { BlogPostSummary } from '#contract/schemas/blog.ts';
import { ButtonLabel, buttonClass } from '#ui/button.tsx';
import { formatNumber } from '#ui/format.ts';
import { useLocale, useT } from '#ui/i18n.tsx';
import { Icon } from '#ui/icon.tsx';
import { LinkButton } from '#ui/link-button.tsx';
import { heartIcon } from '#ui/page-icons.ts';
import { urls } from '#web/lib/urls.ts';
import { useLikes } from './use-likes.ts';

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
            {/* Fills it from its middle. */}
            <Icon name={heartIcon} size={20} className={filledClass} />
          </span>
          {t('blog.like')} <span className="tabular-nums">{formatNumber(likes, locale)}</span>
        </ButtonLabel>
      </button>
      {failed && <p className="basis-full text-clay text-sm">{t('blog.like.failed')}</p>}
    </>
  );
}
