import { useQuery } from '@tanstack/react-query';
import type { FeedEntry } from '#contract/schemas/feeds.ts';
import { Button } from '#ui/button.tsx';
import { errorText } from '#ui/errors.ts';
import { useT } from '#ui/i18n.tsx';
import { Frame, Section, SkeletonText } from '#ui/layout.tsx';
import type { BlockProps } from '#web/blocks/block-view.ts';
import { feedQuery } from '#web/blocks/queries.ts';
import { useApi } from '#web/lib/api-context.tsx';
import { entryClass, entryListClass, FeedEntries } from './feed-entries.tsx';

/** The latest entries of a feed. If the shop has not read the feed yet, the browser requests it after loading. */
export function RssFeedBlock({ block: { title, uiRssFeed, entries } }: BlockProps<'rssFeed'>) {
  const t = useT();
  return (
    <Frame>
      <Section title={title} unseenTitle={t('block.feed')}>
        {entries ? <Entries entries={entries} /> : <LateEntries url={uiRssFeed.url} count={uiRssFeed.count} />}
      </Section>
    </Frame>
  );
}

function Entries({ entries }: { entries: readonly FeedEntry[] }) {
  const t = useT();
  return entries.length === 0 ? <p className="text-ink-soft">{t('block.feed.empty')}</p> : <FeedEntries entries={entries} />;
}

function LateEntries({ url, count }: { url: string; count: number }) {
  const t = useT();
  const { data, error, isFetching, refetch } = useQuery(feedQuery(useApi(), url));
  if (data) return <Entries entries={data.entries.slice(0, count)} />;
  if (error && !isFetching) {
    return (
      <div role="status">
        <p className="text-ink-soft">{errorText(error, t)}</p>
        <Button variant="quiet" className="-ml-2" onClick={() => void refetch()}>
          {t('list.retry')}
        </Button>
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
