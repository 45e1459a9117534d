/** What the desk and the kitchen show of an order, legible from two metres: whose it is, how long it waits, what not to overlook. */
import { type CSSProperties, type ReactNode, useEffect, useRef, useState } from 'react';
import { isAllergyNote } from '#contract/rules/allergies.ts';
import type { DeskLine, DeskOrder } from '#contract/staff/desk.ts';
import { Button } from '#ui/button.tsx';
import { cx } from '#ui/cx.ts';
import { formatDate } from '#ui/format.ts';
import { Icon } from '#ui/icon.tsx';
import { Link } from '#ui/link.tsx';
import { useOffice, useStores } from '../../lib/me.tsx';
import { deliveryTexts } from '../orders/order-parts.tsx';

export const isNew = ({ state }: DeskOrder) => state === 'placed' || state === 'reserved';

/** What the bell knows an order by: one that was moved to another time rings once more. */
export const ringsFor = ({ number, dueAt }: DeskOrder) => `${number} ${dueAt ?? ''}`;

/** Nothing of it is made: it was sent before, or refunded. */
export const isGone = ({ left }: DeskLine) => left === 0;

/** All that the kitchen makes of it is made. */
export const isMade = ({ lines }: DeskOrder) =>
  lines.length > 0 && lines.every((line) => line.ticked || isGone(line));

/** Made or served, and only to be paid. Whoever picks up pays when they get it. */
export const isToBePaid = (order: DeskOrder) =>
  isNew(order) && order.method === 'instore' && order.due > 0 && isMade(order);

/** The part of a number that is called: its last group, without zeros in front. */
export const calledNumber = (number: string) => (number.split('-').at(-1) ?? number).replace(/^0+(?=\d)/, '');

type Age = 'calm' | 'soon' | 'late';

/** How pressing an order is: by the time or day it was promised for, else by how long it waits. */
function ageOf({ dueAt, placedAt, delivery }: DeskOrder, now: number, today: string): Age {
  if (delivery && dueAt === null) {
    const { sendBy } = delivery;
    return sendBy === null || today < sendBy ? 'calm' : today === sendBy ? 'soon' : 'late';
  }
  const minutes = (now - (dueAt ?? placedAt)) / 60_000;
  const [soon, late] = dueAt === null ? [5, 10] : [-10, 0];
  return minutes >= late ? 'late' : minutes >= soon ? 'soon' : 'calm';
}

const headLook: Record<Age, string> = {
  calm: 'bg-surface-inset text-ink',
  soon: 'bg-[var(--color-amber)] text-[var(--color-on-amber)]',
  late: 'bg-clay text-on-clay',
};

interface CardHeadProps {
  order: DeskOrder;
  now: number;
  /** Whether several stores are shown, so that each order names its own. */
  namesStore: boolean;
  /** Of its heading. */
  level: 2 | 3;
}

/** A ground that is filled by age: the table or the number that is called, where the order goes, and when it is wanted. */
export function CardHead({ order, now, namesStore, level }: CardHeadProps) {
  const { t, locale, shop } = useOffice();
  const { nameOf } = useStores();
  const { number, table, method, partySize, delivery, store } = order;
  const H = `h${level}` as const;
  const called = calledNumber(number);
  const sent = delivery && deliveryTexts(t, delivery, locale, shop.timeZone);
  const place = table ? t('desk.table') : (sent?.way ?? (method ? t(`orders.method.${method}`) : ''));
  const age = isNew(order) ? ageOf(order, now, dayIn(now, shop.timeZone)) : 'calm';
  return (
    <div
      className={cx(
        '-m-4 mb-0 flex items-end justify-between gap-3 rounded-t-[calc(var(--radius-md)-2px)] p-4',
        headLook[age],
      )}
    >
      <div className="min-w-0">
        <p className="break-words font-semibold text-sm first-letter:uppercase">
          {place}
          {partySize !== null && ` · ${t('office.order.people', { count: partySize })}`}
        </p>
        <H className="font-sans text-[calc(2.75rem*var(--work-scale))] tabular-nums leading-none [font-weight:700]">
          <Link href={`/office/orders/${number}`} className="inline-flex min-h-11 items-baseline gap-2">
            {table || called}
            {table && <span className="font-normal text-lg">· {called}</span>}
            {/* The whole number, for those who cannot see whose card it is. */}
            <span className="sr-only"> {number}</span>
          </Link>
        </H>
        {namesStore && <p className="text-sm">{nameOf(store) ?? t('desk.shipping')}</p>}
      </div>
      <Wait order={order} now={now} age={age} />
    </div>
  );
}

/** YYYY-MM-DD in a time zone. */
const dayIn = (at: number, timeZone: string) => new Intl.DateTimeFormat('en-CA', { timeZone }).format(at);

/** When an order is wanted, or how long it waits. Colours repeat the words. */
function Wait({
  order: { dueAt, placedAt, delivery },
  now,
  age,
}: {
  order: DeskOrder;
  now: number;
  age: Age;
}) {
  const { t, locale, shop } = useOffice();
  if (delivery && dueAt === null)
    return age === 'late' && <p className="flex-none font-semibold">{t('desk.late')}</p>;
  // One of another day, such as a pickup that was ordered in the evening, says which.
  const isToday = dueAt !== null && dayIn(dueAt, shop.timeZone) === dayIn(now, shop.timeZone);
  const at =
    dueAt === null ? '' : formatDate(dueAt, locale, shop.timeZone, isToday ? 'time' : 'shortDayTime');
  const minutes = Math.max(0, Math.floor((now - placedAt) / 60_000));
  return (
    <p className="flex-none text-right font-semibold text-xl tabular-nums">
      {age === 'late' && <span className="block text-sm">{t('desk.late')}</span>}
      {at ? t('desk.dueAt', { time: at }) : t('desk.waits', { count: minutes })}
    </p>
  );
}

/** What the buyer or staff wrote, as a block that is not overlooked; filled if it may be about an allergy. */
export function NoteBlock({ text, isLarge = false }: { text: string; isLarge?: boolean }) {
  const { t } = useOffice();
  if (!text) return null;
  const isAllergy = isAllergyNote(text);
  const size = isLarge ? 'text-[calc(1.5rem*var(--work-scale))]' : isAllergy ? 'text-lg' : 'text-base';
  return (
    <span
      className={cx(
        'mt-1 flex items-start gap-2 break-words rounded-md px-3 py-1.5 font-semibold leading-snug no-underline',
        size,
        isAllergy ? 'bg-clay text-on-clay' : 'bg-clay-tint text-ink',
      )}
    >
      <Icon
        name={isAllergy ? 'warning' : 'info'}
        {...(isAllergy ? { label: t('desk.allergy') } : {})}
        className="mt-1"
      />
      <span className="min-w-0">{text}</span>
    </span>
  );
}

/** Sums over all orders, of what is in more than one of them: "4 × Espresso". */
export function AllDay({ lines }: { lines: readonly DeskLine[] }) {
  const { t } = useOffice();
  const sums = new Map<string, { quantity: number; orders: number }>();
  for (const { name, left } of lines) {
    const sum = sums.get(name) ?? { quantity: 0, orders: 0 };
    sums.set(name, { quantity: sum.quantity + left, orders: sum.orders + 1 });
  }
  const shown = [...sums]
    .filter(([, { orders }]) => orders > 1)
    .sort(([, a], [, b]) => b.quantity - a.quantity);
  if (shown.length === 0) return null;
  return (
    <section
      aria-label={t('kitchen.allDay')}
      className="flex flex-wrap gap-x-8 gap-y-2 rounded-md bg-surface-inset px-4 py-3"
    >
      {shown.map(([name, { quantity }]) => (
        <p key={name} className="text-[1.375rem]">
          <strong className="tabular-nums">{quantity} ×</strong> {name}
        </p>
      ))}
    </section>
  );
}

/**
 * A room that can fill the screen, without the menu. Its orders are then larger: on a tablet of 10.9 inches, 132 px an inch, capitals of the
 * lines are 9 arc minutes high from two metres, those of modifiers and notes 8.
 */
export function Room({
  title,
  controls,
  children,
}: {
  title: string;
  controls: ReactNode;
  children: ReactNode;
}) {
  const { t } = useOffice();
  const room = useRef<HTMLDivElement>(null);
  const [isFull, setFull] = useState(false);
  useEffect(() => {
    const look = () => setFull(document.fullscreenElement === room.current && room.current !== null);
    document.addEventListener('fullscreenchange', look);
    return () => document.removeEventListener('fullscreenchange', look);
  }, []);
  const toggle = () => void (isFull ? document.exitFullscreen() : room.current?.requestFullscreen());
  return (
    <div
      ref={room}
      className={cx('flex flex-col gap-6 pb-24', isFull && 'overflow-y-auto bg-paper p-6')}
      style={{ '--work-scale': isFull ? 1.6 : 1 } as CSSProperties}
    >
      <header className="flex flex-wrap items-end justify-between gap-4">
        <h1 className="font-sans font-semibold text-xl">{title}</h1>
        <div className="flex flex-wrap items-end gap-4">
          {controls}
          {document.fullscreenEnabled && (
            <Button
              label={t(isFull ? 'desk.leaveFull' : 'desk.fullScreen')}
              variant="secondary"
              onClick={toggle}
            />
          )}
        </div>
      </header>
      {children}
    </div>
  );
}
