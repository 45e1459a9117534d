/** What was changed of a document, from what to what, and going back to how it was. */
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { dateFormat } from '#contract/formatters.ts';
import type { Revisions as Page } from '#contract/staff/documents.ts';
import { didText } from '#contract/staff/messages.ts';
import { Button } from '#ui/button.tsx';
import type { OpenDocument } from './document.tsx';
import { MoreButton, usePages } from './lists.tsx';
import { useOffice } from './me.tsx';
import { Problem } from './send-form.tsx';

type Revision = Page['revisions'][number];

interface RevisionsProps {
  /** Of the query of the document. */
  name: readonly [string, ...string[]];
  document: Pick<OpenDocument, 'labelOf' | 'textOf'>;
  ask: (from: { before?: number }) => Promise<Page>;
  /** Undefined for who may not; answers with the document. */
  restore: ((revision: number) => Promise<object>) | undefined;
  onRestored: () => void;
}

export function Revisions({ name, document, ask, restore, onRestored }: RevisionsProps) {
  const { t, queries } = useOffice();
  const [isOpen, setIsOpen] = useState(false);
  // Below the document's, so that it is read again with it.
  const queryKey = [...name, 'revisions'];
  const list = usePages(queryKey, ask, ({ before }) => (before === null ? null : { before }), isOpen);
  const restoring = useMutation({
    mutationFn: async (revision: number) => restore?.(revision),
    onSuccess: (answer) => {
      queries.setQueryData(name, answer);
      void queries.invalidateQueries({ queryKey });
      onRestored();
    },
  });
  const revisions = list.pages.flatMap((page) => page.revisions);
  const firstLost = revisions.findIndex(({ isKept }) => !isKept);
  const wayBack = firstLost < 0 ? revisions.length : firstLost + 1;
  const problem = restoring.error ?? list.error;
  return (
    <details onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary className="flex min-h-11 cursor-pointer items-center font-semibold">{t('office.goods.revisions')}</summary>
      <Problem error={problem} />
      <ol className="divide-y divide-line">
        {revisions.map((revision, index) => (
          <RevisionRow
            key={revision.no}
            {...{ revision, document }}
            busy={restoring.isPending}
            onRestore={restore && index > 0 && index < wayBack ? () => restoring.mutate(revision.no) : undefined}
          />
        ))}
      </ol>
      <MoreButton list={list} size="small" label={t('office.journalMore')} />
    </details>
  );
}

interface RevisionRowProps {
  revision: Revision;
  document: RevisionsProps['document'];
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
