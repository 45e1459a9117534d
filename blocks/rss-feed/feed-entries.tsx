import type { FeedEntry } from '#contract/schemas/feeds.ts';
import { cx } from '#ui/cx.ts';
import { formatDate } from '#ui/format.ts';
import { useLocale } from '#ui/i18n.tsx';
import { Link } from '#ui/link.tsx';
import { LinkText } from '#web/blocks/link-text.tsx';

/** SPEC §9: the columns change at 860 px. */
export const entryListClass = 'grid gap-8 min-[53.75rem]:grid-cols-3 min-[53.75rem]:gap-x-8 min-[53.75rem]:gap-y-10';
export const entryClass = 'border-line border-t pt-4';

/** Entries side by side from 860 px (SPEC §9), stacked below that. All content is plain text. */
export function FeedEntries({ entries }: { entries: readonly FeedEntry[] }) {
  const locale = useLocale();
  return (
    <ul className={entryListClass}>
      {entries.map(({ title, link, summary, publishedAt, publishedOn }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two entries of a feed may be equal in everything they show
        <li key={index} className={cx('group relative', entryClass)}>
          {publishedAt !== null && (
            <p className="text-sm text-ink-soft">
              <time dateTime={new Date(publishedAt).toISOString()}>
                {formatDate(publishedOn ? Date.parse(publishedOn) : publishedAt, locale, 'UTC', 'date')}
              </time>
            </p>
          )}
          <h3 className="mt-1">
            {link ? (
              <Link href={link} className="after:absolute after:inset-0 focus-visible:underline group-hover:underline">
                <LinkText href={link}>{title || summary}</LinkText>
              </Link>
            ) : (
              title || summary
            )}
          </h3>
          {title && summary && <p className="mt-2 text-ink-soft">{summary}</p>}
        </li>
      ))}
    </ul>
  );
}
