/** SPEC §2: the order confirmed. `pickUpAandPayAtStore` only repeats what the order itself says. */
import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { BillView } from '#web/features/bill/bill.tsx';
import { OrderLines } from '#web/features/bill/order-lines.tsx';
import { storesQuery } from '#web/features/checkout/queries.ts';
import { Confirmation } from '#web/features/orders/confirmation.tsx';
import { shellQuery } from '#web/features/shell/queries.ts';
import { useApi } from '#web/lib/api-context.tsx';
import { pageHead } from '#web/lib/head.ts';

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
  const stores = useQuery(storesQuery(api));
  const shell = useQuery(shellQuery(api));
  return (
    <Confirmation
      orderID={oid}
      stores={stores.data ?? (stores.isError ? [] : undefined)}
      shop={shell.data}
      receipt={(order) => (
        <>
          <OrderLines lines={order.lineItems} currency={order.bill.currency} />
          <div className="mt-6 border-line border-t pt-5">
            <BillView bill={order.bill} method={order.method} />
          </div>
        </>
      )}
    />
  );
}
