import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { Button, LinkButton } from '#ui/button.tsx';
import { isMissing } from '#ui/errors.ts';
import { useT } from '#ui/i18n.tsx';
import { EmptyState } from '#ui/notice.tsx';
import { printIcon } from '#ui/page-icons.ts';
import {
  AccountFrame,
  CustomerOnly,
  ListSkeleton,
  LoadFailed,
} from '#web/features/account/account-frame.tsx';
import { Receipt } from '#web/features/bill/bill.tsx';
import { OrderDetail } from '#web/features/orders/order-detail.tsx';
import { orderQuery } from '#web/features/orders/order-parts.tsx';
import { shellQuery } from '#web/features/shell/queries.ts';
import { storesQuery, useApi } from '#web/lib/api.ts';
import { pageHead } from '#web/lib/head.ts';
import { urls } from '#web/lib/urls.ts';
import { Reorder } from './-reorder.tsx';

export const Route = createFileRoute('/account/orders/$id')({
  loader: ({ context }) => ({ title: context.t('account.order.title') }),
  head: ({ matches, loaderData }) => pageHead(matches, loaderData),
  component: OrderRoute,
});

function OrderRoute() {
  const { id } = Route.useParams();
  return <CustomerOnly skeleton={<OrderSkeleton />}>{() => <OwnOrder id={id} />}</CustomerOnly>;
}

function OrderSkeleton() {
  const title = useT()('account.order.title');
  return (
    <AccountFrame title={title} name={title} trail={useOrdersTrail()}>
      <ListSkeleton />
    </AccountFrame>
  );
}

function useOrdersTrail() {
  return [{ label: useT()('account.orders.title'), href: urls.orders() }];
}

function OwnOrder({ id }: { id: string }) {
  const t = useT();
  const api = useApi();
  const trail = useOrdersTrail();
  const query = useQuery({ ...orderQuery(api, id), staleTime: 0 });
  const stores = useQuery(storesQuery(api));
  const { data: shop } = useQuery(shellQuery(api));
  if (query.isError && isMissing(query.error)) return <MissingOrder />;
  if (query.isError && !query.data) {
    return (
      <AccountFrame title={t('account.order.title')} name={t('account.order.title')} trail={trail}>
        <LoadFailed onRetry={() => void query.refetch()} />
      </AccountFrame>
    );
  }
  const order = query.data;
  if (!order || stores.isPending) return <OrderSkeleton />;
  return (
    <AccountFrame
      title={<NumberedTitle number={order.orderNumber ?? ''} />}
      name={order.orderNumber ?? ''}
      trail={trail}
    >
      <OrderDetail
        order={order}
        stores={stores.data ?? []}
        shop={shop}
        receipt={<Receipt order={order} />}
        actions={
          <Reorder lines={order.lineItems}>
            <Button
              label={t('confirm.print')}
              variant="secondary"
              icon={printIcon}
              onClick={() => window.print()}
            />
          </Reorder>
        }
      />
    </AccountFrame>
  );
}

/** The order number must not wrap: a line would break at its hyphens. */
function NumberedTitle({ number }: { number: string }) {
  const [before, after] = useT()('account.order.heading', { number: '\n' }).split('\n');
  return (
    <>
      {before}
      <span className="whitespace-nowrap">{number}</span>
      {after}
    </>
  );
}

function MissingOrder() {
  const t = useT();
  return (
    <AccountFrame title={t('account.order.title')} name={t('account.order.title')} trail={useOrdersTrail()}>
      <EmptyState
        icon="search"
        title={t('confirm.missing.title')}
        actions={<LinkButton href={urls.orders()}>{t('account.order.toOrders')}</LinkButton>}
      >
        {t('account.order.missingText')}
      </EmptyState>
    </AccountFrame>
  );
}
