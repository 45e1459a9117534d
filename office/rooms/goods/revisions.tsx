/** What was changed of a product, from what to what, and going back to how it was. */
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { dateFormat } from '#contract/formatters.ts';
import type { ProductRevisions } from '#contract/staff/goods.ts';
import { didText } from '#contract/staff/messages.ts';
import { Button } from '#ui/button.tsx';
import type { OpenDocument } from '../../lib/document.tsx';
import { MoreButton, usePages } from '../../lib/lists.tsx';
import { useOffice } from '../../lib/me.tsx';
import { Problem } from '../../lib/send-form.tsx';

type Revision = ProductRevisions['revisions'][number];

type Words = Pick<OpenDocument, 'labelOf' | 'textOf'>;

export function Revisions({ id, document }: { id: string; document: Words }) {
  const { t, call, may, queries } = useOffice();
  const [isOpen, setIsOpen] = useState(false);
  const list = usePages(
    // Below the product's, so that it is read again with it.
    ['product', id, 'revisions'],
    (from) => call('productRevisions', { params: { product: id }, query: from }),
    ({ before }) => (before === null ? null : { before }),
    isOpen,
  );
  const restore = useMutation({
    mutationFn: (revision: number) => call('restoreProduct', { params: { product: id }, body: { revision } }),
    onSuccess: (answer) => {
      queries.setQueryData(['product', id], answer);
      void queries.invalidateQueries({ queryKey: ['product', id, 'revisions'] });
      void queries.invalidateQueries({ queryKey: ['goods'] });
    },
  });
  const revisions = list.pages.flatMap((page) => page.revisions);
  const firstLost = revisions.findIndex(({ isKept }) => !isKept);
  const wayBack = firstLost < 0 ? revisions.length : firstLost + 1;
  const problem = restore.error ?? list.error;
  return (
    <details onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary className="flex min-h-11 cursor-pointer items-center font-semibold">{t('office.goods.revisions')}</summary>
      <Problem error={problem} />
      <ol className="divide-y divide-line">
        {revisions.map((revision, index) => (
          <RevisionRow
            key={revision.no}
            {...{ revision, document }}
            busy={restore.isPending}
            onRestore={
              index > 0 && index < wayBack && may.includes('goods.write') ? () => restore.mutate(revision.no) : undefined
            }
          />
        ))}
      </ol>
      <MoreButton list={list} size="small" label={t('office.journalMore')} />
    </details>
  );
}

interface RevisionRowProps {
  revision: Revision;
  document: Words;
  busy: boolean;
  onRestore: (() => void) | undefined;
}

function RevisionRow({ revision: { at, actor, by, action, fields }, document, busy, onRestore }: RevisionRowProps) {
  const { t, locale, shop } = useOffice();
  const when = dateFormat(locale, { dateStyle: 'medium', timeStyle: 'short', hourCycle: 'h23', timeZone: shop.timeZone }).format(
    at,
  );
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
              <dt className="inline text-ink-soft">{document.labelOf(path)}: </dt>
              <dd className="inline break-words">
                <del>{shortened(document.textOf(path, from))}</del> →{' '}
                <ins className="no-underline">{shortened(document.textOf(path, to))}</ins>
              </dd>
            </div>
          ))}
        </dl>
      </div>
      {onRestore && (
        <Button
          label={t('office.goods.restore')}
          variant="secondary"
          size="small"
          busy={busy}
          aria-label={`${t('office.goods.restore')}: ${when}`}
          onClick={onRestore}
        />
      )}
    </li>
  );
}

const longest = 300;
const shortened = (text: string) => (text.length > longest ? `${text.slice(0, longest)} …` : text);
