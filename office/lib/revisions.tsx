/** What was changed of a document, from what to what, and going back to how it was. */
import { useMutation } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { dateFormat } from '#contract/formatters.ts';
import type { Revisions as Page } from '#contract/staff/documents.ts';
import { didText, doerText } from '#contract/staff/messages.ts';
import { Button } from '#ui/button.tsx';
import { type ComparedKind, versionBefore } from './comparison.ts';
import type { OpenDocument } from './document.tsx';
import { MoreButton, usePages } from './lists.tsx';
import { useOffice } from './me.tsx';
import { Problem } from './send-form.tsx';

const Compare = lazy(() => import('./compare.tsx'));

type Revision = Page['revisions'][number];

interface RevisionsProps {
  kind: ComparedKind;
  /** Of the query of the document. */
  name: readonly [string, ...string[]];
  document: Pick<OpenDocument, 'labelOf' | 'textOf'>;
  /** As it is stored. */
  content: unknown;
  ask: (from: { before?: number }) => Promise<Page>;
  /** Undefined for who may not; answers with the document. */
  restore: ((revision: number) => Promise<object>) | undefined;
  onRestored: () => void;
}

export function Revisions({ kind, name, document, content, ask, restore, onRestored }: RevisionsProps) {
  const { t, queries } = useOffice();
  const [isOpen, setIsOpen] = useState(false);
  const [comparing, setComparing] = useState<number | null>(null);
  const whenOf = useWhen();
  // Below the document's, so that it is read again with it.
  const queryKey = [...name, 'revisions'];
  const list = usePages(queryKey, ask, ({ before }) => (before === null ? null : { before }), isOpen);
  const restoring = useMutation({
    mutationFn: async (revision: number) => restore?.(revision),
    onSuccess: (answer) => {
      queries.setQueryData(name, answer);
      void queries.invalidateQueries({ queryKey });
      setComparing(null);
      onRestored();
    },
  });
  const revisions = list.pages.flatMap((page) => page.revisions);
  const firstLost = revisions.findIndex(({ isKept }) => !isKept);
  const wayBack = firstLost < 0 ? revisions.length : firstLost + 1;
  const problem = restoring.error ?? list.error;
  const mayRestore = (index: number) => restore !== undefined && index > 0 && index < wayBack;
  const versions = () =>
    revisions.slice(0, wayBack).map((revision, index) => ({
      no: revision.no,
      name: `${whenOf(revision)}${index === 0 ? ` (${t('office.compare.now')})` : ''}`,
      content: versionBefore(
        content,
        revisions.slice(0, index).map(({ fields }) => fields ?? []),
      ),
      restore: mayRestore(index) ? () => restoring.mutate(revision.no) : undefined,
    }));
  return (
    <details onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary className="flex min-h-11 cursor-pointer items-center font-semibold">
        {t('office.goods.revisions')}
      </summary>
      <Problem error={problem} />
      <ol className="divide-y divide-line">
        {revisions.map((revision, index) => (
          <RevisionRow
            key={revision.no}
            {...{ revision, document }}
            busy={restoring.isPending}
            when={whenOf(revision)}
            onCompare={index > 0 && index < wayBack ? () => setComparing(revision.no) : undefined}
            onRestore={mayRestore(index) ? () => restoring.mutate(revision.no) : undefined}
          />
        ))}
      </ol>
      {comparing !== null && (
        <Suspense>
          <Compare
            {...{ kind, document }}
            versions={versions()}
            first={comparing}
            busy={restoring.isPending}
            onClose={() => setComparing(null)}
          />
        </Suspense>
      )}
      <MoreButton list={list} size="small" label={t('office.journalMore')} />
    </details>
  );
}

interface RevisionRowProps {
  revision: Revision;
  document: RevisionsProps['document'];
  busy: boolean;
  /** When, and by whom. */
  when: string;
  onCompare: (() => void) | undefined;
  onRestore: (() => void) | undefined;
}

/** When a version was made, and by whom. */
function useWhen() {
  const { t, locale, shop } = useOffice();
  const format = dateFormat(locale, {
    dateStyle: 'medium',
    timeStyle: 'short',
    hourCycle: 'h23',
    timeZone: shop.timeZone,
  });
  return (revision: Revision) => `${format.format(revision.at)} · ${doerText(t, revision)}`;
}

function RevisionRow({
  revision: { at, action, fields },
  document,
  busy,
  when,
  onCompare,
  onRestore,
}: RevisionRowProps) {
  const { t } = useOffice();
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2 py-3">
      <div className="min-w-0 flex-1 basis-64">
        <p className="text-sm">
          <span className="font-semibold">{didText(t, action)}</span>{' '}
          <span className="text-ink-soft">
            <time dateTime={new Date(at).toISOString()}>{when}</time>
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
      {onCompare && (
        <Button
          label={t('office.compare')}
          variant="secondary"
          size="small"
          aria-label={`${t('office.compare')}: ${when}`}
          onClick={onCompare}
        />
      )}
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
