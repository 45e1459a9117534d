/** The journal: what was changed, when and by whom, the newest first. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { dateFormat } from '#contract/formatters.ts';
import { type Kind, kinds, type StaffTranslate } from '#contract/staff/messages.ts';
import type { JournalPage } from '#contract/staff/schemas.ts';
import { Button } from '#ui/button.tsx';
import { errorText } from '#ui/errors.ts';
import { useT } from '#ui/i18n.tsx';
import { Select } from '#ui/inputs.tsx';
import { Notice } from '#ui/notice.tsx';
import { useCall } from '../../lib/api.tsx';
import { useLanguage } from '../../lib/i18n.tsx';
import { useMe } from '../../lib/me.tsx';

type Entry = JournalPage['entries'][number];

export default function Journal() {
  const { t, locale } = useLanguage();
  const shared = useT();
  const { shop } = useMe();
  const call = useCall();
  const [kind, setKind] = useState<Kind | ''>('');
  const { data, error, hasNextPage, fetchNextPage, isFetchingNextPage, isPending } = useInfiniteQuery({
    queryKey: ['journal', kind],
    initialPageParam: undefined as number | undefined,
    queryFn: ({ pageParam }) =>
      call('journal', { query: { ...(kind ? { kind } : {}), ...(pageParam === undefined ? {} : { before: pageParam }) } }),
    getNextPageParam: ({ before }) => before ?? undefined,
  });
  const entries = data?.pages.flatMap((page) => page.entries) ?? [];
  const time = dateFormat(locale, { dateStyle: 'medium', timeStyle: 'medium', timeZone: shop.timeZone });
  return (
    <div className="flex max-w-[64rem] flex-col gap-6">
      <header className="flex flex-wrap items-end justify-between gap-4">
        <h1 className="text-2xl">{t('office.journal')}</h1>
        <Select
          className="w-56"
          label={t('office.journalKind')}
          placeholder={t('office.journalAll')}
          options={kinds.map((value) => ({ value, label: t(`kind.${value}`) }))}
          value={kind}
          onChange={(event) => setKind(event.target.value as Kind | '')}
        />
      </header>
      {error && <Notice tone="bad" title={errorText(error, shared)} />}
      {!isPending && entries.length === 0 && <p className="text-ink-soft">{t('journal.none')}</p>}
      <ol className="divide-y divide-line border-line border-y">
        {entries.map((entry) => (
          <li key={entry.no} className="grid gap-x-6 gap-y-1 py-3 form:grid-cols-[13rem_1fr]">
            <p className="text-ink-soft text-sm">
              <time dateTime={new Date(entry.at).toISOString()}>{time.format(entry.at)}</time>
              <span className="block">{actorText(entry, t)}</span>
            </p>
            <div className="min-w-0">
              <p>
                <span className="font-semibold">{entry.action}</span> · {t(`kind.${entry.kind}`)} {entry.id}
              </p>
              <FieldList fields={entry.fields} />
            </div>
          </li>
        ))}
      </ol>
      {hasNextPage && (
        <Button variant="secondary" className="self-center" busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {t('office.journalMore')}
        </Button>
      )}
    </div>
  );
}

function actorText({ actor, by }: Entry, t: StaffTranslate): string {
  return actor === 'staff' ? by || t('office.formerStaff') : t(`journal.by.${actor}`);
}

function FieldList({ fields }: Pick<Entry, 'fields'>) {
  const { t } = useLanguage();
  const text = (value: unknown) => (value === undefined ? t('journal.nothing') : JSON.stringify(value));
  return fields?.map((change) => (
    <p key={change.field} className="break-words text-ink-soft text-sm">
      {'from' in change || 'to' in change
        ? t('journal.field', { field: change.field, from: text(change.from), to: text(change.to) })
        : t('journal.fieldUnkept', { field: change.field })}
    </p>
  ));
}
