/** The kitchen's screen: what is to be made, the oldest first. Lines are ticked as they are made. */
import { useEffect } from 'react';
import type { DeskOrder } from '#contract/staff/desk.ts';
import { Button } from '#ui/button.tsx';
import { cx } from '#ui/cx.ts';
import { LiveNotice } from '../../lib/feed.tsx';
import { useOffice } from '../../lib/me.tsx';
import { Problem } from '../../lib/send-form.tsx';
import {
  Bars,
  CardHead,
  ChangedMark,
  isNew,
  pressing,
  pressingEdge,
  Refusals,
  useMoves,
  useNow,
  useStore,
  WaitText,
} from '../desk/desk.tsx';
import { type DeskOrders, useBell, useDeskOrders } from '../desk/desk-orders.tsx';

/** A pickup is made this long before its time, ms. */
const aheadMs = 30 * 60_000;
const recallable = 8;

/** Lines that were changed after the order was ready. */
const toMakeAgain = ({ state, lines }: DeskOrder) =>
  state === 'ready' ? lines.filter(({ changed, ticked }) => changed && !ticked) : [];

/** Made, and only to be paid. */
const isMade = ({ due, method, lines }: DeskOrder) => due > 0 && method !== 'pickup' && lines.every(({ ticked }) => ticked);

export default function Kitchen() {
  const { t } = useOffice();
  const { store, select } = useStore();
  const desk = useDeskOrders(store);
  const now = useNow();
  const { move, undoBar } = useMoves(desk);
  useWakeLock();
  const made = (desk.orders ?? []).filter(({ method }) => method !== 'shipping');
  const wanted = made
    .filter(
      (order) =>
        ((isNew(order) && !isMade(order)) || toMakeAgain(order).length > 0) &&
        (order.dueAt === null || order.dueAt - now < aheadMs),
    )
    .sort((a, b) => (a.dueAt ?? a.placedAt) - (b.dueAt ?? b.placedAt));
  useBell(desk.orders && wanted.map(({ number }) => number));
  const finish = (order: DeskOrder) => {
    // What a table owes is taken at the desk, which ends the order then.
    if (order.state === 'ready' || (order.method !== 'pickup' && order.due > 0)) {
      for (const { id } of order.lines) desk.take({ kind: 'tick', number: order.number, line: id, ticked: true });
      return;
    }
    move(order, order.method === 'pickup' ? 'ready' : 'completed');
  };
  return (
    <div className="flex flex-col gap-6 pb-24">
      <header className="flex flex-wrap items-end justify-between gap-4">
        <h1 className="text-2xl">{t('office.kitchen')}</h1>
        {select}
      </header>
      <Problem error={desk.error} />
      <Refusals desk={desk} />
      {desk.orders && wanted.length === 0 && <p className="py-6 text-ink-soft text-xl">{t('kitchen.none')}</p>}
      <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,19rem),1fr))] items-start gap-4">
        {wanted.map((order) => (
          <Ticket key={order.number} order={order} now={now} desk={desk} finish={finish} />
        ))}
      </ul>
      <Recall orders={made.filter((order) => !isNew(order) || isMade(order))} desk={desk} />
      <Bars>
        <LiveNotice />
        {undoBar}
      </Bars>
    </div>
  );
}

interface TicketProps {
  order: DeskOrder;
  now: number;
  desk: DeskOrders;
  finish: (order: DeskOrder) => void;
}

function Ticket({ order, now, desk, finish }: TicketProps) {
  const { t } = useOffice();
  const tick = (line: string, ticked: boolean) => desk.take({ kind: 'tick', number: order.number, line, ticked });
  const allTicked = order.lines.every(({ ticked }) => ticked);
  return (
    <li className={cx('flex flex-col gap-3 rounded-md border-2 bg-raised p-4', pressingEdge[pressing(order, now)])}>
      <CardHead order={order} />
      <WaitText order={order} now={now} />
      <ul className="flex flex-col divide-y divide-line">
        {(order.state === 'ready' ? order.lines.filter((line) => line.changed) : order.lines).map(
          ({ id, quantity, name, modifiers, note, ticked, changed }) => (
            <li key={id}>
              <button
                type="button"
                aria-pressed={ticked}
                className={cx(
                  'grid min-h-14 w-full grid-cols-[2.75rem_1fr] py-2 text-left text-lg',
                  ticked && 'text-ink-soft line-through',
                )}
                onClick={() => tick(id, !ticked)}
              >
                <span className="font-semibold tabular-nums">{ticked ? '✓' : `${quantity} ×`}</span>
                <span>
                  {name}
                  {changed && !ticked && <ChangedMark />}
                  {modifiers && <span className="block text-base">{modifiers}</span>}
                  {note && <strong className="block text-base">{note}</strong>}
                </span>
              </button>
            </li>
          ),
        )}
      </ul>
      {order.comment && <p className="border-line border-l-2 pl-3">{order.comment}</p>}
      <Button variant={allTicked ? 'primary' : 'secondary'} wide onClick={() => finish(order)}>
        {t(order.method === 'pickup' ? 'desk.to.ready' : 'desk.to.completed.instore')}
      </Button>
    </li>
  );
}

/** What has left the kitchen, to be called back. */
function Recall({ orders, desk }: { orders: readonly DeskOrder[]; desk: DeskOrders }) {
  const { t } = useOffice();
  const last = orders.toSorted((a, b) => b.since - a.since).slice(0, recallable);
  if (last.length === 0) return null;
  const recall = (order: DeskOrder) => {
    const { number, version, lines } = order;
    if (isNew(order)) for (const { id } of lines) desk.take({ kind: 'tick', number, line: id, ticked: false });
    else desk.take({ kind: 'takeBack', number, version, reason: t('kitchen.recalled') });
  };
  return (
    <section aria-label={t('kitchen.recall')}>
      <h2 className="mb-3 text-lg">{t('kitchen.recall')}</h2>
      <ul className="flex flex-wrap gap-3">
        {last.map((order) => (
          <li key={order.number}>
            <Button variant="secondary" onClick={() => recall(order)}>
              {order.number.split('-').at(-1)}
              {order.table && ` · ${t('office.orders.table', { table: order.table })}`}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Keeps the screen awake while this page is shown, where the browser can. */
function useWakeLock(): void {
  useEffect(() => {
    let lock: WakeLockSentinel | undefined;
    const hold = async () => {
      if (document.visibilityState === 'visible') lock = await navigator.wakeLock?.request('screen').catch(() => undefined);
    };
    void hold();
    document.addEventListener('visibilitychange', hold);
    return () => {
      document.removeEventListener('visibilitychange', hold);
      void lock?.release();
    };
  }, []);
}
