/** The desk of a store: what is to be done, the oldest first, live. */
import { memo, type ReactNode, useCallback, useEffect, useState } from 'react';
import { type CounterKind, counterKinds, noStore, undoMs } from '#contract/limits.ts';
import type { DeskOrder, MoveTarget } from '#contract/staff/desk.ts';
import { Button } from '#ui/button.tsx';
import { cx } from '#ui/cx.ts';
import { Dialog } from '#ui/dialog.tsx';
import { errorText } from '#ui/errors.ts';
import { formatDate, formatMoney } from '#ui/format.ts';
import { useT } from '#ui/i18n.tsx';
import { Select, TextField } from '#ui/inputs.tsx';
import { Link } from '#ui/link.tsx';
import { Notice } from '#ui/notice.tsx';
import { LiveNotice } from '../../lib/feed.tsx';
import type { useLanguage } from '../../lib/i18n.tsx';
import { useOffice, useStores } from '../../lib/me.tsx';
import { Problem } from '../../lib/send-form.tsx';
import { TextLink } from '../../lib/text-link.tsx';
import { Blocks, deliveryTexts } from '../orders/order-parts.tsx';
import { Alerts, type DeskOrders, useBell, useDeskOrders } from './desk-orders.tsx';

const chosenStore = 'office-store';
export const isNew = ({ state }: DeskOrder) => state === 'placed' || state === 'reserved';
const isOpen = (order: DeskOrder) => isNew(order) || order.state === 'ready';

/** The store that this device shows, and those that it can show; '' is all of them. */
export function useStore() {
  const { t, stores } = useOffice();
  const options = [
    ...(stores === null ? [{ value: '', label: t('desk.everywhere') }] : []),
    ...useStores().own,
    ...(stores === null ? [{ value: noStore, label: t('desk.shipping') }] : []),
  ];
  const [chosen, setChosen] = useState(() => localStorage.getItem(chosenStore) ?? '');
  const store = options.some(({ value }) => value === chosen) ? chosen : (options[0]?.value ?? '');
  const choose = (id: string) => {
    localStorage.setItem(chosenStore, id);
    setChosen(id);
  };
  const select = options.length > 1 && (
    <Select
      className="w-56"
      label={t('office.orders.store')}
      options={options}
      value={store}
      onChange={(event) => choose(event.target.value)}
    />
  );
  return { store, select };
}

/** The time, every ten seconds. */
export function useNow(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 10_000);
    return () => clearInterval(timer);
  }, []);
  return now;
}

export default function Desk() {
  const { t } = useOffice();
  const { store, select } = useStore();
  const desk = useDeskOrders(store);
  const now = useNow();
  const { move, undoBar } = useMoves(desk);
  const open = desk.orders?.filter(isOpen) ?? [];
  const done = desk.orders?.filter((order) => !isOpen(order)) ?? [];
  const bell = useBell(desk.orders && open.filter(isNew).map(({ number }) => number));
  const sections = [
    { key: 'new', orders: open.filter(isNew) },
    { key: 'ready', orders: open.filter((order) => !isNew(order)) },
    { key: 'done', orders: done.slice(-12).reverse() },
  ] as const;
  return (
    <div className="flex flex-col gap-6 pb-24">
      <header className="flex flex-wrap items-end justify-between gap-4">
        <h1 className="text-2xl">{t('office.desk')}</h1>
        <div className="flex flex-wrap items-end gap-4">
          <Alerts bell={bell} />
          {select}
        </div>
      </header>
      <Problem error={desk.error} />
      <Refusals desk={desk} />
      {desk.orders && open.length === 0 && <p className="py-6 text-ink-soft text-lg">{t('desk.none')}</p>}
      {desk.hidden.map(({ method, count }) => (
        <Notice key={method} title={t(`desk.hidden.${method}`, { count })} silent>
          <TextLink href={`/office/orders?state=open&method=${method}`}>{t('desk.hiddenList')}</TextLink>
        </Notice>
      ))}
      {sections.map(({ key, orders }) => (
        <Section key={key} name={t(`desk.${key}`)} orders={orders} now={now} move={move} take={desk.take} />
      ))}
      <Bars>
        <LiveNotice />
        {bell.isMuted && <Notice title={t('desk.touchForSound')} silent />}
        {undoBar}
      </Bars>
    </div>
  );
}

/** Moving orders on, and what offers to undo the last of it. */
export function useMoves(desk: DeskOrders) {
  const { t } = useOffice();
  const [moved, setMoved] = useState<{ number: string; to: MoveTarget }>();
  const { take } = desk;
  const move = useCallback(
    ({ number, version }: DeskOrder, to: MoveTarget, paid?: CounterKind) => {
      take({ kind: 'move', number, version, to, ...(paid ? { paid } : {}) });
      setMoved({ number, to });
    },
    [take],
  );
  const undoBar = moved && (
    <UndoBar
      key={moved.number + moved.to}
      text={t('desk.moved', { number: moved.number.split('-').at(-1) ?? moved.number })}
      undo={() => desk.undo(moved.number)}
      onEnd={() => setMoved(undefined)}
    />
  );
  return { move, undoBar };
}

function Section({ name, orders, ...rest }: Omit<CardProps, 'order'> & { name: string; orders: readonly DeskOrder[] }) {
  if (orders.length === 0) return null;
  return (
    <section aria-label={name}>
      <h2 className="mb-3 text-lg">
        {name} <span className="text-ink-soft tabular-nums">{orders.length}</span>
      </h2>
      <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,19rem),1fr))] items-start gap-4">
        {orders.map((order) => (
          <Card key={order.number} order={order} {...rest} />
        ))}
      </ul>
    </section>
  );
}

/** What the server did not take, by order. */
export function Refusals({ desk }: { desk: DeskOrders }) {
  const shared = useT();
  return desk.refusals.map(({ id, number, error }) => (
    <Notice key={id} tone="bad" title={`${number}: ${errorText(error, shared)}`} onClose={desk.dismiss} />
  ));
}

/** How pressing an order is: by the time it was promised for, else by how long it waits. */
export function pressing({ dueAt, placedAt }: DeskOrder, now: number): 'calm' | 'soon' | 'late' {
  const minutes = (now - (dueAt ?? placedAt)) / 60_000;
  const [soon, late] = dueAt === null ? [5, 10] : [-10, 0];
  return minutes >= late ? 'late' : minutes >= soon ? 'soon' : 'calm';
}
export const pressingEdge = { calm: 'border-line', soon: 'border-[var(--color-amber)]', late: 'border-clay' };
const pressingText = { calm: 'text-ink-soft', soon: 'font-semibold text-[var(--color-amber)]', late: 'font-semibold text-clay' };

/** When an order is wanted, or how long it waits; in words, and in a colour that repeats them. */
export function WaitText({ order, now }: { order: DeskOrder; now: number }) {
  const { t, locale, shop } = useOffice();
  const minutes = Math.max(0, Math.floor((now - order.placedAt) / 60_000));
  const state = isNew(order) ? pressing(order, now) : 'calm';
  const at = order.dueAt === null ? '' : formatDate(order.dueAt, locale, shop.timeZone, 'time');
  const words = at ? t(state === 'late' ? 'desk.overdue' : 'desk.dueAt', { time: at }) : t('desk.waits', { count: minutes });
  return <p className={cx('text-sm tabular-nums', pressingText[state])}>{words}</p>;
}

/** The part of the number that is called, and where the order goes. */
export function CardHead({ order }: { order: DeskOrder }) {
  const { t, locale, shop } = useOffice();
  const { number, table, method, partySize, delivery } = order;
  const sent = delivery && deliveryTexts(t, delivery, locale, shop.timeZone);
  const place = table ? t('office.orders.table', { table }) : (sent?.way ?? (method && t(`orders.method.${method}`)));
  return (
    <div className="flex items-baseline justify-between gap-3">
      <h3 className="font-semibold text-2xl tabular-nums">
        <Link href={`/office/orders/${number}`} aria-label={number} className="inline-flex min-h-11 items-center">
          {number.split('-').at(-1)}
        </Link>
      </h3>
      <p className="text-right font-semibold first-letter:uppercase">
        {place}
        {partySize !== null && <span className="text-ink-soft"> · {t('office.order.people', { count: partySize })}</span>}
      </p>
    </div>
  );
}

interface CardProps {
  order: DeskOrder;
  now: number;
  move: ReturnType<typeof useMoves>['move'];
  take: DeskOrders['take'];
}

/** Of many orders, only those that change are drawn again. */
const Card = memo(function Card({ order, now, move, take }: CardProps) {
  const { t, locale, shop } = useOffice();
  const { lines, name, phone, address, delivery, comment, due, currency, isPartlyShipped } = order;
  const edge = isNew(order) ? pressingEdge[pressing(order, now)] : 'border-line';
  return (
    <li className={cx('flex flex-col gap-3 rounded-md border-2 bg-raised p-4', edge)}>
      <CardHead order={order} />
      <WaitText order={order} now={now} />
      {delivery && <p className="font-semibold">{deliveryTexts(t, delivery, locale, shop.timeZone).promise}</p>}
      {isPartlyShipped && <p className="font-semibold first-letter:uppercase">{t('office.orders.partlyShipped')}</p>}
      <ul className="flex flex-col gap-2">
        {lines.map((line) => (
          <li key={line.id} className="grid grid-cols-[2.5rem_1fr]">
            <span className="font-semibold tabular-nums">{line.quantity} ×</span>
            <span>
              {line.name}
              {line.changed && <ChangedMark />}
              {line.left < line.quantity && <strong className="block text-sm">{t('desk.left', { count: line.left })}</strong>}
              {line.modifiers && <span className="block text-ink-soft text-sm">{line.modifiers}</span>}
              {line.note && <strong className="block text-sm">{line.note}</strong>}
            </span>
          </li>
        ))}
      </ul>
      {comment && <p className="border-line border-l-2 pl-3 text-sm">{comment}</p>}
      {(name || phone) && (
        <p className={cx('text-sm', address.length === 0 && 'text-ink-soft')}>
          <Blocks texts={[name, ...address]} />
          {phone && (
            <a href={`tel:${phone}`} className="inline-flex min-h-11 items-center underline">
              {phone}
            </a>
          )}
        </p>
      )}
      {due > 0 && <p className="font-semibold">{t('office.orders.due', { amount: formatMoney(due, locale, currency) })}</p>}
      <Steps order={order} move={move} take={take} />
    </li>
  );
});

/** The steps of one order, on its own page. */
export function StepsOf({ number }: { number: string }) {
  const desk = useDeskOrders('', number);
  const { move, undoBar } = useMoves(desk);
  const order = desk.orders?.find((each) => each.number === number);
  if (!order) return null;
  return (
    <>
      <Refusals desk={desk} />
      <Steps order={order} move={move} take={desk.take} />
      <Bars>{undoBar}</Bars>
    </>
  );
}

/** The next step as a button, and the others beside it; one that ended can be taken back, with a reason. */
function Steps({ order, move, take: takeStep }: Omit<CardProps, 'now'>) {
  const { t, locale, may } = useOffice();
  const [asking, setAsking] = useState<MoveTarget | 'takeBack' | null>(null);
  if (!may.includes('orders.move')) return null;
  const press = (to: MoveTarget) => (to !== 'ready' && order.due > 0 ? setAsking(to) : move(order, to));
  return (
    <div className="mt-auto flex flex-wrap gap-3">
      {order.next.map((to, index) => (
        <Button key={to} variant={index === 0 ? 'primary' : 'secondary'} className="flex-auto" onClick={() => press(to)}>
          {stepText(t, order, to)}
        </Button>
      ))}
      {!isNew(order) && <Button label={t('desk.takeBack')} variant="quiet" onClick={() => setAsking('takeBack')} />}
      {asking !== null && asking !== 'takeBack' && (
        <PaidDialog
          amount={formatMoney(order.due, locale, order.currency)}
          take={(kind) => move(order, asking, kind)}
          onClose={() => setAsking(null)}
        />
      )}
      {asking === 'takeBack' && (
        <ReasonDialog
          title={t('desk.takeBackTitle', { number: order.number })}
          take={(reason) => {
            takeStep({ kind: 'takeBack', number: order.number, version: order.version, reason });
            setAsking(null);
          }}
          onClose={() => setAsking(null)}
        />
      )}
    </div>
  );
}

type T = ReturnType<typeof useLanguage>['t'];
export const stepText = (t: T, { method }: Pick<DeskOrder, 'method'>, to: MoveTarget) =>
  t(to !== 'completed' ? `desk.to.${to}` : `desk.to.completed.${method ?? 'shipping'}`);

/** Asks how staff took what is still to be paid. */
export function PaidDialog({ amount, take, onClose }: { amount: string; take(kind: CounterKind): void; onClose(): void }) {
  const { t } = useOffice();
  return (
    <Dialog open onClose={onClose} title={t('desk.howPaid', { amount })}>
      <div className="flex flex-col gap-3">
        {counterKinds.map((kind) => (
          <Button
            label={t(`office.order.by.${kind}`)}
            key={kind}
            variant="secondary"
            wide
            onClick={() => {
              onClose();
              take(kind);
            }}
          />
        ))}
      </div>
    </Dialog>
  );
}

interface ReasonDialogProps {
  title: string;
  take: (reason: string) => void;
  onClose: () => void;
  busy?: boolean;
  error?: unknown;
}

/** Asks why something is taken back. */
export function ReasonDialog({ title, take, onClose, busy = false, error }: ReasonDialogProps) {
  const { t } = useOffice();
  const [reason, setReason] = useState('');
  return (
    <Dialog open onClose={onClose} title={title}>
      <form
        className="flex flex-col gap-5"
        onSubmit={(event) => {
          event.preventDefault();
          if (reason.trim()) take(reason.trim());
        }}
      >
        <Problem error={error} />
        <TextField
          label={t('desk.reason')}
          value={reason}
          maxLength={300}
          required
          onChange={({ target }) => setReason(target.value)}
        />
        <Button label={t('desk.takeBack')} type="submit" busy={busy} />
      </form>
    </Dialog>
  );
}

/** What comes and goes lies over the page: nothing moves under a finger that is about to press. */
export function Bars({ children }: { children: ReactNode }) {
  return (
    <div className="fixed inset-x-4 bottom-4 z-40 mx-auto flex w-fit max-w-[40rem] flex-col items-center gap-3">{children}</div>
  );
}

/** Offers to undo a step for as long as the server does. */
export function UndoBar({ text, undo, onEnd }: { text: string; undo: () => void; onEnd: () => void }) {
  const { t } = useOffice();
  useEffect(() => {
    const timer = setTimeout(onEnd, undoMs - 500);
    return () => clearTimeout(timer);
  }, [onEnd]);
  return (
    <div role="status" className="flex items-center gap-6 rounded-md bg-ink px-5 py-2 text-paper shadow-over">
      <p className="tabular-nums">{text}</p>
      <button
        type="button"
        className="min-h-11 px-3 font-semibold underline"
        onClick={() => {
          undo();
          onEnd();
        }}
      >
        {t('desk.undo')}
      </button>
    </div>
  );
}

/** On a line that was added or changed since the order entered its state. */
export function ChangedMark() {
  const { t } = useOffice();
  return <span className="ml-2 rounded-full bg-clay px-2 py-0.5 text-paper text-sm">{t('desk.changed')}</span>;
}
