import type { ReactNode } from 'react';
import { inLocale } from '#contract/locales.ts';
import { personName } from '#contract/names.ts';
import type { Address, Contact, Order } from '#contract/schemas/order.ts';
import type { AppContent, PickupLocation } from '#contract/schemas/shop.ts';
import { formatDate } from '#ui/format.ts';
import { useLocale, useT } from '#ui/i18n.tsx';
import { addressLines } from '#web/lib/address.ts';
import { DueNotice, OrderPictures, OrderShipments, OrderTimeline, paymentWords, Ticket } from './order-parts.tsx';

interface OrderDetailProps {
  order: Order;
  stores: PickupLocation[];
  shop: AppContent | undefined;
  actions: ReactNode;
  receipt: ReactNode;
}

export function OrderDetail({ order, stores, shop, actions, receipt }: OrderDetailProps) {
  const t = useT();
  const store = order.unlistedStore ?? stores.find(({ localStoreName }) => localStoreName === order.localStoreName);
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

function OrderFacts({ order, store }: { order: Order; store: PickupLocation | undefined }) {
  const t = useT();
  const locale = useLocale();
  const { method, shippingAddress, billingAddress, orderContact: contact, pickupDate, reservedUntil, timeZone } = order;
  const paid = paymentWords(order);
  return (
    <dl className="grid gap-x-8 gap-y-6 product:grid-cols-2">
      {shippingAddress && (
        <Fact label={t('confirm.shipping.to')}>
          <AddressBlock address={shippingAddress} person={order.shippingContact} />
        </Fact>
      )}
      {method !== 'shipping' && store && (
        <Fact label={t('confirm.pickup.at')}>
          <span className="block">{inLocale(store.nameContent, locale)}</span>
          <AddressBlock address={store.address} person={null} />
          {order.tableNumber && <span className="block">{t('account.order.table', { table: order.tableNumber })}</span>}
        </Fact>
      )}
      {pickupDate !== null && <Fact label={t('confirm.pickup.when')}>{formatDate(pickupDate, locale, timeZone, 'dayTime')}</Fact>}
      {reservedUntil !== undefined && (
        <Fact label={t('account.order.keptUntil')}>{formatDate(reservedUntil, locale, timeZone, 'dayTime')}</Fact>
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
          <AddressBlock address={billingAddress} person={null} />
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

/** A postal address in the order of its country, below the name of the person. */
function AddressBlock({ address, person }: { address: Address; person: Contact | null }) {
  const lines = [person ? personName(person) : '', ...addressLines(address)].filter(Boolean);
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
