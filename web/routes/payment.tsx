import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { createFileRoute, useHydrated, useNavigate, useRouter } from '@tanstack/react-router';
import { type ComponentProps, useCallback, useEffect, useState } from 'react';
import { splitLocale } from '#contract/locales.ts';
import type { Order } from '#contract/schemas/order.ts';
import type { PaymentConfig } from '#contract/schemas/payment-config.ts';
import type { EndpointName } from '#contract/shop/paths.ts';
import { useSession } from '#web/features/account/queries.ts';
import { Receipt } from '#web/features/bill/bill.tsx';
import { OrderSummary } from '#web/features/bill/order-summary.tsx';
import { TipChoice } from '#web/features/bill/tip-choice.tsx';
import { cartKey, startNewCart, useCart } from '#web/features/cart/use-cart.ts';
import { AddressFields } from '#web/features/checkout/address-fields.tsx';
import { clearDraft } from '#web/features/checkout/draft.ts';
import { paymentConfigQuery } from '#web/features/checkout/queries.ts';
import { OrderMoney } from '#web/features/orders/order-parts.tsx';
import { type CartState, PaymentScreen } from '#web/features/payment/payment-screen.tsx';
import { addressAfterReturn, findGateway, wallets } from '#web/features/payment/registry.ts';
import { shellQuery } from '#web/features/shell/queries.ts';
import { preloadCheckoutFrame } from '#web/features/shell/shell.tsx';
import { storesQuery, useApi } from '#web/lib/api.ts';
import { pageHead } from '#web/lib/head.ts';
import { payReturnKey, readTab } from '#web/lib/tab-storage.ts';
import { type PaymentSearch, urls } from '#web/lib/urls.ts';
import { useSessionChange } from './-session.ts';

const flag = (value: unknown) =>
  value === 'true' || value === true ? true : value === 'false' || value === false ? false : undefined;

export const Route = createFileRoute('/payment')({
  validateSearch: ({
    due,
    referFrom,
    pickUpAtStore,
    pickUpAandPayAtStore,
    localStoreName,
  }): PaymentSearch => ({
    ...(typeof due === 'string' ? { due } : {}),
    ...(typeof referFrom === 'string' ? { referFrom } : {}),
    ...(flag(pickUpAtStore) === undefined ? {} : { pickUpAtStore: flag(pickUpAtStore) }),
    ...(flag(pickUpAandPayAtStore) === undefined ? {} : { pickUpAandPayAtStore: flag(pickUpAandPayAtStore) }),
    ...(typeof localStoreName === 'string' ? { localStoreName } : {}),
  }),
  loader: async ({ context }) => {
    await preloadCheckoutFrame();
    return { title: context.t('payment.title') };
  },
  head: ({ matches, loaderData }) => pageHead(matches, loaderData),
  component: PaymentRoute,
});

function PaymentRoute() {
  const api = useApi();
  const client = useQueryClient();
  const navigate = useNavigate();
  const { pickUpAandPayAtStore } = Route.useSearch();
  const due = useDue();
  const [returned] = useState(addressAfterReturn);
  const cart = useCart();
  const config = useQuery(paymentConfigQuery(api));
  const stores = useQuery(storesQuery(api));
  const shell = useQuery(shellQuery(api));
  const { session } = useSession();
  const { leave } = useSessionChange();
  const ownDocument = usePaymentDocument(config.data && hasExternalScripts(config.data));
  const leaveTo = useCallback((href: string) => void navigate({ href, replace: true }), [navigate]);
  useEffect(() => {
    if (returned) leaveTo(returned);
  }, [returned, leaveTo]);

  const onPlaced = async (oid: string, atStore: boolean) => {
    if (due) {
      forgetOrders(client);
      return navigate({ href: due.back, replace: true });
    }
    clearDraft();
    // Back must not lead to a completed payment.
    await navigate({ href: urls.confirm({ oid, pickUpAandPayAtStore: atStore }), replace: true });
    await startNewCart(client, api, oid);
  };
  // SPEC §8. A guest is not signed out, and keeps the cart, which moves along when they sign in.
  const onSignIn = async () => {
    if (session?.user) await leave(() => api.call('logout')).catch(() => undefined);
    await navigate({ href: urls.login(urls.payment({ due: due?.version })) });
  };

  // SPEC §4: the bill of this page differs from the cart's, so it is requested again.
  const edit = {
    change: (work: () => Promise<Order>) => cart.cartStore.change(work),
    reload: () => client.invalidateQueries({ queryKey: ['billing'] }),
  };

  return (
    <PaymentScreen
      due={due}
      cart={cart.order && stateOf(cart.order)}
      config={ownDocument ? configOf(config.data, due !== undefined) : undefined}
      stores={stores.data}
      failed={
        (!due && cart.error !== null && !cart.order) ||
        [config, stores].some(({ isError, data }) => isError && !data)
      }
      demonstration={
        shell.data?.isDemonstration === true &&
        findGateway(config.data?.defaultGateWayProviderName ?? '')?.testCards === true
      }
      payAtStore={pickUpAandPayAtStore}
      summary={(order, pending) => <PaymentSummary order={order} pending={pending} edit={edit} />}
      extras={(order) => <TipChoice order={order} method={order.method} edit={edit} />}
      billingFields={(props) => <AddressFields prefix="billingAddress" {...props} />}
      onPlaced={(oid, atStore) => void onPlaced(oid, atStore)}
      onRejected={() => void client.invalidateQueries({ queryKey: cartKey, refetchType: 'all' })}
      onWalletClosed={() => void navigate({ href: due?.back ?? urls.checkout() })}
      onSignIn={() => void onSignIn()}
      leaveTo={leaveTo}
    />
  );
}

/** Of the calls that pages of orders make: they ask again, and show what was paid. */
const ordersPages: readonly unknown[] = ['order', 'orderLink'] satisfies EndpointName[];
const forgetOrders = (client: QueryClient) =>
  client.removeQueries({ predicate: ({ queryKey: [name] }) => ordersPages.includes(name) });

/** What is due of a placed order, by the address, and the page from which its buyer came. */
function useDue() {
  const { due: version } = Route.useSearch();
  const [back] = useState(() => String(readTab(payReturnKey) ?? urls.orders()));
  const client = useQueryClient();
  // So that the page shows what was paid.
  useEffect(() => {
    if (version) forgetOrders(client);
  }, [client, version]);
  return version === undefined ? undefined : { version, back };
}

/** Of a placed order what was paid, too. */
function PaymentSummary(props: ComponentProps<typeof OrderSummary>) {
  const { order } = props;
  if (order.placedAt === null) return <OrderSummary {...props} />;
  return (
    <div className="flex flex-col gap-4">
      <Receipt order={order} />
      <OrderMoney order={order} />
    </div>
  );
}

/** What is due of an order is paid online. */
const configOf = (config: PaymentConfig | undefined, due: boolean) =>
  config && due ? { ...config, payAtStoreEnabled: false } : config;

function hasExternalScripts(config: PaymentConfig): boolean {
  const gateway = findGateway(config.defaultGateWayProviderName);
  return gateway?.externalScripts === true || wallets.some(({ enabledFlag }) => config[enabledFlag]);
}

function stateOf({ lineItems, method }: Order): CartState {
  if (lineItems.length === 0) return 'empty';
  return method === null ? 'unfinished' : 'ready';
}

/** Limits payment providers' scripts to the documents of /payment (docs/decisions/0021). */
const isPayment = (path: string) => splitLocale(path).pathname === urls.payment();

/** Whether this document was loaded as /payment; if a link within the shop led here, it is the other page's. */
function openedHere(): boolean {
  const [opened] = performance.getEntriesByType('navigation');
  return opened !== undefined && isPayment(new URL(opened.name).pathname);
}

/** If `others` take part, /payment needs a document of its own, whose policy allows their scripts. False until this is the right one. */
function usePaymentDocument(others: boolean | undefined): boolean {
  const router = useRouter();
  const right = useHydrated() && (others === false || openedHere());
  useEffect(() => {
    if (!others) return;
    // If Back restores this document from the browser's cache, it must not still be navigating away.
    const renew = ({ persisted }: PageTransitionEvent) => persisted && location.reload();
    addEventListener('pageshow', renew);
    if (!openedHere()) location.replace(location.href);
    const unblock = router.history.block({
      enableBeforeUnload: false,
      blockerFn: ({ nextLocation: { pathname, href }, action }) => {
        if ((action !== 'PUSH' && action !== 'REPLACE') || isPayment(pathname)) return false;
        if (action === 'PUSH') location.assign(href);
        else location.replace(href);
        return true;
      },
    });
    return () => {
      removeEventListener('pageshow', renew);
      unblock();
    };
  }, [others, router]);
  return others !== undefined && right;
}
