import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { type CounterKind, mostAtOnce } from '#contract/limits.ts';
import type { MoveTarget, Outcome } from '#contract/staff/desk.ts';
import type { OrderRow } from '#contract/staff/orders.ts';
import { Button, LinkButton } from '#ui/button.tsx';
import { Notice } from '#ui/notice.tsx';
import { useOnce } from '../../lib/api.ts';
import { useOffice } from '../../lib/me.tsx';
import { Problem } from '../../lib/send-form.tsx';
import { Bars, PaidDialog, stepText, UndoBar } from '../desk/desk.tsx';
import { askedFor } from './asked-for.ts';

const open: readonly string[] = ['placed', 'reserved', 'ready', 'shipped'];
/** Whether an order can take a step; the server has the last word. */
const canTake: Readonly<Record<MoveTarget, (order: OrderRow) => boolean>> = {
  ready: ({ method, state }) => method === 'pickup' && (state === 'placed' || state === 'reserved'),
  shipped: ({ method, state }) => method === 'shipping' && state === 'placed',
  completed: ({ state }) => open.includes(state),
};
const targets = Object.keys(canTake) as MoveTarget[];

export function BulkBar({
  chosen,
  keep,
}: {
  chosen: readonly OrderRow[];
  keep: (numbers: readonly string[]) => void;
}) {
  const { t, locale, may } = useOffice();
  const bulk = useBulk(keep);
  const { send, busy } = bulk;
  const [asking, setAsking] = useState<MoveTarget>();
  const isTooMany = chosen.length > mostAtOnce;
  const methods = [...new Set(chosen.map(({ method }) => method))];
  const owing = (to: MoveTarget) =>
    chosen.filter((order) => to !== 'ready' && canTake[to](order) && order.due > 0);
  const press = (to: MoveTarget) => (owing(to).length > 0 ? setAsking(to) : send({ to, chosen }));
  const label = (to: MoveTarget) =>
    to === 'completed' && methods.length > 1
      ? t('orders.state.completed')
      : stepText(t, { method: methods[0] ?? null }, to);
  return (
    <>
      <Bars>
        <News {...bulk} />
        {chosen.length > 0 && (
          <section
            aria-label={t('office.bulk.chosen', { count: chosen.length })}
            className="flex flex-wrap items-center justify-center gap-3 rounded-md border border-line bg-raised px-4 py-3 shadow-over"
          >
            <p role="status" className="font-semibold tabular-nums">
              {isTooMany
                ? t('office.bulk.tooMany', { count: mostAtOnce })
                : t('office.bulk.chosen', { count: chosen.length })}
            </p>
            {!isTooMany &&
              may.includes('orders.move') &&
              targets
                .filter((to) => chosen.some(canTake[to]))
                .map((to) => (
                  <Button key={to} variant="secondary" busy={busy} onClick={() => press(to)}>
                    <span className="first-letter:uppercase">{label(to)}</span>
                  </Button>
                ))}
            {!isTooMany && (
              <LinkButton
                variant="secondary"
                href={`/office/orders/print?numbers=${chosen.map(({ number }) => encodeURIComponent(number)).join(',')}`}
              >
                {t('office.papers.print')}
              </LinkButton>
            )}
            <Button label={t('office.bulk.clear')} variant="quiet" onClick={() => keep([])} />
          </section>
        )}
      </Bars>
      {asking && (
        <PaidDialog
          {...askedFor(owing(asking), locale)}
          take={(paid) => send({ to: asking, chosen, paid })}
          onClose={() => setAsking(undefined)}
        />
      )}
    </>
  );
}

/** What was done, and what was not. */
function News({ error, failed, undoable, undo, dismiss }: ReturnType<typeof useBulk>) {
  const { t } = useOffice();
  return (
    <>
      <Problem error={error} onClose={dismiss} />
      {failed.length > 0 && (
        <Notice tone="bad" onClose={dismiss}>
          <ul>
            {failed.map(({ number, problem }) => (
              <li key={number}>
                <span className="font-semibold">{number}</span> · {problem}
              </li>
            ))}
          </ul>
        </Notice>
      )}
      {undoable.length > 0 && (
        <UndoBar
          key={undoable.map(({ number }) => number).join()}
          text={t('office.bulk.moved', { count: undoable.length })}
          undo={undo}
          onEnd={dismiss}
        />
      )}
    </>
  );
}

function useBulk(keep: (numbers: readonly string[]) => void) {
  const { call, queries } = useOffice();
  const once = useOnce();
  const [failed, setFailed] = useState<readonly Outcome[]>([]);
  const [undoable, setUndoable] = useState<readonly Outcome[]>([]);
  const show = (outcomes: readonly Outcome[], canUndo: boolean) => {
    const not = outcomes.filter(({ problem }) => problem !== '');
    setFailed(not);
    setUndoable(canUndo ? outcomes.filter(({ moved }) => moved) : []);
    keep(not.map(({ number }) => number));
    return queries.invalidateQueries({
      predicate: ({ queryKey: [first] }) => ['orders', 'order', 'desk'].includes(String(first)),
    });
  };
  const seen = (orders: readonly { number: string; version: number }[]) =>
    orders.map(({ number, version }) => ({ number, version }));
  const move = useMutation({
    mutationFn: ({ to, chosen, paid }: { to: MoveTarget; chosen: readonly OrderRow[]; paid?: CounterKind }) =>
      call('moveOrders', { body: { to, orders: seen(chosen), ...(paid ? { paid } : {}) }, once }),
    onSuccess: ({ outcomes }) => show(outcomes, true),
  });
  const undo = useMutation({
    mutationFn: () => call('undoMoves', { body: { orders: seen(undoable) }, once }),
    onSuccess: ({ outcomes }) => show(outcomes, false),
  });
  return {
    send: move.mutate,
    undo: () => undo.mutate(),
    failed,
    undoable,
    busy: move.isPending || undo.isPending,
    error: move.error ?? undo.error,
    dismiss: () => {
      setFailed([]);
      setUndoable([]);
      move.reset();
      undo.reset();
    },
  };
}
