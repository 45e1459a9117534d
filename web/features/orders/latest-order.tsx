import type { ReactNode } from 'react';
import { inLocale } from '#contract/locales.ts';
import type { OrderBrief } from '#contract/schemas/account.ts';
import type { PickupLocation } from '#contract/schemas/shop.ts';
import { LinkButton } from '#ui/button.tsx';
import { formatDate } from '#ui/format.ts';
import { useLocale, useT } from '#ui/i18n.tsx';
import { Link } from '#ui/link.tsx';
import { urls } from '#web/lib/urls.ts';
import { isUnderWay, OrderPictures, StateLine } from './order-parts.tsx';

interface LatestOrdersProps {
  /** The customer's orders, latest first; not empty. */
  orders: readonly OrderBrief[];
  stores: readonly PickupLocation[];
  reorder: (order: OrderBrief) => ReactNode;
}

/** The first part of an account: the latest order, and the next pickup if it is another one. */
export function LatestOrders({ orders, stores, reorder }: LatestOrdersProps) {
  const t = useT();
  const [latest] = orders;
  const pickup = nextPickup(orders);
  if (!latest) return null;
  return (
    <div className="grid gap-6">
      <section className="flex min-w-0 flex-col gap-4 rounded-lg bg-surface-inset p-6">
        <OrderHeading title={t('account.menu.latest')} order={latest} />
        <OrderPictures lines={latest.lineItems.slice(0, 4)} />
        <div>{reorder(latest)}</div>
      </section>
      {pickup && (
        <section className="flex flex-col gap-2 rounded-lg bg-surface-inset p-6">
          <OrderHeading title={t('account.menu.nextPickup')} order={pickup} />
          <PickupFact order={pickup} stores={stores} />
        </section>
      )}
    </div>
  );
}

/** In the place of the latest order, for a customer who has none. */
export function NoOrders() {
  const t = useT();
  return (
    <section className="flex flex-col items-start gap-4 rounded-lg bg-surface-inset p-6">
      <h2 className="text-lg">{t('account.orders.empty')}</h2>
      <p>{t('account.orders.emptyText')}</p>
      <LinkButton href={urls.home()}>{t('account.orders.shop')}</LinkButton>
    </section>
  );
}

function OrderHeading({ title, order }: { title: string; order: OrderBrief }) {
  return (
    <div>
      <h2 className="mb-2 text-lg">{title}</h2>
      <Link href={urls.order(order.orderID ?? '')} className="link font-semibold">
        {order.orderNumber}
      </Link>
      <StateLine state={order.state} method={order.method} />
    </div>
  );
}

function PickupFact({ order, stores }: { order: OrderBrief; stores: readonly PickupLocation[] }) {
  const locale = useLocale();
  const store = stores.find(({ localStoreName }) => localStoreName === order.localStoreName);
  return (
    <p>
      {order.pickupDate !== null && (
        <span className="block font-semibold">{formatDate(order.pickupDate, locale, order.timeZone, 'dayTime')}</span>
      )}
      {store && <span className="block text-ink-soft">{inLocale(store.nameContent, locale)}</span>}
    </p>
  );
}

/** The pickup under way with the earliest time; one without a time comes last. */
export function nextPickup(orders: readonly OrderBrief[]): OrderBrief | undefined {
  const waiting = orders.filter(({ method, state }) => method === 'pickup' && isUnderWay(state));
  return waiting.toSorted((a, b) => (a.pickupDate ?? Number.MAX_VALUE) - (b.pickupDate ?? Number.MAX_VALUE))[0];
}
