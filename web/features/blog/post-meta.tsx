import type { BlogPostSummary } from '#contract/schemas/blog.ts';
import { formatCalendarDay } from '#ui/format.ts';
import { useLocale, useT } from '#ui/i18n.tsx';

/** The date of publication and the reading time. */
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
