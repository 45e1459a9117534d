/** What was changed of a product, from what to what, and going back to how it was. */
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { dateFormat } from '#contract/formatters.ts';
import type { ProductRevisions } from '#contract/staff/goods.ts';
import { didText } from '#contract/staff/messages.ts';
import { Button } from '#ui/button.tsx';
import { errorText } from '#ui/errors.ts';
import { useT } from '#ui/i18n.tsx';
import { Notice } from '#ui/notice.tsx';
import { useCall } from '../../lib/api.ts';
import type { Path } from '../../lib/document.tsx';
import { valueText } from '../../lib/document-form.tsx';
import { useLanguage } from '../../lib/i18n.tsx';
import { useMe } from '../../lib/me.tsx';

type Revision = ProductRevisions['revisions'][number];

export function Revisions({ id, labelOf }: { id: string; labelOf: (path: Path) => string }) {
  const { t } = useLanguage();
  const shared = useT();
  const { may } = useMe();
  const call = useCall();
  const queries = useQueryClient();
  const [isOpen, setIsOpen] = useState(false);
  const { data, error, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    // Below the product's, so that it is read again with it.
    queryKey: ['product', id, 'revisions'],
    enabled: isOpen,
    initialPageParam: undefined as number | undefined,
    queryFn: ({ pageParam: before }) =>
      call('productRevisions', { params: { product: id }, query: before === undefined ? {} : { before } }),
    getNextPageParam: ({ before }) => before ?? undefined,
  });
  const restore = useMutation({
    mutationFn: (revision: number) => call('restoreProduct', { params: { product: id }, body: { revision } }),
    onSuccess: (answer) => {
      queries.setQueryData(['product', id], answer);
      void queries.invalidateQueries({ queryKey: ['product', id, 'revisions'] });
      void queries.invalidateQueries({ queryKey: ['goods'] });
    },
  });
  const revisions = data?.pages.flatMap((page) => page.revisions) ?? [];
  const firstLost = revisions.findIndex(({ isKept }) => !isKept);
  const wayBack = firstLost < 0 ? revisions.length : firstLost + 1;
  const problem = restore.error ?? error;
  return (
    <details onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary className="flex min-h-11 cursor-pointer items-center font-semibold">{t('office.goods.revisions')}</summary>
      {problem && <Notice tone="bad" title={errorText(problem, shared)} />}
      <ol className="divide-y divide-line">
        {revisions.map((revision, index) => (
          <RevisionRow
            key={revision.no}
            {...{ revision, labelOf }}
            busy={restore.isPending}
            onRestore={
              index > 0 && index < wayBack && may.includes('goods.write') ? () => restore.mutate(revision.no) : undefined
            }
          />
        ))}
      </ol>
      {hasNextPage && (
        <Button variant="secondary" size="small" busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {t('office.journalMore')}
        </Button>
      )}
    </details>
  );
}

interface RevisionRowProps {
  revision: Revision;
  labelOf: (path: Path) => string;
  busy: boolean;
  onRestore: (() => void) | undefined;
}

function RevisionRow({ revision: { at, actor, by, action, fields }, labelOf, busy, onRestore }: RevisionRowProps) {
  const { t, locale } = useLanguage();
  const { timeZone } = useMe().shop;
  const when = dateFormat(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone }).format(at);
  const who = actor === 'staff' ? by || t('office.formerStaff') : t(`journal.by.${actor}`);
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2 py-3">
      <div className="min-w-0 flex-1 basis-64">
        <p className="text-sm">
          <span className="font-semibold">{didText(t, action)}</span>{' '}
          <span className="text-ink-soft">
            <time dateTime={new Date(at).toISOString()}>{when}</time> · {who}
          </span>
        </p>
        <dl className="text-sm empty:hidden">
          {fields?.map(({ path, from, to }) => (
            <div key={path.join('.')} className="mt-1">
              <dt className="inline text-ink-soft">{labelOf(path)}: </dt>
              <dd className="inline break-words">
                <del>{shortened(valueText(from, locale))}</del> →{' '}
                <ins className="no-underline">{shortened(valueText(to, locale))}</ins>
              </dd>
            </div>
          ))}
        </dl>
      </div>
      {onRestore && (
        <Button
          variant="secondary"
          size="small"
          busy={busy}
          aria-label={`${t('office.goods.restore')}: ${when}`}
          onClick={onRestore}
        >
          {t('office.goods.restore')}
        </Button>
      )}
    </li>
  );
}

const longest = 300;
const shortened = (text: string) => (text.length > longest ? `${text.slice(0, longest)} …` : text);
