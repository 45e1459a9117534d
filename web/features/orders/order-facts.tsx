import type { ReactNode } from 'react';
import { inLocale } from '#contract/locales.ts';
import { personName } from '#contract/names.ts';
import type { Order } from '#contract/schemas/order.ts';
import type { PickupLocation } from '#contract/schemas/shop.ts';
import { formatDate } from '#ui/format.ts';
import { useLocale, useT } from '#ui/i18n.tsx';
import { AddressBlock } from './address-block.tsx';
import { paymentWords } from './payment-words.ts';

/** The order's delivery, contact and payment. */
export function OrderFacts({ order, store }: { order: Order; store: PickupLocation | undefined }) {
  const t = useT();
  const locale = useLocale();
  const { method, shippingAddress, billingAddress, orderContact: contact, pickupDate, reservedUntil, payment, timeZone } = order;
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
      {payment && <Fact label={t('account.order.payment')}>{t(paymentWords(order.state, payment))}</Fact>}
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
