/** An order by the link of an email: readable without an account and without scripts. */
import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { isApiError } from '#ui/errors.ts';
import { focusPage } from '#ui/page.tsx';
import { Receipt } from '#web/features/bill/bill.tsx';
import { PickupTime } from '#web/features/checkout/pickup-time.tsx';
import { pickupSlotsQuery } from '#web/features/checkout/queries.ts';
import { chosenSlot } from '#web/features/checkout/validate.ts';
import {
  type ChoosePickupTime,
  type LinkProblem,
  NoOrderByLink,
  OrderLinkScreen,
} from '#web/features/orders/order-link-screen.tsx';
import { orderByLinkQuery } from '#web/features/orders/queries.ts';
import { shellQuery } from '#web/features/shell/queries.ts';
import { storesQuery, useApi } from '#web/lib/api.ts';
import { pageHead } from '#web/lib/head.ts';

export const Route = createFileRoute('/order/$token')({
  loader: async ({ context: { api, queryClient, t }, params: { token } }) => {
    const [problem] = await Promise.all([
      queryClient.query({ ...orderByLinkQuery(api, token), staleTime: 'static' }).then(() => null, problemOf),
      queryClient.query({ ...storesQuery(api), staleTime: 'static' }),
    ]);
    return { title: t('orderLink.pageTitle'), ...problem };
  },
  head: ({ matches, loaderData }) => pageHead(matches, loaderData),
  component: OrderLinkRoute,
});

const problems: Record<number, LinkProblem> = { 400: 'missing', 404: 'missing', 410: 'ended', 429: 'busy' };

/** The problem to show, with the status of the page. Other errors have a view of their own. */
function problemOf(error: unknown): { problem: LinkProblem; status: number } {
  const problem = isApiError(error) && problems[error.status];
  if (!problem) throw error;
  return { problem, status: problem === 'missing' ? 404 : error.status };
}

function OrderLinkRoute() {
  const api = useApi();
  const { token } = Route.useParams();
  const loaded = Route.useLoaderData();
  const [revoked, setRevoked] = useState(false);
  // The control that had focus is gone with the order.
  useEffect(() => {
    if (revoked) focusPage();
  }, [revoked]);
  const known = !('problem' in loaded);
  const { data: order, error } = useQuery({ ...orderByLinkQuery(api, token), enabled: known && !revoked });
  const { data: stores = [] } = useQuery(storesQuery(api));
  const { data: shop } = useQuery(shellQuery(api));
  const problem = revoked || (isApiError(error) && error.status === 410) ? 'ended' : known ? null : loaded.problem;
  if (problem || !order) return <NoOrderByLink problem={problem ?? 'missing'} stores={stores} shop={shop} />;
  return (
    <OrderLinkScreen
      token={token}
      order={order}
      stores={stores}
      shop={shop}
      receipt={(whole) => <Receipt order={whole} />}
      choosePickupTime={(props) => <OrderPickupTime {...props} />}
      onRevoked={() => setRevoked(true)}
    />
  );
}

function OrderPickupTime({ store, error, onChoose }: Parameters<ChoosePickupTime>[0]) {
  const [value, setValue] = useState({ pickupDay: '', pickupHour: '', pickupMinute: '' });
  const { data: slots } = useQuery(pickupSlotsQuery(useApi(), store.localStoreName, value.pickupDay));
  const slot = chosenSlot(value, slots);
  const at = slot?.available ? slot.at : null;
  useEffect(() => onChoose(at), [at, onChoose]);
  return (
    <PickupTime store={store} value={value} error={error} onChange={(change) => setValue((last) => ({ ...last, ...change }))} />
  );
}
