import { type ReactNode, useEffect, useState } from 'react';
import { addressLines } from '#contract/addresses.ts';
import { weekdays } from '#contract/limits.ts';
import { inLocale, type Locale } from '#contract/locales.ts';
import { hoursText } from '#contract/rules/opening-hours.ts';
import type { Order } from '#contract/schemas/order.ts';
import type { PickupLocation } from '#contract/schemas/shop.ts';
import type { Translate } from '#contract/translate.ts';
import { ButtonLabel, buttonClass } from '#ui/button.tsx';
import { formatCalendarDay, formatDate, formatTotal } from '#ui/format.ts';
import { useLocale, useT } from '#ui/i18n.tsx';
import { Icon, type IconName } from '#ui/icon.tsx';
import { calendarIcon, cardIcon, clockIcon, mailIcon, phoneIcon } from '#ui/page-icons.ts';
import { useDirectionsUrl } from '#web/lib/address.ts';
import { arrivalText } from '#web/lib/arrival.ts';
import { OrderShipments, orderStateLabel } from './order-parts.tsx';

interface OrderNextStepsProps {
  order: Order;
  store: PickupLocation | undefined;
  shopName: string;
}

/** The customer's next step: when, where, what is still to be paid, and the reservation deadline. */
export function OrderNextSteps({ order, store, shopName }: OrderNextStepsProps) {
  const t = useT();
  const locale = useLocale();
  const { bill, method, state } = order;
  const amount = formatTotal(order.due ?? bill.total, locale, bill.currency, order);
  const name = store ? inLocale(store.nameContent, locale) : '';
  const isNew = state === 'placed' || state === 'reserved';
  if (state === 'cancelled' || state === 'lapsed' || state === 'completed') return <Over order={order} />;
  return (
    <section className="flex flex-col gap-4">
      <h2>{t('confirm.next')}</h2>
      {method === 'shipping' && <Step icon="truck">{shippingText(order, t, locale)}</Step>}
      <OrderShipments order={order} />
      {method === 'pickup' && (
        <Step icon="store">
          {t(order.pickupDate === null ? 'confirm.pickup.anyTime' : 'confirm.pickup.number')}
        </Step>
      )}
      {method === 'instore' && (
        <Step icon="cup">{t('confirm.instore.next', { table: order.tableNumber ?? '' })}</Step>
      )}
      {(bill.total === 0 || (!order.payment?.paid && order.dueVersion === undefined)) && (
        <Step icon={cardIcon}>{t(unpaidWords(order), { amount })}</Step>
      )}
      {order.reservedUntil !== undefined && store && (
        <Step icon={clockIcon}>
          {t('confirm.keptUntil', {
            when: formatDate(order.reservedUntil, locale, store.timeZone, 'dayTime'),
          })}
        </Step>
      )}
      {isNew && order.orderContact?.email && (
        <Step icon={mailIcon}>{t('confirm.mail', { email: order.orderContact.email })}</Step>
      )}
      {method === 'pickup' && store && (
        <PickedUp order={order} store={store} name={name} shopName={shopName} />
      )}
    </section>
  );
}

function unpaidWords({ bill, method }: Order) {
  if (bill.total === 0) return 'confirm.free';
  return method === 'instore' ? 'confirm.payStore.instore' : 'confirm.payStore.pickup';
}

/** Nothing happens next: the order was fulfilled, cancelled or not picked up. */
function Over({ order: { state, method, payment } }: { order: Order }) {
  const t = useT();
  if (state === 'completed') return <Step icon="check">{t(orderStateLabel(state, method))}</Step>;
  const cancelled = payment?.paid ? 'confirm.over.cancelledPaid' : 'confirm.over.cancelled';
  return <Step icon="info">{t(state === 'lapsed' ? 'confirm.over.lapsed' : cancelled)}</Step>;
}

function shippingText(
  { state, arrival, deliveryMinutes, placedAt, timeZone }: Order,
  t: Translate,
  locale: Locale,
): ReactNode {
  if (state === 'shipped') return t(orderStateLabel(state, 'shipping'));
  if (deliveryMinutes !== undefined && placedAt !== null) {
    const time = formatDate(placedAt + deliveryMinutes * 60_000, locale, timeZone, 'dayTime');
    return t('confirm.delivery.about', { time });
  }
  return (
    <>
      {t('confirm.shipping.nextPlain')}
      {arrival && <strong className="block font-semibold">{arrivalText(arrival, t, locale)}</strong>}
    </>
  );
}

function Step({ icon, children }: { icon: IconName; children: ReactNode }) {
  return (
    <p className="flex max-w-prose items-start gap-3">
      <Icon name={icon} size={22} className="mt-0.5 text-action" />
      <span className="min-w-0">{children}</span>
    </p>
  );
}

/** The hours of the store, whose address the ticket has, and how to be there in time. */
function PickedUp({
  order,
  store,
  name,
  shopName,
}: {
  order: Order;
  store: PickupLocation;
  name: string;
  shopName: string;
}) {
  const t = useT();
  const directions = useDirectionsUrl(store, name);
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-6 gap-y-3 print:hidden">
        {order.pickupDate !== null && (
          <CalendarLink
            order={order}
            start={order.pickupDate}
            store={store}
            name={name}
            shopName={shopName}
          />
        )}
        <a href={directions} rel="noopener" className="link py-1">
          {t('confirm.pickup.directions')}
        </a>
      </div>
      <section>
        <h3 className="mb-1 font-sans text-ink-soft text-sm">{t('confirm.pickup.hours')}</h3>
        <Hours store={store} from={order.placedAt ?? 0} />
      </section>
    </>
  );
}

/** The hours of the week, and of special dates from `from` (epoch ms) on. */
function Hours({ store, from }: { store: PickupLocation; from: number }) {
  const t = useT();
  const locale = useLocale();
  const first = new Date(from).toISOString().slice(0, 10);
  const special = store.specialHours.filter(({ date }) => date >= first);
  const rows = [
    ...weekdays.map((day) => ({ key: day, label: t(`day.${day}`), hours: store.openingHours[day] })),
    ...special.map(({ date, hours }) => ({
      key: date,
      label: formatCalendarDay(date, locale, 'day'),
      hours,
    })),
  ];
  return (
    <table className="tabular-nums">
      <tbody>
        {rows.map(({ key, label, hours }) => (
          <tr key={key}>
            <th scope="row" className="pr-6 text-left font-normal">
              {label}
            </th>
            <td>{hours ? hoursText(hours, t('ui.listSeparator')) : t('confirm.closed')}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The length of the calendar entry, minutes. */
const visitMinutes = 15;

interface CalendarLinkProps {
  order: Order;
  start: number;
  store: PickupLocation;
  name: string;
  shopName: string;
}

/** A calendar file for the customer: a data URL without scripts, else a file that the browser names and opens properly. */
function CalendarLink({ order, start, store, name, shopName }: CalendarLinkProps) {
  const t = useT();
  const [url, setUrl] = useState<string>();
  const number = order.orderNumber ?? '';
  const text = calendarFile({
    uid: `${order.orderID ?? number}@pickup`,
    start,
    minutes: visitMinutes,
    made: order.placedAt ?? start,
    title: t('confirm.pickup.event', { shop: shopName, number }),
    place: [name, ...addressLines(store.address)].join(', '),
    description: t('confirm.pickup.eventText', { shop: shopName, number, phone: store.phone }),
  });
  useEffect(() => {
    const made = URL.createObjectURL(new Blob([text], { type: 'text/calendar;charset=utf-8' }));
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [text]);
  return (
    <a
      href={url ?? `data:text/calendar;charset=utf-8,${encodeURIComponent(text)}`}
      download={`${number || 'pickup'}.ics`}
      className={buttonClass({ variant: 'secondary' })}
    >
      <ButtonLabel>
        <Icon name={calendarIcon} size={20} />
        {t('confirm.pickup.calendar')}
      </ButtonLabel>
    </a>
  );
}

/** A calendar file (RFC 5545) for picking up an order, created in the browser. */

interface CalendarEvent {
  /** Makes two downloads for one order the same entry. */
  uid: string;
  /** Epoch ms. */
  start: number;
  minutes: number;
  /** When the file was created, epoch ms. */
  made: number;
  title: string;
  place: string;
  description: string;
}

export function calendarFile({
  uid,
  start,
  minutes,
  made,
  title,
  place,
  description,
}: CalendarEvent): string {
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Shopwright//Pickup//EN',
    'METHOD:PUBLISH',
    'BEGIN:VEVENT',
    `UID:${escapeText(uid)}`,
    `DTSTAMP:${utc(made)}`,
    `DTSTART:${utc(start)}`,
    `DTEND:${utc(start + minutes * 60_000)}`,
    `SUMMARY:${escapeText(title)}`,
    `LOCATION:${escapeText(place)}`,
    `DESCRIPTION:${escapeText(description)}`,
    'BEGIN:VALARM',
    'ACTION:DISPLAY',
    `DESCRIPTION:${escapeText(title)}`,
    'TRIGGER:-PT1H',
    'END:VALARM',
    'END:VEVENT',
    'END:VCALENDAR',
  ];
  return `${lines.map(fold).join('\r\n')}\r\n`;
}

function utc(at: number): string {
  return new Date(at).toISOString().replace(/[-:]|\.\d{3}/g, '');
}

function escapeText(text: string): string {
  return text.replace(/[\\;,]/g, (mark) => `\\${mark}`).replace(/\r?\n/g, '\\n');
}

/** A line has at most 75 bytes; the rest continues on the next line after a space. */
function fold(line: string): string {
  const bytes = new TextEncoder();
  let folded = '';
  let room = 75;
  for (const character of line) {
    const size = bytes.encode(character).length;
    if (size > room) {
      folded += '\r\n ';
      room = 74;
    }
    folded += character;
    room -= size;
  }
  return folded;
}

/** The shop's contact: the order's store, else the main one. */
export function Reach({ store, email }: ContactLinksProps) {
  const t = useT();
  return (
    <section className="flex flex-col gap-2">
      <h2 className="text-lg">{t('confirm.reach')}</h2>
      <p>{t('confirm.reach.text')}</p>
      <ContactLinks store={store} email={email} />
    </section>
  );
}

interface ContactLinksProps {
  store: PickupLocation | undefined;
  email: string | undefined;
  className?: string;
}

export function ContactLinks({
  store,
  email,
  className = 'flex flex-wrap gap-x-6 gap-y-1',
}: ContactLinksProps) {
  return (
    <ul className={className}>
      {store && (
        <ContactLink icon={phoneIcon} href={`tel:${store.phone.replace(/[^+\d]/g, '')}`}>
          {store.phone}
        </ContactLink>
      )}
      {email && (
        <ContactLink icon={mailIcon} href={`mailto:${email}`}>
          {email}
        </ContactLink>
      )}
    </ul>
  );
}

function ContactLink({ icon, href, children }: { icon: IconName; href: string; children: string }) {
  return (
    <li>
      <a href={href} className="link inline-flex min-h-11 items-center gap-2">
        <Icon name={icon} size={20} />
        {children}
      </a>
    </li>
  );
}
