import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { addressedName } from '#contract/names.ts';
import type { Order } from '#contract/schemas/order.ts';
import type { AppContent, PickupLocation } from '#contract/schemas/shop.ts';
import { useLocale, useT } from '#web/i18n/i18n.tsx';
import { isMissing } from '#web/lib/api.ts';
import { useApi } from '#web/lib/api-context.tsx';
import { formatDate } from '#web/lib/format.ts';
import { urls } from '#web/lib/urls.ts';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Frame } from '#web/ui/layout.tsx';
import { LinkButton } from '#web/ui/link-button.tsx';
import { printIcon } from '#web/ui/page-icons.ts';
import { Skeleton, SkeletonText } from '#web/ui/skeleton.tsx';
import { OrderFact } from './order-fact.tsx';
import { OrderNextSteps } from './order-next-steps.tsx';
import { OrderPictures } from './order-pictures.tsx';
import { OrderSteps } from './order-steps.tsx';
import { orderQuery } from './queries.ts';
import { Reach } from './reach.tsx';
import { counterNumber, Ticket, ticketNumberClass } from './ticket.tsx';

export interface ConfirmationProps {
  orderID: string;
  stores: PickupLocation[] | undefined;
  shop: AppContent | undefined;
  /** Business days of shipping: null if unknown, undefined while loading. */
  days: { min: number; max: number } | null | undefined;
  /** The lines and the bill. */
  receipt: (order: Order) => ReactNode;
  /** For guests: saving the order's details in an account. */
  saveDetails?: (order: Order) => ReactNode;
}

/** The placed order, read from the server so that it survives a reload. */
export function Confirmation({ orderID, stores, shop, days, receipt, saveDetails }: ConfirmationProps) {
  const t = useT();
  const query = useQuery(orderQuery(useApi(), orderID));
  const order = query.data;
  if (orderID === '' || (query.isError && isMissing(query.error))) return <MissingOrder shop={shop} />;
  if (query.isError && !order) {
    return (
      <Frame className="min-h-dvh">
        <EmptyState
          as="h1"
          icon="offline"
          title={t('shell.error.title')}
          actions={<Button onClick={() => void query.refetch()}>{t('cart.error.retry')}</Button>}
        >
          <p>{t('shell.error.text')}</p>
        </EmptyState>
      </Frame>
    );
  }
  if (!order || !stores || days === undefined) return <ConfirmationSkeleton />;
  const store = order.unlistedStore ?? stores.find(({ localStoreName }) => localStoreName === order.localStoreName);
  const mainStore = stores.find((each) => each.mainStore);
  return (
    <Frame className="min-h-dvh pt-10 pb-section">
      <ThankYou order={order} store={store} />
      <div className="mt-10 grid gap-x-20 gap-y-12 menu:grid-cols-[minmax(0,1fr)_24rem]">
        <div className="flex min-w-0 flex-col gap-12 print:hidden">
          {saveDetails?.(order)}
          <OrderNextSteps order={order} store={store} shopName={shop?.shopName ?? ''} days={days} />
          {order.customerComment && (
            <section>
              <h2 className="mb-2 text-lg">{t('confirm.note')}</h2>
              <p className="whitespace-pre-line">{order.customerComment}</p>
            </section>
          )}
          <Reach store={store ?? mainStore} email={store?.email ?? shop?.contactEmail} />
          <p className="flex flex-wrap gap-3 print:hidden">
            <LinkButton href={urls.home()}>{t('confirm.continue')}</LinkButton>
            <Button variant="secondary" icon={printIcon} onClick={() => window.print()}>
              {t('confirm.print')}
            </Button>
          </p>
        </div>
        <Ticket order={order} store={store} shop={shop}>
          {receipt(order)}
        </Ticket>
      </div>
    </Frame>
  );
}

function ThankYou({ order, store }: { order: Order; store: PickupLocation | undefined }) {
  const t = useT();
  const locale = useLocale();
  const { orderContact: contact, orderNumber, placedAt, state, timeZone } = order;
  const name = contact && addressedName(contact, t);
  const over = state === 'cancelled' ? 'confirm.over.title' : state === 'lapsed' ? 'confirm.over.lapsedTitle' : null;
  return (
    <header className="flex flex-col gap-5">
      <OrderPictures lines={order.lineItems} />
      <h1 tabIndex={-1}>{over ? t(over) : name ? t('confirm.titleNamed', { name }) : t('confirm.title')}</h1>
      <div className="flex flex-col gap-3 print:hidden">
        <OrderFact order={order} store={store} />
        {order.method === 'pickup' && (
          <p>
            {t('confirm.counter')} <strong className={ticketNumberClass}>{counterNumber(orderNumber ?? '')}</strong>
          </p>
        )}
        <p>
          {t('confirm.number')} <strong className="whitespace-nowrap font-semibold tabular-nums">{orderNumber}</strong>
          {placedAt !== null && (
            <span className="block text-ink-soft">
              {t('confirm.placed', { when: formatDate(placedAt, locale, timeZone, 'dateTime') })}
            </span>
          )}
        </p>
        <OrderSteps order={order} />
      </div>
    </header>
  );
}

function MissingOrder({ shop }: { shop: AppContent | undefined }) {
  const t = useT();
  return (
    <Frame className="min-h-dvh">
      <EmptyState
        as="h1"
        icon="search"
        title={t('confirm.missing.title')}
        actions={<LinkButton href={urls.home()}>{t('confirm.missing.action')}</LinkButton>}
      >
        <p>{t('confirm.missing.text')}</p>
        {shop && (
          <a href={`mailto:${shop.contactEmail}`} className="link">
            {shop.contactEmail}
          </a>
        )}
      </EmptyState>
    </Frame>
  );
}

function ConfirmationSkeleton() {
  return (
    <Frame className="min-h-dvh pt-10 pb-section">
      <div role="status" aria-label={useT()('confirm.loading')} className="flex flex-col gap-3">
        <Skeleton className="size-12 rounded-full" />
        <SkeletonText lines={1} className="max-w-md text-2xl" />
        <SkeletonText lines={2} className="max-w-md" />
      </div>
      <div className="mt-10 grid gap-x-20 gap-y-12 menu:grid-cols-[minmax(0,1fr)_24rem]">
        <SkeletonText lines={6} className="max-w-prose" />
        <Skeleton className="h-80 rounded-lg" />
      </div>
    </Frame>
  );
}
