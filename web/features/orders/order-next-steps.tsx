import { type ReactNode, useEffect, useState } from 'react';
import { weekdays } from '#contract/limits.ts';
import { inLocale } from '#contract/locales.ts';
import { paidMessages } from '#contract/payment-providers.ts';
import type { Order } from '#contract/schemas/order.ts';
import type { PickupLocation } from '#contract/schemas/shop.ts';
import { useLocale, useT } from '#web/i18n/i18n.tsx';
import { addressLines } from '#web/lib/address.ts';
import { formatCalendarDay, formatDate, formatMoney } from '#web/lib/format.ts';
import { useDirectionsUrl } from '#web/lib/use-directions-url.ts';
import { ButtonLabel, buttonClass } from '#web/ui/button.tsx';
import { Icon, type IconName } from '#web/ui/icon.tsx';
import { calendarIcon, cardIcon, clockIcon, mailIcon } from '#web/ui/page-icons.ts';
import { AddressBlock } from './address-block.tsx';
import { calendarFile } from './calendar-file.ts';
import { orderStateLabel } from './order-state-label.ts';

interface OrderNextStepsProps {
  order: Order;
  /** The store for pickup or dine-in. */
  store: PickupLocation | undefined;
  shopName: string;
  /** Business days of shipping, if known. */
  days: { min: number; max: number } | null;
}

/** The customer's next step: when, where, what is still to be paid, and the reservation deadline. */
export function OrderNextSteps({ order, store, shopName, days }: OrderNextStepsProps) {
  const t = useT();
  const locale = useLocale();
  const { bill, method, state } = order;
  const amount = formatMoney(bill.total, locale, bill.currency);
  const name = store ? inLocale(store.nameContent, locale) : '';
  const isNew = state === 'placed' || state === 'reserved';
  if (state === 'cancelled' || state === 'lapsed' || state === 'completed') return <Over order={order} />;
  return (
    <section className="flex flex-col gap-4">
      <h2>{t('confirm.next')}</h2>
      {method === 'shipping' && <Step icon="truck">{shippingText(state, days, t)}</Step>}
      {method === 'pickup' && <Step icon="store">{pickupText(order, store, name, t, locale)}</Step>}
      {method === 'instore' && <Step icon="cup">{t('confirm.instore.next', { table: order.tableNumber ?? '' })}</Step>}
      <Step icon={cardIcon}>{t(paidWords(order), { amount })}</Step>
      {order.reservedUntil !== undefined && store && (
        <Step icon={clockIcon}>
          {t('confirm.keptUntil', { when: formatDate(order.reservedUntil, locale, store.timeZone, 'dayTime') })}
        </Step>
      )}
      {isNew && order.orderContact?.email && (
        <Step icon={mailIcon}>{t('confirm.mail', { email: order.orderContact.email })}</Step>
      )}
      {method === 'shipping' && <ShippedTo order={order} />}
      {method === 'pickup' && store && <PickedUp order={order} store={store} name={name} shopName={shopName} />}
    </section>
  );
}

function paidWords({ bill, orderReserved, payment, method }: Order) {
  if (bill.total === 0) return 'confirm.free';
  if (!orderReserved) return paidMessages(payment?.method ?? '').confirm;
  return method === 'instore' ? 'confirm.payStore.instore' : 'confirm.payStore.pickup';
}

/** Nothing happens next: the order was fulfilled, cancelled or not picked up. */
function Over({ order: { state, method, payment } }: { order: Order }) {
  const t = useT();
  if (state === 'completed') return <Step icon="check">{t(orderStateLabel(state, method))}</Step>;
  const cancelled = payment?.paid ? 'confirm.over.cancelledPaid' : 'confirm.over.cancelled';
  return <Step icon="info">{t(state === 'lapsed' ? 'confirm.over.lapsed' : cancelled)}</Step>;
}

function shippingText(state: Order['state'], days: OrderNextStepsProps['days'], t: ReturnType<typeof useT>): string {
  if (state === 'shipped') return t(orderStateLabel(state, 'shipping'));
  return days ? t('confirm.shipping.next', days) : t('confirm.shipping.nextPlain');
}

function pickupText(
  order: Order,
  store: PickupLocation | undefined,
  name: string,
  t: ReturnType<typeof useT>,
  locale: ReturnType<typeof useLocale>,
): string {
  if (order.pickupDate === null || !store) return t('confirm.pickup.nextNoTime', { store: name });
  return t('confirm.pickup.next', { store: name, when: formatDate(order.pickupDate, locale, store.timeZone, 'dayTime') });
}

function Step({ icon, children }: { icon: IconName; children: ReactNode }) {
  return (
    <p className="flex max-w-prose items-start gap-3">
      <Icon name={icon} size={22} className="mt-0.5 text-action" />
      <span className="min-w-0">{children}</span>
    </p>
  );
}

function ShippedTo({ order }: { order: Order }) {
  const t = useT();
  const { shippingAddress: address, shippingContact: person } = order;
  if (!address) return null;
  return (
    <dl className="mt-2">
      <Fact label={t('confirm.shipping.to')}>
        <AddressBlock address={address} person={person} />
      </Fact>
    </dl>
  );
}

function PickedUp({ order, store, name, shopName }: { order: Order; store: PickupLocation; name: string; shopName: string }) {
  const t = useT();
  const directions = useDirectionsUrl(store, name);
  return (
    <>
      <dl className="mt-2 grid gap-6 product:grid-cols-2">
        <Fact label={t('confirm.pickup.at')}>
          <span className="block">{name}</span>
          {addressLines(store.address).map((line) => (
            <span key={line} className="block">
              {line}
            </span>
          ))}
          <a href={directions} rel="noopener" className="link mt-2 inline-block print:hidden">
            {t('confirm.pickup.directions')}
          </a>
        </Fact>
        <Fact label={t('confirm.pickup.hours')}>
          <Hours store={store} from={order.placedAt ?? 0} />
        </Fact>
      </dl>
      {order.pickupDate !== null && (
        <CalendarLink order={order} start={order.pickupDate} store={store} name={name} shopName={shopName} />
      )}
    </>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt className="mb-1 text-ink-soft text-sm">{label}</dt>
      <dd>{children}</dd>
    </div>
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
    ...special.map(({ date, hours }) => ({ key: date, label: formatCalendarDay(date, locale, 'day'), hours })),
  ];
  return (
    <table className="tabular-nums">
      <tbody>
        {rows.map(({ key, label, hours }) => (
          <tr key={key}>
            <th scope="row" className="pr-6 text-left font-normal">
              {label}
            </th>
            <td>{hours ? `${hours.open}–${hours.close}` : t('confirm.closed')}</td>
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
    <p className="mt-2 print:hidden">
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
    </p>
  );
}
