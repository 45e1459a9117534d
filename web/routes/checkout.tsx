/** SPEC §2, §4: delivery method and contact. `?table=7&store=…` is the link on a table's sign. */
import { useQueryClient } from '@tanstack/react-query';
import { createFileRoute, useNavigate } from '@tanstack/react-router';
import { useCallback, useEffect, useState } from 'react';
import type { Order } from '#contract/schemas/order.ts';
import { sessionKey, useSession } from '#web/features/account/queries.ts';
import { OrderSummary } from '#web/features/bill/order-summary.tsx';
import { startNewCart } from '#web/features/cart/queries.ts';
import { useCart } from '#web/features/cart/use-cart.ts';
import { CheckoutScreen } from '#web/features/checkout/checkout-screen.tsx';
import { clearDraft, saveTable } from '#web/features/checkout/draft.ts';
import { loadCheckoutFacts } from '#web/features/checkout/queries.ts';
import { preloadCheckoutFrame } from '#web/features/shell/shell.tsx';
import { useApi } from '#web/lib/api.ts';
import { pageHead } from '#web/lib/head.ts';
import { urls } from '#web/lib/urls.ts';
import { useCancelPayment } from './-cancel-payment.ts';

export interface CheckoutSearch {
  table?: string;
  store?: string;
}

export const Route = createFileRoute('/checkout')({
  validateSearch: ({ table, store }): CheckoutSearch => ({
    ...(typeof table === 'string' ? { table: table.slice(0, 10) } : {}),
    ...(typeof store === 'string' ? { store: store.slice(0, 100) } : {}),
  }),
  loader: async ({ context }) => {
    await Promise.all([preloadCheckoutFrame(), loadCheckoutFacts(context)]);
    return { title: context.t('checkout.title') };
  },
  head: ({ matches, loaderData }) => pageHead(matches, loaderData),
  component: CheckoutRoute,
});

function CheckoutRoute() {
  const navigate = useNavigate();
  useCancelPayment();
  const { table, store } = Route.useSearch();
  const ready = useTableLink(table, store);
  const { order, error, cartStore, pending } = useCart();
  const client = useQueryClient();
  const api = useApi();
  const { session, failed } = useSession();
  const leaveTo = useCallback(
    (href: string) =>
      void navigate({ href: href === urls.cart() && table ? urls.cart({ notice: 'table' }) : href, replace: true }),
    [navigate, table],
  );
  const onDone = (done: Order, online: boolean) => {
    // Checkout may have added an address to the profile.
    if (session?.user) void client.invalidateQueries({ queryKey: sessionKey });
    const { pickUpAtStore, localStoreName } = done;
    void navigate({
      href: urls.payment({
        referFrom: urls.checkout(),
        pickUpAtStore,
        localStoreName: localStoreName ?? undefined,
        pickUpAandPayAtStore: online ? false : undefined,
      }),
    });
  };
  const onPlaced = async (oid: string) => {
    clearDraft();
    await navigate({ href: urls.confirm({ oid, pickUpAandPayAtStore: true }), replace: true });
    await startNewCart(client, api, oid);
  };
  return (
    <CheckoutScreen
      order={ready ? order : undefined}
      user={session?.user}
      failed={(error !== null && !order) || failed}
      change={(work) => cartStore.change(work)}
      summary={(shown, estimate) => (
        <OrderSummary order={shown} estimate={estimate} pending={pending} edit={{ change: (work) => cartStore.change(work) }} />
      )}
      onDone={onDone}
      onPlaced={(oid) => void onPlaced(oid)}
      leaveTo={leaveTo}
    />
  );
}

/** Stores the link's table and store before the form reads them. */
function useTableLink(table: string | undefined, store: string | undefined): boolean {
  const [kept, setKept] = useState<string>();
  const link = table ? `${table} ${store}` : '';
  useEffect(() => {
    if (table) saveTable(table, store);
    setKept(link);
  }, [table, store, link]);
  return kept === link;
}
