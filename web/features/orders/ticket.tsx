import type { ReactNode } from 'react';
import { TicketMark } from '#brand/browser.ts';
import { inLocale } from '#contract/locales.ts';
import { personName } from '#contract/names.ts';
import type { Order } from '#contract/schemas/order.ts';
import type { AppContent, PickupLocation } from '#contract/schemas/shop.ts';
import { formatDate } from '#ui/format.ts';
import { useLocale, useT } from '#ui/i18n.tsx';
import { addressLines } from '#web/lib/address.ts';
import { OrderMoney } from './order-parts.tsx';
import './ticket.css';

export interface TicketProps {
  order: Order;
  /** The store for pickup or dine-in. */
  store: PickupLocation | undefined;
  shop: Pick<AppContent, 'extras' | 'shopName'> | undefined;
  /** The lines and the bill. */
  children: ReactNode;
}

const partClass = 'mt-4 border-edge border-t-[1.5px] border-dashed pt-4';

/** A placed order as a ticket: on the confirmation, the order's page, the page of its link, and on paper. */
export function Ticket({ order, store, shop, children }: TicketProps) {
  const t = useT();
  const locale = useLocale();
  const { orderNumber, placedAt, timeZone } = order;
  return (
    <aside className="ticket self-start" aria-label={t('ticket.title')}>
      <div className="ticket-paper">
        <header className="flex flex-col items-center gap-2 text-center">
          <TicketMark shop={shop} />
          <p className="font-serif text-lg">{shop?.shopName}</p>
          <p className="leading-tight">
            <span className="text-ink-soft text-sm">{t('confirm.number')}</span>
            <strong className="block font-semibold text-[3rem]/[1.1] tabular-nums">{counterNumber(orderNumber ?? '')}</strong>
            <span className="whitespace-nowrap text-ink-soft text-sm tabular-nums">{orderNumber}</span>
          </p>
          {placedAt !== null && <p className="text-ink-soft text-sm">{formatDate(placedAt, locale, timeZone, 'dateTime')}</p>}
        </header>
        <div className={partClass}>
          <Destination order={order} store={store} />
        </div>
        <div className={partClass}>{children}</div>
        <div className={`${partClass} text-center text-sm`}>
          <OrderMoney order={order} />
          {store && <p className="hidden text-ink-soft print:block">{store.phone}</p>}
        </div>
      </div>
    </aside>
  );
}

/** The part of an order number that is called at the counter: its last group, 000204 of MC-2026-000204. */
function counterNumber(orderNumber: string): string {
  return orderNumber.split('-').at(-1) ?? orderNumber;
}

/** Where the order goes, and when. */
function Destination({ order, store }: Pick<TicketProps, 'order' | 'store'>) {
  const t = useT();
  const locale = useLocale();
  const { method, shippingAddress, shippingContact, tableNumber, partySize, pickupDate, deliveryMinutes, placedAt, timeZone } =
    order;
  const name = store && inLocale(store.nameContent, locale);
  const lines =
    method === 'shipping'
      ? [shippingContact && personName(shippingContact), ...(shippingAddress ? addressLines(shippingAddress) : [])]
      : [name, ...(store ? addressLines(store.address) : [])];
  const delivered = deliveryMinutes === undefined || placedAt === null ? null : placedAt + deliveryMinutes * 60_000;
  const at = pickupDate ?? delivered;
  const when = at === null ? null : formatDate(at, locale, timeZone, 'dayTime');
  return (
    <>
      <p className="font-semibold text-lg">
        {tableNumber ? t('account.order.table', { table: tableNumber }) : t(`checkout.method.${method ?? 'shipping'}`)}
      </p>
      {partySize !== undefined && (
        <p className="text-sm">
          {t('checkout.partySize.label')} {partySize}
        </p>
      )}
      {when && <p className="font-semibold text-lg">{when}</p>}
      {lines.filter(Boolean).map((line) => (
        <p key={line} className="text-sm">
          {line}
        </p>
      ))}
    </>
  );
}
