/** What becomes of each thing in a file: its differences, and its problems by row and column. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { StaffResponse } from '#contract/staff/endpoints.ts';
import type { ImportOutcome, ImportState } from '#contract/staff/imports.ts';
import { Button } from '#ui/button.tsx';
import { errorText } from '#ui/errors.ts';
import { useT } from '#ui/i18n.tsx';
import { Notice } from '#ui/notice.tsx';
import { useCall } from '../../lib/api.tsx';
import { useLanguage } from '../../lib/i18n.tsx';
import { outcomes } from './imports.tsx';

type Row = StaffResponse<'importRows'>['rows'][number];

export function ImportRows({ id, counts }: { id: string; counts: ImportState['counts'] }) {
  const { t, locale } = useLanguage();
  const shared = useT();
  const call = useCall();
  const there = outcomes.filter((each) => counts[each] > 0);
  const [outcome, setOutcome] = useState<ImportOutcome | undefined>(counts.problem > 0 ? 'problem' : there[0]);
  const { data, error, hasNextPage, fetchNextPage, isFetching } = useInfiniteQuery({
    queryKey: ['import', id, 'rows', outcome],
    initialPageParam: undefined as number | undefined,
    queryFn: ({ pageParam }) =>
      call('importRows', {
        params: { import: id },
        query: { ...(outcome && { outcome }), ...(pageParam !== undefined && { after: pageParam }) },
      }),
    getNextPageParam: ({ next }) => next ?? undefined,
  });
  if (there.length === 0) return null;
  return (
    <section className="flex flex-col gap-4">
      <fieldset className="flex flex-wrap gap-2">
        <legend className="sr-only">{t('office.imports.outcomes')}</legend>
        {there.map((each) => (
          <Button
            key={each}
            size="small"
            variant={each === outcome ? 'primary' : 'secondary'}
            aria-pressed={each === outcome}
            onClick={() => setOutcome(each)}
          >
            {t(`office.imports.outcome.${each}`)} · {counts[each].toLocaleString(locale)}
          </Button>
        ))}
      </fieldset>
      {error && <Notice tone="bad" title={errorText(error, shared)} />}
      <ul className="divide-y divide-line border-line border-y empty:hidden">
        {data?.pages.flatMap(({ rows }) =>
          rows.map((row) => (
            <li key={`${row.subject} ${row.line}`} className="flex flex-col gap-2 py-3">
              <RowWords row={row} />
            </li>
          )),
        )}
      </ul>
      {hasNextPage && (
        <Button variant="secondary" className="self-start" busy={isFetching} onClick={() => void fetchNextPage()}>
          {t('office.imports.more')}
        </Button>
      )}
    </section>
  );
}

function RowWords({ row: { subject, line, fields, problems } }: { row: Row }) {
  const { t } = useLanguage();
  const value = (text: string) => text || t('office.imports.empty');
  return (
    <>
      <p className="flex flex-wrap gap-x-3">
        <span className="break-all font-semibold">{subject}</span>
        <span className="text-ink-soft">{t('office.imports.row', { line })}</span>
      </p>
      <ul className="text-sm empty:hidden">
        {problems.map(({ text, warning }) => (
          <li key={text} className={warning ? 'break-words text-ink-soft' : 'break-words text-bad'}>
            {text}
          </li>
        ))}
      </ul>
      <ul className="text-sm empty:hidden">
        {fields.map(({ field, from, to }) => (
          <li key={field} className="break-words">
            {field}: <del className="text-ink-soft">{value(from)}</del> → <ins className="no-underline">{value(to)}</ins>
          </li>
        ))}
      </ul>
    </>
  );
}
