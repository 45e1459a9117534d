import { useQuery } from '@tanstack/react-query';
import type { FeedEntry } from '#contract/schemas/feeds.ts';
import { Button } from '#ui/button.tsx';
import { cx } from '#ui/cx.ts';
import { errorText } from '#ui/errors.ts';
import { formatDate } from '#ui/format.ts';
import { useLocale, useT } from '#ui/i18n.tsx';
import { Section, SkeletonText } from '#ui/layout.tsx';
import { Link } from '#ui/link.tsx';
import { BlockFrame, type BlockProps, LinkText } from '#web/blocks/block-view.tsx';
import { type ApiClient, callQuery, useApi } from '#web/lib/api.ts';

/** A feed that the shop had not read when it rendered the page. */
const feedQuery = (api: ApiClient, url: string) => callQuery(api, 'readFeed', { query: { url } });

/** The latest entries of a feed. If the shop has not read the feed yet, the browser requests it after loading. */
export function RssFeedBlock({ block: { title, uiRssFeed, entries } }: BlockProps<'rssFeed'>) {
  const t = useT();
  return (
    <BlockFrame>
      <Section title={title} unseenTitle={t('block.feed')}>
        {entries ? (
          <Entries entries={entries} />
        ) : (
          <LateEntries url={uiRssFeed.url} count={uiRssFeed.count} />
        )}
      </Section>
    </BlockFrame>
  );
}

function Entries({ entries }: { entries: readonly FeedEntry[] }) {
  const t = useT();
  return entries.length === 0 ? (
    <p className="text-ink-soft">{t('block.feed.empty')}</p>
  ) : (
    <FeedEntries entries={entries} />
  );
}

function LateEntries({ url, count }: { url: string; count: number }) {
  const t = useT();
  const { data, error, isFetching, refetch } = useQuery(feedQuery(useApi(), url));
  if (data) return <Entries entries={data.entries.slice(0, count)} />;
  if (error && !isFetching) {
    return (
      <div role="status">
        <p className="text-ink-soft">{errorText(error, t)}</p>
        <Button label={t('list.retry')} variant="quiet" className="-ml-2" onClick={() => void refetch()} />
      </div>
    );
  }
  return (
    <div role="status">
      <span className="sr-only">{t('ui.loading')}</span>
      <ul className={entryListClass} aria-hidden="true">
        {Array.from({ length: count }, (_, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no identity and never change order
          <li key={place} className={entryClass}>
            <SkeletonText lines={4} />
          </li>
        ))}
      </ul>
    </div>
  );
}

/** SPEC §9: the columns change at 860 px. */
const entryListClass = 'grid gap-8 min-[53.75rem]:grid-cols-3 min-[53.75rem]:gap-x-8 min-[53.75rem]:gap-y-10';
const entryClass = 'border-line border-t pt-4';

/** Entries side by side from 860 px (SPEC §9), stacked below that. All content is plain text. */
function FeedEntries({ entries }: { entries: readonly FeedEntry[] }) {
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
              <Link
                href={link}
                className="after:absolute after:inset-0 focus-visible:underline group-hover:underline"
              >
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
