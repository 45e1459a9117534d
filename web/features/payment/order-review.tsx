import type { ReactNode } from 'react';
import { inLocale } from '#contract/locales.ts';
import { personName } from '#contract/names.ts';
import type { Order } from '#contract/schemas/order.ts';
import type { PickupLocation } from '#contract/schemas/shop.ts';
import { formatDate } from '#ui/format.ts';
import { useLocale, useT } from '#ui/i18n.tsx';
import { Link } from '#ui/link.tsx';
import { addressLines } from '#web/lib/address.ts';
import { urls } from '#web/lib/urls.ts';

/** The choices made at checkout, in two rows, each with a link to change it. */
export function OrderReview({ order, store }: { order: Order; store: PickupLocation | undefined }) {
  const t = useT();
  const contact = order.orderContact;
  return (
    <dl className="divide-y divide-line rounded-lg border border-line px-5">
      <Row label={t(labels[order.method ?? 'shipping'])} change={t('payment.review.changeDelivery')}>
        <Destination order={order} store={store} />
      </Row>
      {contact && (
        <Row label={t('payment.review.contact')} change={t('payment.review.changeContact')}>
          {[contact.email, contact.phoneNumber].filter(Boolean).map((line) => (
            <span key={line} className="block">
              {line}
            </span>
          ))}
        </Row>
      )}
    </dl>
  );
}

const labels = { shipping: 'payment.review.deliver', pickup: 'payment.review.pickup', instore: 'payment.review.table' } as const;

function Destination({ order, store }: { order: Order; store: PickupLocation | undefined }) {
  const t = useT();
  const locale = useLocale();
  const name = store && inLocale(store.nameContent, locale);
  if (order.method === 'instore') return t('checkout.table.preset', { table: order.tableNumber ?? '', store: name ?? '' });
  if (order.method === 'pickup') {
    return (
      <>
        <span className="block">{name}</span>
        {order.pickupDate !== null && store && (
          <span className="block">{formatDate(order.pickupDate, locale, store.timeZone, 'dayTime')}</span>
        )}
      </>
    );
  }
  const { shippingAddress: address, shippingContact: person } = order;
  if (!address) return null;
  const lines = [person && personName(person), ...addressLines(address)];
  return lines.filter(Boolean).map((line) => (
    <span key={line} className="block">
      {line}
    </span>
  ));
}

function Row({ label, change, children }: { label: string; change: string; children: ReactNode }) {
  const t = useT();
  return (
    <div className="grid grid-cols-[1fr_auto] gap-x-4 py-4 menu:grid-cols-[7rem_1fr_auto]">
      <dt className="text-ink-soft max-menu:col-start-1">{label}</dt>
      <dd className="min-w-0 max-menu:row-start-2">{children}</dd>
      <dd className="max-menu:col-start-2 max-menu:row-start-1">
        <Link href={urls.checkout()} className="link" aria-label={change}>
          {t('payment.review.change')}
        </Link>
      </dd>
    </div>
  );
}
