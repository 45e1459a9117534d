import type { BlogPostSummary } from '#contract/schemas/blog.ts';
import { useLocale, useT } from '#web/i18n/i18n.tsx';
import { formatDate } from '#web/lib/format.ts';

/** The day it was published, and how long it takes to read. */
export function PostMeta({ post: { publishedOn, readingMinutes } }: { post: BlogPostSummary }) {
  const t = useT();
  return (
    <>
      {/* A day without a time is the same in every zone when it is read and written in one. */}
      <time dateTime={publishedOn}>{formatDate(Date.parse(publishedOn), useLocale(), 'UTC', 'date')}</time>
      <span aria-hidden="true"> · </span>
      <span>{t('blog.minutes', { count: readingMinutes })}</span>
    </>
  );
}
