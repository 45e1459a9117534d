import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { createFileRoute, useNavigate } from '@tanstack/react-router';
import type { User } from '#contract/schemas/shop.ts';
import { useT } from '#ui/i18n.tsx';
import { Skeleton } from '#ui/layout.tsx';
import { AccountFrame, CustomerOnly, ListSkeleton } from '#web/features/account/account-frame.tsx';
import { AccountMenu, Greeting } from '#web/features/account/menu.tsx';
import { ordersQuery, useSession } from '#web/features/account/queries.ts';
import { inputOfLine } from '#web/features/cart/line-input.ts';
import { useAddToCart } from '#web/features/cart/use-cart.ts';
import { LatestOrders, NoOrders } from '#web/features/orders/latest-order.tsx';
import { Reorder } from '#web/features/orders/reorder.tsx';
import { useApi } from '#web/lib/api.ts';
import { pageHead } from '#web/lib/head.ts';
import { storesQuery } from '#web/lib/stores-query.ts';
import { urls } from '#web/lib/urls.ts';
import { useSessionChange } from './-session.ts';

export const Route = createFileRoute('/account/menu')({
  loader: ({ context }) => ({ title: context.t('account.menu.title') }),
  head: ({ matches, loaderData }) => pageHead(matches, loaderData),
  component: MenuRoute,
});

function MenuRoute() {
  const t = useT();
  const api = useApi();
  const { session } = useSession();
  const { leave } = useSessionChange();
  return (
    <AccountFrame title={t('account.menu.title')} lead={session?.user ? <Greeting user={session.user} /> : '\u00a0'}>
      <CustomerOnly skeleton={<ListSkeleton />}>
        {(user) => <AccountMenu user={user} orders={<Latest user={user} />} signOut={() => leave(() => api.call('logout'))} />}
      </CustomerOnly>
    </AccountFrame>
  );
}

/** If they fail to load, the menu begins with its links. */
function Latest({ user }: { user: User }) {
  const api = useApi();
  const navigate = useNavigate();
  const { add } = useAddToCart();
  const orders = useInfiniteQuery(ordersQuery(api, user.id));
  const stores = useQuery(storesQuery(api)).data ?? [];
  if (orders.isPending) return <Skeleton className="h-80 rounded-lg" />;
  const found = orders.data?.pages.flat();
  if (!found) return null;
  if (found.length === 0) return <NoOrders />;
  return (
    <LatestOrders
      orders={found}
      stores={stores}
      reorder={({ lineItems }) => (
        <Reorder lines={lineItems} add={(line) => add(inputOfLine(line))} onDone={() => void navigate({ href: urls.cart() })} />
      )}
    />
  );
}
