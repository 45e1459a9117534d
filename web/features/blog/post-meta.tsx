import type { BlogPostSummary } from '#contract/schemas/blog.ts';
import { useLocale, useT } from '#web/i18n/i18n.tsx';
import { formatCalendarDay } from '#web/lib/format.ts';

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
