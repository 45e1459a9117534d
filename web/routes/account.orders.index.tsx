import { useInfiniteQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import type { OrderBrief } from '#contract/schemas/account.ts';
import type { User } from '#contract/schemas/shop.ts';
import { Button, LinkButton } from '#ui/button.tsx';
import { formatDate } from '#ui/format.ts';
import { useLocale, useT } from '#ui/i18n.tsx';
import { Icon } from '#ui/icon.tsx';
import { Link } from '#ui/link.tsx';
import { EmptyState } from '#ui/notice.tsx';
import {
  AccountFrame,
  CustomerOnly,
  ListSkeleton,
  LoadFailed,
} from '#web/features/account/account-frame.tsx';
import { ordersQuery } from '#web/features/account/queries.ts';
import { useApi } from '#web/lib/api.ts';
import { pageHead } from '#web/lib/head.ts';
import { urls } from '#web/lib/urls.ts';
import { Picture } from '#web/ui/picture.tsx';
import { Money } from '#web/ui/price.tsx';
import { StateLine } from '../features/orders/order-parts.tsx';

const mostPictures = 4;

export const Route = createFileRoute('/account/orders/')({
  loader: ({ context }) => ({ title: context.t('account.orders.title') }),
  head: ({ matches, loaderData }) => pageHead(matches, loaderData),
  component: OrdersRoute,
});

function OrdersRoute() {
  const t = useT();
  const title = t('account.orders.title');
  return (
    <AccountFrame title={title} name={title}>
      <CustomerOnly skeleton={<ListSkeleton />}>{(user) => <Orders user={user} />}</CustomerOnly>
    </AccountFrame>
  );
}

function Orders({ user }: { user: User }) {
  const api = useApi();
  const orders = useInfiniteQuery(ordersQuery(api, user.id));
  if (orders.isError && !orders.data) return <LoadFailed onRetry={() => void orders.refetch()} />;
  if (!orders.data) return <ListSkeleton />;
  return (
    <OrderList
      orders={orders.data.pages.flat()}
      onMore={orders.hasNextPage ? () => void orders.fetchNextPage() : undefined}
      busy={orders.isFetchingNextPage}
    />
  );
}

interface OrderListProps {
  orders: OrderBrief[];
  /** Loads older orders; undefined if there are none. */
  onMore: (() => void) | undefined;
  busy: boolean;
}

function OrderList({ orders, onMore, busy }: OrderListProps) {
  const t = useT();
  if (orders.length === 0) {
    return (
      <EmptyState
        icon="bag"
        title={t('account.orders.empty')}
        actions={<LinkButton href={urls.home()}>{t('account.orders.shop')}</LinkButton>}
      >
        {t('account.orders.emptyText')}
      </EmptyState>
    );
  }
  return (
    <>
      <ul className="border-line border-t">
        {orders.map((order) => (
          <li key={order.orderID} className="border-line border-b">
            <OrderRow order={order} />
          </li>
        ))}
      </ul>
      {onMore && (
        <p className="mt-8 text-center">
          <Button label={t('account.orders.more')} variant="secondary" busy={busy} onClick={onMore} />
        </p>
      )}
    </>
  );
}

function OrderRow({ order }: { order: OrderBrief }) {
  const t = useT();
  const locale = useLocale();
  const { orderID, orderNumber, placedAt, lineItems, state, method } = order;
  const pictured = lineItems.filter(({ image }) => image).slice(0, mostPictures);
  const units = lineItems.reduce((sum, { quantity }) => sum + quantity, 0);
  return (
    <div className="relative grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-6 gap-y-3 py-6 product:grid-cols-[minmax(0,1fr)_auto_auto]">
      <div>
        <p className="font-semibold text-lg">
          <Link href={urls.order(orderID ?? '')} className="after:absolute after:inset-0 hover:underline">
            {orderNumber}
          </Link>
        </p>
        <p className="text-ink-soft">
          {placedAt !== null && <>{formatDate(placedAt, locale, order.timeZone, 'date')} · </>}
          {t('account.orders.items', { count: units })}
        </p>
        <StateLine state={state} method={method} />
      </div>
      <Icon name="chevron-right" className="text-ink-soft product:order-last" />
      <div className="flex flex-wrap items-center gap-3 max-product:col-span-full">
        {pictured.map(({ id, image }) => (
          <span key={id} className="w-18">
            {image && <Picture image={image} sizes="4.5rem" alt="" shape="square" />}
          </span>
        ))}
        {lineItems.length > pictured.length && pictured.length > 0 && (
          <span className="text-ink-soft">+{lineItems.length - pictured.length}</span>
        )}
        <Money
          cents={order.total}
          currency={order.currency}
          className="ml-auto min-w-20 text-right font-semibold"
        />
      </div>
    </div>
  );
}
