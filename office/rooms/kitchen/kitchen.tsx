/** The kitchen's screen: what is to be made, the oldest first. Lines are ticked as they are made. */
import { useCallback, useEffect, useState } from 'react';
import { undoMs } from '#contract/limits.ts';
import type { DeskLine, DeskOrder } from '#contract/staff/desk.ts';
import { Button } from '#ui/button.tsx';
import { cx } from '#ui/cx.ts';
import { LiveNotice } from '../../lib/feed.tsx';
import { useOffice } from '../../lib/me.tsx';
import { Problem } from '../../lib/send-form.tsx';
import {
  Bars,
  ChangedMark,
  LeftMark,
  Refusals,
  Units,
  UnprintedTickets,
  useNow,
  useStore,
} from '../desk/desk.tsx';
import { type DeskOrders, useBell, useDeskOrders } from '../desk/desk-orders.tsx';
import {
  AllDay,
  CardHead,
  calledNumber,
  isGone,
  isMade,
  isNew,
  NoteBlock,
  Room,
  ringsFor,
} from '../desk/work-parts.tsx';

/** A pickup is made this long before its time, ms. */
const aheadMs = 30 * 60_000;
const recallable = 8;

/** There is nothing to make of it, any more or at all. */
const isOff = (line: DeskLine) => line.ticked || isGone(line);

/** Lines that were changed after the order was ready. */
const toMakeAgain = ({ state, lines }: DeskOrder) =>
  state === 'ready' ? lines.filter((line) => line.changed && !isOff(line)) : [];

/** What is made for it is brought to its table or driven by somebody else: it leaves the desk only then. */
const endsAtDesk = ({ state, method }: DeskOrder) => state === 'ready' || method !== 'pickup';

const isThrough = (order: DeskOrder) => isNew(order) && endsAtDesk(order) && isMade(order);

/** What the kitchen makes: not the parcels of a warehouse. */
const isKitchens = ({ method, delivery }: DeskOrder) => method !== 'shipping' || delivery?.dueAt != null;

const isWanted = (order: DeskOrder, now: number) =>
  ((isNew(order) && !isThrough(order)) || toMakeAgain(order).length > 0) &&
  (order.dueAt === null || order.dueAt - now < aheadMs);

/** Orders that were just done stay for as long as that can be undone: with what undoes it, by number. */
function useLeaving() {
  const [leaving, setLeaving] = useState<ReadonlyMap<string, () => void>>(new Map());
  const drop = useCallback(
    (number: string) => setLeaving((all) => new Map([...all].filter(([each]) => each !== number))),
    [],
  );
  const leave = (number: string, undo: () => void) => {
    setLeaving((all) => new Map([...all, [number, undo]]));
    setTimeout(() => drop(number), undoMs - 500);
  };
  return { leaving, leave, drop };
}

export default function Kitchen() {
  const { t } = useOffice();
  const { store, select } = useStore();
  const desk = useDeskOrders(store);
  const now = useNow();
  const { leaving, leave, drop } = useLeaving();
  useWakeLock();
  const orders = (desk.orders ?? []).filter(isKitchens);
  const shown = orders
    .filter((order) => isWanted(order, now) || leaving.has(order.number))
    .sort((a, b) => (a.dueAt ?? a.placedAt) - (b.dueAt ?? b.placedAt));
  const wanted = shown.filter((order) => !leaving.has(order.number));
  useBell(desk.orders && wanted.map(ringsFor));
  const tick = (order: DeskOrder, lines: readonly string[], ticked: boolean) => {
    const set = (to: boolean) => {
      for (const line of lines) desk.take({ kind: 'tick', number: order.number, line, ticked: to });
    };
    set(ticked);
    const after = {
      ...order,
      lines: order.lines.map((line) => (lines.includes(line.id) ? { ...line, ticked } : line)),
    };
    if (!isWanted(after, now)) leave(order.number, () => set(!ticked));
  };
  const finish = (order: DeskOrder) => {
    const open = order.lines.filter((line) => !isOff(line)).map(({ id }) => id);
    if (endsAtDesk(order)) return tick(order, open, true);
    const { number, version } = order;
    desk.take({ kind: 'move', number, version, to: 'ready' });
    leave(number, () => desk.undo(number));
  };
  const undo = (number: string) => {
    leaving.get(number)?.();
    drop(number);
  };
  return (
    <Room title={t('office.kitchen')} controls={select}>
      <Problem error={desk.error} />
      <Refusals desk={desk} />
      <UnprintedTickets desk={desk} />
      {desk.orders && shown.length === 0 && <p className="py-6 text-ink-soft text-xl">{t('kitchen.none')}</p>}
      <AllDay lines={wanted.flatMap(({ lines }) => lines.filter((line) => !isOff(line)))} />
      <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,calc(21rem*var(--work-scale))),1fr))] items-start gap-4">
        {shown.map((order) => (
          <Ticket
            key={order.number}
            order={order}
            now={now}
            namesStore={store === ''}
            tick={tick}
            finish={finish}
            undo={leaving.has(order.number) ? undo : null}
          />
        ))}
      </ul>
      <Recall
        orders={orders.filter((order) => !leaving.has(order.number) && (!isNew(order) || isThrough(order)))}
        desk={desk}
      />
      <Bars>
        <LiveNotice />
      </Bars>
    </Room>
  );
}

interface TicketProps {
  order: DeskOrder;
  now: number;
  namesStore: boolean;
  tick(order: DeskOrder, lines: readonly string[], ticked: boolean): void;
  finish: (order: DeskOrder) => void;
  /** While it leaves. */
  undo: ((number: string) => void) | null;
}

function Ticket({ order, now, namesStore, tick, finish, undo }: TicketProps) {
  const { t } = useOffice();
  const lines = order.state === 'ready' && !undo ? order.lines.filter((line) => line.changed) : order.lines;
  return (
    <li className="flex flex-col gap-3 rounded-md border-2 border-line bg-raised p-4">
      <div className={cx('flex flex-col gap-3', undo && 'opacity-50')}>
        <CardHead order={order} now={now} namesStore={namesStore} level={2} />
        <ul className="flex flex-col divide-y divide-line">
          {lines.map((line) => (
            <li key={line.id}>
              <button
                type="button"
                aria-pressed={line.ticked}
                disabled={undo !== null || isGone(line)}
                className="grid min-h-14 w-full grid-cols-[calc(5.5rem*var(--work-scale))_1fr] py-2 text-left text-[calc(1.625rem*var(--work-scale))] leading-tight"
                onClick={() => tick(order, [line.id], !line.ticked)}
              >
                <Units line={line} method={order.method} />
                <span className="min-w-0">
                  <span className={cx('font-semibold', isOff(line) && 'text-ink-soft line-through')}>
                    {line.name}
                  </span>
                  <LeftMark line={line} method={order.method} />
                  {line.changed && !line.ticked && <ChangedMark />}
                  {line.modifiers && (
                    <span
                      className={cx(
                        'block text-[calc(1.5rem*var(--work-scale))]',
                        isOff(line) && 'text-ink-soft line-through',
                      )}
                    >
                      {line.modifiers}
                    </span>
                  )}
                  <NoteBlock text={line.note} isLarge />
                </span>
              </button>
            </li>
          ))}
        </ul>
        <NoteBlock text={order.comment} isLarge />
      </div>
      {undo ? (
        <Button label={t('desk.undo')} variant="secondary" wide onClick={() => undo(order.number)} />
      ) : (
        <Button
          label={t('kitchen.done')}
          aria-label={t('desk.stepOf', { step: t('kitchen.done'), place: calledNumber(order.number) })}
          variant={isMade(order) ? 'primary' : 'secondary'}
          wide
          onClick={() => finish(order)}
        />
      )}
    </li>
  );
}

/** What has left the kitchen, to be called back. */
function Recall({ orders, desk }: { orders: readonly DeskOrder[]; desk: DeskOrders }) {
  const { t } = useOffice();
  const mayRecall = (order: DeskOrder) => isNew(order) || order.mayTakeBack;
  const last = orders
    .filter(mayRecall)
    .toSorted((a, b) => b.since - a.since)
    .slice(0, recallable);
  if (last.length === 0) return null;
  const recall = (order: DeskOrder) => {
    const { number, version, lines } = order;
    if (isNew(order))
      for (const { id } of lines) desk.take({ kind: 'tick', number, line: id, ticked: false });
    else desk.take({ kind: 'takeBack', number, version, reason: t('kitchen.recalled') });
  };
  return (
    <section aria-label={t('kitchen.recall')}>
      <h2 className="mb-3 font-sans font-semibold text-lg">{t('kitchen.recall')}</h2>
      <ul className="flex flex-wrap gap-3">
        {last.map((order) => (
          <li key={order.number}>
            <Button variant="secondary" onClick={() => recall(order)}>
              {calledNumber(order.number)}
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
      if (document.visibilityState === 'visible')
        lock = await navigator.wakeLock?.request('screen').catch(() => undefined);
    };
    void hold();
    document.addEventListener('visibilitychange', hold);
    return () => {
      document.removeEventListener('visibilitychange', hold);
      void lock?.release();
    };
  }, []);
}
