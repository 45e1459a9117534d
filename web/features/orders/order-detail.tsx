import type { ReactNode } from 'react';
import { addressLines, receiverLines } from '#contract/addresses.ts';
import { inLocale } from '#contract/locales.ts';
import { personName } from '#contract/names.ts';
import type { Order } from '#contract/schemas/order.ts';
import type { AppContent, PickupLocation } from '#contract/schemas/shop.ts';
import { formatDate } from '#ui/format.ts';
import { useLocale, useT } from '#ui/i18n.tsx';
import {
  DueNotice,
  OrderPictures,
  OrderShipments,
  OrderTimeline,
  paymentWords,
  Ticket,
} from './order-parts.tsx';

interface OrderDetailProps {
  order: Order;
  stores: PickupLocation[];
  shop: AppContent | undefined;
  actions: ReactNode;
  receipt: ReactNode;
}

export function OrderDetail({ order, stores, shop, actions, receipt }: OrderDetailProps) {
  const t = useT();
  const store =
    order.unlistedStore ?? stores.find(({ localStoreName }) => localStoreName === order.localStoreName);
  return (
    <div className="grid gap-x-20 gap-y-12 menu:grid-cols-[minmax(0,1fr)_24rem]">
      <div className="flex min-w-0 flex-col gap-10 print:hidden">
        <DueNotice order={order} />
        <OrderPictures lines={order.lineItems} />
        <section>
          <h2 className="mb-5 text-lg">{t('account.order.status')}</h2>
          <OrderTimeline order={order} />
        </section>
        <OrderShipments order={order} />
        <section>
          <h2 className="mb-5 text-lg">{t('account.order.details')}</h2>
          <OrderFacts order={order} store={store} />
        </section>
        {actions}
      </div>
      <Ticket order={order} store={store} shop={shop}>
        {receipt}
      </Ticket>
    </div>
  );
}

export function OrderFacts({ order, store }: { order: Order; store: PickupLocation | undefined }) {
  const t = useT();
  const locale = useLocale();
  const {
    method,
    shippingAddress,
    billingAddress,
    orderContact: contact,
    pickupDate,
    reservedUntil,
    timeZone,
  } = order;
  const paid = paymentWords(order);
  return (
    <dl className="grid gap-x-8 gap-y-6 product:grid-cols-2">
      {shippingAddress && (
        <Fact label={t('confirm.shipping.to')}>
          <AddressBlock lines={receiverLines({ ...order, contact })} />
        </Fact>
      )}
      {method !== 'shipping' && store && (
        <Fact label={t('confirm.pickup.at')}>
          <span className="block">{inLocale(store.nameContent, locale)}</span>
          <AddressBlock lines={addressLines(store.address)} />
          {order.tableNumber && (
            <span className="block">{t('account.order.table', { table: order.tableNumber })}</span>
          )}
        </Fact>
      )}
      {pickupDate !== null && (
        <Fact label={t('confirm.pickup.when')}>{formatDate(pickupDate, locale, timeZone, 'dayTime')}</Fact>
      )}
      {reservedUntil !== undefined && (
        <Fact label={t('account.order.keptUntil')}>
          {formatDate(reservedUntil, locale, timeZone, 'dayTime')}
        </Fact>
      )}
      {contact && (
        <Fact label={t('account.order.contact')}>
          {[personName(contact), contact.email, contact.phoneNumber].filter(Boolean).map((line) => (
            <span key={line} className="block break-words">
              {line}
            </span>
          ))}
        </Fact>
      )}
      {billingAddress && (
        <Fact label={t('account.order.billing')}>
          <AddressBlock lines={addressLines(billingAddress)} />
        </Fact>
      )}
      {paid && <Fact label={t('account.order.payment')}>{t(paid)}</Fact>}
      {order.customerComment && (
        <Fact label={t('confirm.note')}>
          <span className="whitespace-pre-line">{order.customerComment}</span>
        </Fact>
      )}
    </dl>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="mb-1 text-ink-soft text-sm">{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function AddressBlock({ lines }: { lines: readonly string[] }) {
  return (
    <address className="not-italic">
      {lines.map((line) => (
        <span key={line} className="block">
          {line}
        </span>
      ))}
    </address>
  );
}
