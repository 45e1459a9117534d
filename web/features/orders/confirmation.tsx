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
import { Icon } from '#web/ui/icon.tsx';
import { Frame } from '#web/ui/layout.tsx';
import { LinkButton } from '#web/ui/link-button.tsx';
import { printIcon } from '#web/ui/page-icons.ts';
import { Skeleton, SkeletonText } from '#web/ui/skeleton.tsx';
import { OrderNextSteps } from './order-next-steps.tsx';
import { orderQuery } from './queries.ts';
import { Reach } from './reach.tsx';

export interface ConfirmationProps {
  orderID: string;
  stores: PickupLocation[] | undefined;
  shop: AppContent | undefined;
  /** Business days of shipping: null if unknown, undefined while loading. */
  days: { min: number; max: number } | null | undefined;
  /** The lines and the bill. */
  receipt: (order: Order) => ReactNode;
}

/** The placed order, read from the server so that it survives a reload. */
export function Confirmation({ orderID, stores, shop, days, receipt }: ConfirmationProps) {
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
      <ThankYou order={order} />
      <div className="mt-10 grid gap-x-20 gap-y-12 menu:grid-cols-[minmax(0,1fr)_26rem]">
        <div className="flex flex-col gap-12">
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
        <aside className="self-start rounded-lg bg-surface-inset p-6 menu:p-8 print:p-0">
          <h2 className="mb-6 text-lg">{t('confirm.bill')}</h2>
          {receipt(order)}
        </aside>
      </div>
    </Frame>
  );
}

function ThankYou({ order }: { order: Order }) {
  const t = useT();
  const locale = useLocale();
  const { orderContact: contact, orderNumber, placedAt, state, timeZone } = order;
  const name = contact && addressedName(contact, t);
  const over = state === 'cancelled' ? 'confirm.over.title' : state === 'lapsed' ? 'confirm.over.lapsedTitle' : null;
  return (
    <header className="flex flex-col items-start gap-3">
      <span className="flex size-12 items-center justify-center rounded-full bg-action-tint text-action print:hidden">
        <Icon name={over ? 'info' : 'check'} />
      </span>
      <h1 tabIndex={-1}>{over ? t(over) : name ? t('confirm.titleNamed', { name }) : t('confirm.title')}</h1>
      <p className="text-lg">
        {t('confirm.number')} <strong className="whitespace-nowrap font-semibold tabular-nums">{orderNumber}</strong>
      </p>
      <p className="text-ink-soft">
        {placedAt !== null && t('confirm.placed', { when: formatDate(placedAt, locale, timeZone, 'dateTime') })}
      </p>
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
      <div className="mt-10 grid gap-x-20 gap-y-12 menu:grid-cols-[minmax(0,1fr)_26rem]">
        <SkeletonText lines={6} className="max-w-prose" />
        <Skeleton className="h-80 rounded-lg" />
      </div>
    </Frame>
  );
}
