import type { ReactNode } from 'react';
import type { Order } from '#contract/schemas/order.ts';
import type { AppContent, PickupLocation } from '#contract/schemas/shop.ts';
import { useT } from '#ui/i18n.tsx';
import { OrderFacts } from './order-facts.tsx';
import { OrderPictures } from './order-pictures.tsx';
import { OrderTimeline } from './order-timeline.tsx';
import { Ticket } from './ticket.tsx';

export interface OrderDetailProps {
  order: Order;
  stores: PickupLocation[];
  shop: AppContent | undefined;
  /** The buttons to order again and to print. */
  actions: ReactNode;
  /** The lines and the bill. */
  receipt: ReactNode;
}

/** One of the customer's orders: its status, details and bill. */
export function OrderDetail({ order, stores, shop, actions, receipt }: OrderDetailProps) {
  const t = useT();
  const store = order.unlistedStore ?? stores.find(({ localStoreName }) => localStoreName === order.localStoreName);
  return (
    <div className="grid gap-x-20 gap-y-12 menu:grid-cols-[minmax(0,1fr)_24rem]">
      <div className="flex min-w-0 flex-col gap-10 print:hidden">
        <OrderPictures lines={order.lineItems} />
        <section>
          <h2 className="mb-5 text-lg">{t('account.order.status')}</h2>
          <OrderTimeline order={order} />
        </section>
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
