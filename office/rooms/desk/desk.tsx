/** The desk of a store: what is to be done, the oldest first, live. */
import { memo, type ReactNode, useCallback, useEffect, useState } from 'react';
import { type CounterKind, counterKinds, noStore, undoMs } from '#contract/limits.ts';
import type { DeskLine, DeskOrder, MoveTarget } from '#contract/staff/desk.ts';
import { Button } from '#ui/button.tsx';
import { cx } from '#ui/cx.ts';
import { Dialog } from '#ui/dialog.tsx';
import { errorText } from '#ui/errors.ts';
import { formatMoney } from '#ui/format.ts';
import { useT } from '#ui/i18n.tsx';
import { Icon } from '#ui/icon.tsx';
import { Select, TextField } from '#ui/inputs.tsx';
import { Notice } from '#ui/notice.tsx';
import { LiveNotice } from '../../lib/feed.tsx';
import type { useLanguage } from '../../lib/i18n.tsx';
import { useOffice, useStores } from '../../lib/me.tsx';
import { Problem } from '../../lib/send-form.tsx';
import { serverNow } from '../../lib/server-time.ts';
import { TextLink } from '../../lib/text-link.tsx';
import { Blocks, deliveryTexts } from '../orders/order-parts.tsx';
import { Alerts, type DeskOrders, useBell, useDeskOrders } from './desk-orders.tsx';
import {
  CardHead,
  calledNumber,
  isGone,
  isMade,
  isNew,
  isToBePaid,
  NoteBlock,
  Room,
  ringsFor,
} from './work-parts.tsx';

const chosenStore = 'office-store';
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

/** The server's time, every ten seconds. */
export function useNow(): number {
  const [now, setNow] = useState(serverNow);
  useEffect(() => {
    const timer = setInterval(() => setNow(serverNow()), 10_000);
    return () => clearInterval(timer);
  }, []);
  return now;
}

export default function Desk() {
  const { t } = useOffice();
  const { store, select } = useStore();
  const desk = useDeskOrders(store);
  const now = useNow();
  const { act, undoBar } = useActs(desk);
  const open = desk.orders?.filter(isOpen) ?? [];
  const done = desk.orders?.filter((order) => !isOpen(order)) ?? [];
  const bell = useBell(desk.orders && open.filter(isNew).map(ringsFor));
  const sections = [
    { key: 'new', orders: open.filter((order) => isNew(order) && !isToBePaid(order)) },
    { key: 'toBePaid', orders: open.filter(isToBePaid) },
    { key: 'ready', orders: open.filter((order) => !isNew(order)) },
    { key: 'done', orders: done.slice(-12).reverse() },
  ] as const;
  return (
    <Room
      title={t('office.desk')}
      controls={
        <>
          <Alerts bell={bell} />
          {select}
        </>
      }
    >
      {bell.isMuted && <Notice title={t('desk.touchForSound')} silent />}
      <Problem error={desk.error} />
      <Refusals desk={desk} />
      <UnprintedTickets desk={desk} />
      {desk.orders && open.length === 0 && <p className="py-6 text-ink-soft text-lg">{t('desk.none')}</p>}
      {desk.hidden.map(({ method, count }) => (
        <Notice key={method} title={t(`desk.hidden.${method}`, { count })} silent>
          <TextLink href={`/office/orders?state=open&method=${method}`}>{t('desk.hiddenList')}</TextLink>
        </Notice>
      ))}
      {sections.map(({ key, orders }) => (
        <Section
          key={key}
          name={t(`desk.${key}`)}
          orders={orders}
          now={now}
          act={act}
          take={desk.take}
          namesStore={store === ''}
        />
      ))}
      <Bars>
        <LiveNotice />
        {undoBar}
      </Bars>
    </Room>
  );
}

type Act = MoveTarget | 'served' | 'notMade';

/** What is done to an order, and what offers to undo the last of it. */
function useActs(desk: DeskOrders) {
  const { t } = useOffice();
  const [last, setLast] = useState<{
    number: string;
    act: Act;
    lines: readonly string[];
    steps: readonly string[];
  }>();
  const { take } = desk;
  const tickAll = useCallback(
    (number: string, lines: readonly string[], ticked: boolean) =>
      lines.map((line) => take({ kind: 'tick', number, line, ticked })),
    [take],
  );
  const act = useCallback(
    ({ number, version, lines }: DeskOrder, what: Act, paid?: CounterKind) => {
      const changed = lines.filter(({ ticked }) => ticked === (what === 'notMade')).map(({ id }) => id);
      const steps =
        what === 'served' || what === 'notMade'
          ? tickAll(number, changed, what === 'served')
          : [take({ kind: 'move', number, version, to: what, ...(paid ? { paid } : {}) })];
      setLast({ number, act: what, lines: changed, steps });
    },
    [take, tickAll],
  );
  const undo = ({ number, act: what, lines }: NonNullable<typeof last>) => {
    if (what === 'served' || what === 'notMade') tickAll(number, lines, what === 'notMade');
    else desk.undo(number);
  };
  // It says that an order is moved on once the server has said so.
  const undoBar = last?.steps.every(desk.isTaken) && (
    <UndoBar
      key={last.number + last.act}
      text={t('desk.moved', { number: calledNumber(last.number) })}
      undo={() => undo(last)}
      onEnd={() => setLast(undefined)}
    />
  );
  return { act, undoBar };
}

function Section({
  name,
  orders,
  ...rest
}: Omit<CardProps, 'order'> & { name: string; orders: readonly DeskOrder[] }) {
  if (orders.length === 0) return null;
  return (
    <section aria-label={name}>
      <h2 className="mb-3 font-sans font-semibold text-lg">
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

/** What a printer has not printed, so that somebody looks at it and the kitchen reads the screen meanwhile. */
export function UnprintedTickets({ desk }: { desk: DeskOrders }) {
  const { t, locale } = useOffice();
  const list = new Intl.ListFormat(locale, { type: 'conjunction' });
  return desk.unprinted.map(({ printer, trouble, numbers }) => (
    <Notice
      key={printer}
      tone="bad"
      title={t(`desk.unprinted.${trouble}`, { printer, numbers: list.format(numbers) })}
    />
  ));
}

interface CardProps {
  order: DeskOrder;
  now: number;
  act: ReturnType<typeof useActs>['act'];
  take: DeskOrders['take'];
  namesStore: boolean;
}

/** Of many orders, only those that change are drawn again. */
const Card = memo(function Card({ order, now, act, take, namesStore }: CardProps) {
  const { t, locale, shop } = useOffice();
  const { lines, name, phone, address, delivery, comment, due, currency, isPartlyShipped } = order;
  return (
    <li className="flex flex-col gap-3 rounded-md border-2 border-line bg-raised p-4">
      <CardHead order={order} now={now} namesStore={namesStore} level={3} />
      {isNew(order) && isMade(order) && (
        <p className="flex items-center gap-2 font-semibold text-action text-lg">
          <Icon name="check" />
          {t('desk.made')}
        </p>
      )}
      {delivery && (
        <p className="font-semibold">{deliveryTexts(t, delivery, locale, shop.timeZone).promise}</p>
      )}
      {isPartlyShipped && (
        <p className="font-semibold first-letter:uppercase">{t('office.orders.partlyShipped')}</p>
      )}
      <ul className="flex flex-col gap-2">
        {lines.map((line) => (
          <li key={line.id} className="grid grid-cols-[3.75rem_1fr]">
            <Units line={line} method={order.method} />
            <span className="min-w-0">
              <span className={cx(isGone(line) && 'text-ink-soft line-through')}>{line.name}</span>
              {line.changed && <ChangedMark />}
              <LeftMark line={line} method={order.method} />
              {line.modifiers && <span className="block text-ink-soft text-sm">{line.modifiers}</span>}
              <NoteBlock text={line.note} />
            </span>
          </li>
        ))}
      </ul>
      <NoteBlock text={comment} />
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
      {due > 0 && (
        <p className="font-semibold">
          {t('office.orders.due', { amount: formatMoney(due, locale, currency) })}
        </p>
      )}
      <Steps order={order} act={act} take={take} />
    </li>
  );
});

/** How many are to be made or handed over, and beside it whether they are made. Of a parcel, how many were ordered. */
export function Units({
  line: { quantity, left, ticked },
  method,
}: {
  line: DeskLine;
  method: DeskOrder['method'];
}) {
  const { t } = useOffice();
  const units = method === 'shipping' || left === 0 ? quantity : left;
  return (
    <span className="whitespace-nowrap font-semibold tabular-nums">
      {ticked && (
        <>
          <span aria-hidden>✓ </span>
          <span className="sr-only">{t('desk.made')} </span>
        </>
      )}
      {units} ×
    </span>
  );
}

/** What of a line is not handed over: how many were refunded, or of a parcel, how many are left. */
export function LeftMark({
  line: { quantity, left },
  method,
}: {
  line: DeskLine;
  method: DeskOrder['method'];
}) {
  const { t } = useOffice();
  if (left === quantity) return null;
  const text =
    method === 'shipping' ? t('desk.left', { count: left }) : t('desk.refunded', { count: quantity - left });
  return <strong className="block text-[max(0.875rem,0.7em)]">{text}</strong>;
}

/** The steps of one order, on its own page. */
export function StepsOf({ number }: { number: string }) {
  const desk = useDeskOrders('', number);
  const { act, undoBar } = useActs(desk);
  const order = desk.orders?.find((each) => each.number === number);
  // As high as a step: nothing moves under a finger when it is there.
  if (!order) return <div className="min-h-12" />;
  return (
    <>
      <Refusals desk={desk} />
      <Steps order={order} act={act} take={desk.take} />
      <Bars>{undoBar}</Bars>
    </>
  );
}

/**
 * The next step as a button, and the others beside it; one that ended can be taken back, with a reason. What is served at a table moves
 * on to be paid; what ends an order with money due takes that money.
 */
function Steps({ order, act, take: takeStep }: Pick<CardProps, 'order' | 'act' | 'take'>) {
  const { t, locale, may } = useOffice();
  const [asking, setAsking] = useState<MoveTarget | 'takeBack' | null>(null);
  if (!may.includes('orders.move')) return null;
  const { due, currency, table, number } = order;
  const amount = formatMoney(due, locale, currency);
  const isServed = due > 0 && order.method === 'instore' && isNew(order) && !isMade(order);
  const steps: readonly (MoveTarget | 'served')[] = isServed ? ['served'] : order.next;
  const takesMoney = (to: MoveTarget | 'served') => to !== 'ready' && to !== 'served' && due > 0;
  const textOf = (to: MoveTarget | 'served') =>
    to === 'served'
      ? t('desk.to.completed.instore')
      : takesMoney(to) && to === 'completed'
        ? t('desk.take', { amount })
        : stepText(t, order, to);
  const place = [calledNumber(number), ...(table ? [t('office.orders.table', { table })] : [])].join(', ');
  const press = (to: MoveTarget | 'served') =>
    to !== 'served' && takesMoney(to) ? setAsking(to) : act(order, to);
  return (
    <div className="mt-auto flex flex-wrap gap-3">
      {steps.map((to, index) => (
        <Button
          key={to}
          variant={index === 0 ? 'primary' : 'secondary'}
          className="min-w-40 max-w-96 flex-auto"
          aria-label={t('desk.stepOf', { step: textOf(to), place })}
          onClick={() => press(to)}
        >
          {textOf(to)}
        </Button>
      ))}
      {isToBePaid(order) && (
        <Button label={t('desk.callBack')} variant="quiet" onClick={() => act(order, 'notMade')} />
      )}
      {!isNew(order) && order.mayTakeBack && (
        <Button label={t('desk.takeBack')} variant="quiet" onClick={() => setAsking('takeBack')} />
      )}
      {asking !== null && asking !== 'takeBack' && (
        <PaidDialog
          amount={amount}
          cash={formatMoney(order.cashDue, locale, currency)}
          take={(kind) => act(order, asking, kind)}
          onClose={() => setAsking(null)}
        />
      )}
      {asking === 'takeBack' && (
        <ReasonDialog
          title={t('desk.takeBackTitle', { number })}
          take={(reason) => {
            takeStep({ kind: 'takeBack', number, version: order.version, reason });
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

interface PaidDialogProps {
  amount: string;
  /** What is taken in cash: another amount if the currency has no coin for it. */
  cash: string;
  take(kind: CounterKind): void;
  onClose(): void;
}

/** A way of paying, with the amount if it is another one in cash. */
export const takenText = (
  t: T,
  kind: CounterKind,
  { amount, cash }: { amount: string; cash: string },
): string =>
  kind === 'cash' && cash !== amount
    ? t('office.order.by.cashAmount', { amount: cash })
    : t(`office.order.by.${kind}`);

/** Asks how staff took what is still to be paid. */
export function PaidDialog({ amount, cash, take, onClose }: PaidDialogProps) {
  const { t } = useOffice();
  return (
    <Dialog open onClose={onClose} title={t('desk.howPaid', { amount })}>
      <div className="flex flex-col gap-3">
        {counterKinds.map((kind) => (
          <Button
            label={takenText(t, kind, { amount, cash })}
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
    <div className="fixed inset-x-4 bottom-4 z-40 mx-auto flex w-fit max-w-[40rem] flex-col items-center gap-3">
      {children}
    </div>
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
  return (
    <span className="ml-2 rounded-full bg-clay px-2 py-0.5 text-paper text-sm">{t('desk.changed')}</span>
  );
}
