/** SPEC §2: the order confirmation. `pickUpAandPayAtStore` only repeats information of the order itself. */
import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import type { Order } from '#contract/schemas/order.ts';
import { Receipt } from '#web/features/bill/receipt.tsx';
import { shippingMethodsQuery } from '#web/features/checkout/queries.ts';
import { Confirmation } from '#web/features/orders/confirmation.tsx';
import { orderQuery } from '#web/features/orders/queries.ts';
import { shellQuery } from '#web/features/shell/queries.ts';
import { useApi } from '#web/lib/api-context.tsx';
import { pageHead } from '#web/lib/head.ts';
import { storesQuery } from '#web/lib/stores-query.ts';

export interface ConfirmSearch {
  oid?: string;
  pickUpAandPayAtStore?: string;
}

export const Route = createFileRoute('/cart/confirm')({
  validateSearch: ({ oid, pickUpAandPayAtStore }): ConfirmSearch => ({
    ...(typeof oid === 'string' ? { oid } : {}),
    ...(pickUpAandPayAtStore === undefined ? {} : { pickUpAandPayAtStore: String(pickUpAandPayAtStore) }),
  }),
  loader: ({ context }) => ({ title: context.t('confirm.pageTitle') }),
  head: ({ matches, loaderData }) => pageHead(matches, loaderData),
  component: ConfirmRoute,
});

function ConfirmRoute() {
  const api = useApi();
  const { oid = '' } = Route.useSearch();
  const days = useShippingDays(useQuery(orderQuery(api, oid)).data);
  const stores = useQuery(storesQuery(api));
  const shell = useQuery(shellQuery(api));
  return (
    <Confirmation
      orderID={oid}
      stores={stores.data ?? (stores.isError ? [] : undefined)}
      shop={shell.data}
      days={days}
      receipt={(order) => <Receipt order={order} />}
    />
  );
}

/** The duration of the order's shipping method to its address. Undefined while loading, null if unknown. */
function useShippingDays(order: Order | undefined) {
  const { countryISOCode = '', province = '' } = order?.shippingAddress ?? {};
  const { data, isLoading } = useQuery(shippingMethodsQuery(useApi(), -1, countryISOCode, province));
  if (isLoading) return undefined;
  const method = data?.find(({ id }) => id === order?.shippingMethod);
  return method ? { min: method.minBusinessDays, max: method.maxBusinessDays } : null;
}
