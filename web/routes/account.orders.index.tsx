import { useInfiniteQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import type { User } from '#contract/schemas/shop.ts';
import { useT } from '#ui/i18n.tsx';
import { AccountFrame, CustomerOnly, ListSkeleton, LoadFailed } from '#web/features/account/account-frame.tsx';
import { ordersQuery } from '#web/features/account/queries.ts';
import { OrderList } from '#web/features/orders/order-list.tsx';
import { useApi } from '#web/lib/api.ts';
import { pageHead } from '#web/lib/head.ts';

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
