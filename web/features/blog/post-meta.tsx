import type { BlogPostSummary } from '#contract/schemas/blog.ts';
import { useLocale, useT } from '#web/i18n/i18n.tsx';
import { formatDate } from '#web/lib/format.ts';

/** The date of publication and the reading time. */
export function PostMeta({ post: { publishedOn, readingMinutes } }: { post: BlogPostSummary }) {
  const t = useT();
  return (
    <>
      {/* A date without a time is the same in every zone if it is parsed and formatted in the same zone. */}
      <time dateTime={publishedOn}>{formatDate(Date.parse(publishedOn), useLocale(), 'UTC', 'date')}</time>
      <span aria-hidden="true"> · </span>
      <span>{t('blog.minutes', { count: readingMinutes })}</span>
    </>
  );
}
