/** SPEC §2, §4: delivery method and contact. `?table=7&store=…` is the link on a table's sign. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { createFileRoute, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import { enabledMethods } from '#contract/rules/method.ts';
import type { CheckoutConfig } from '#contract/schemas/checkout.ts';
import type { Order } from '#contract/schemas/order.ts';
import type { PaymentConfig } from '#contract/schemas/payment-config.ts';
import type { PickupLocation, User } from '#contract/schemas/shop.ts';
import { FieldFrame, fieldHintClass, fieldLabelClass } from '#ui/field.tsx';
import { FormSection } from '#ui/form.tsx';
import { useT } from '#ui/i18n.tsx';
import { Skeleton, SkeletonText } from '#ui/layout.tsx';
import { RadioCardFace } from '#ui/radio-cards.tsx';
import { sessionKey, useSession } from '#web/features/account/queries.ts';
import { OrderSummary } from '#web/features/bill/order-summary.tsx';
import { startNewCart, useCart } from '#web/features/cart/use-cart.ts';
import { clearDraft, draftOfOrder, orderAtTable, saveTable } from '#web/features/checkout/draft.ts';
import {
  checkoutConfigQuery,
  loadCheckoutFacts,
  paymentConfigQuery,
} from '#web/features/checkout/queries.ts';
import { preloadCheckoutFrame } from '#web/features/shell/shell.tsx';
import { storesQuery, useApi } from '#web/lib/api.ts';
import { pageHead } from '#web/lib/head.ts';
import { placedBefore } from '#web/lib/reserve.ts';
import { urls } from '#web/lib/urls.ts';
import { BesideSummary, Steps } from '#web/ui/beside-summary.tsx';
import { CheckoutForm } from '../features/checkout/checkout-form.tsx';
import { methodCard } from '../features/checkout/method-choice.tsx';
import type { ChangeOrder, CheckoutEstimate } from '../features/checkout/use-checkout-form.ts';
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
      void navigate({
        href: href === urls.cart() && table ? urls.cart({ notice: 'table' }) : href,
        replace: true,
      }),
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
  // The answer to the order may be lost, and the page loaded again.
  const orderOf = useCallback((cart: Order) => placedBefore(api, cart), [api]);
  return (
    <CheckoutScreen
      order={ready ? order : undefined}
      user={session?.user}
      failed={(error !== null && !order) || failed}
      change={(work) => cartStore.change(work)}
      summary={(shown, estimate) => (
        <OrderSummary
          order={shown}
          estimate={estimate}
          pending={pending}
          edit={{ change: (work) => cartStore.change(work) }}
        />
      )}
      onDone={onDone}
      onPlaced={(oid) => void onPlaced(oid)}
      placedBefore={orderOf}
      leaveTo={leaveTo}
    />
  );
}

function useTableLink(table: string | undefined, store: string | undefined): boolean {
  const [kept, setKept] = useState<string>();
  const link = table ? `${table} ${store}` : '';
  useEffect(() => {
    if (table) {
      saveTable(table, store);
      orderAtTable();
    }
    setKept(link);
  }, [table, store, link]);
  return kept === link;
}

interface CheckoutScreenProps {
  order: Order | undefined;
  /** The customer; null for a guest, undefined while the session loads. */
  user: User | null | undefined;
  failed: boolean;
  change: ChangeOrder;
  summary: (order: Order, estimate: CheckoutEstimate) => ReactNode;
  onDone: (order: Order, online: boolean) => void;
  onPlaced: (orderID: string) => void;
  /** Instead of an empty cart, the order that it became minutes ago; null if it did not. */
  placedBefore: (cart: Order) => Promise<string | null>;
  /** Replaces this page with the one the customer must visit first, because checkout is not possible. */
  leaveTo: (href: string) => void;
}

/** SPEC §4: a customer whose cart is empty or failed to load returns to it; a guest signs in if guests cannot order. */
function CheckoutScreen({
  order,
  user,
  failed,
  change,
  summary,
  onDone,
  onPlaced,
  placedBefore,
  leaveTo,
}: CheckoutScreenProps) {
  const t = useT();
  const [estimate, setEstimate] = useState<CheckoutEstimate>();
  const placed = useRef(onPlaced);
  placed.current = onPlaced;
  const { facts, config, error } = useCheckoutFacts();
  const guest = facts && !facts.config.enabledGuestOrders && user === null;
  const away =
    failed || error
      ? urls.cart({ notice: 'sentBack' })
      : order?.lineItems.length === 0
        ? urls.cart()
        : guest
          ? urls.login(urls.checkout())
          : null;
  const empty = order?.lineItems.length === 0 ? order : undefined;
  useEffect(() => {
    if (!away) return;
    void (empty ? placedBefore(empty) : Promise.resolve(null)).then((oid) =>
      oid === null ? leaveTo(away) : placed.current(oid),
    );
  }, [away, empty, placedBefore, leaveTo]);
  return (
    <BesideSummary
      heading={
        <>
          <Steps
            label={t('checkout.steps.label')}
            current={1}
            steps={[
              { label: t('checkout.steps.cart'), href: urls.cart() },
              { label: t('checkout.steps.details') },
              { label: t('checkout.steps.payment') },
            ]}
          />
          <h1 tabIndex={-1} className="mt-2 mb-8">
            {t('checkout.title')}
          </h1>
        </>
      }
      summary={order && estimate ? summary(order, estimate) : <SummarySkeleton />}
    >
      {order && facts && user !== undefined && !away ? (
        <CheckoutForm
          order={order}
          config={facts.config}
          payment={facts.payment}
          stores={facts.stores}
          base={draftOfOrder(order, user)}
          user={user}
          change={change}
          onEstimate={setEstimate}
          onDone={onDone}
          onPlaced={onPlaced}
        />
      ) : (
        <FormOutline config={config} />
      )}
    </BesideSummary>
  );
}

interface Facts {
  config: CheckoutConfig;
  payment: PaymentConfig;
  stores: PickupLocation[];
}

function useCheckoutFacts(): {
  facts: Facts | undefined;
  config: CheckoutConfig | undefined;
  error: boolean;
} {
  const api = useApi();
  const config = useQuery(checkoutConfigQuery(api));
  const payment = useQuery(paymentConfigQuery(api));
  const stores = useQuery(storesQuery(api));
  const error = [config, payment, stores].some((query) => query.isError && !query.data);
  if (!config.data || !payment.data || !stores.data) return { facts: undefined, config: config.data, error };
  return {
    facts: { config: config.data, payment: payment.data, stores: stores.data },
    config: config.data,
    error,
  };
}

function SummarySkeleton() {
  return <Skeleton className="h-14 rounded-lg product:h-80" />;
}

/**
 * The first sections of the form while the cart loads: the words that are the same for everyone, which are part of the server's page,
 * and placeholders for what can be used. `config` is undefined if it is still loading as well.
 */
function FormOutline({ config }: { config: CheckoutConfig | undefined }) {
  const t = useT();
  const methods = config ? enabledMethods(config) : [];
  return (
    <div role="status" aria-label={t('checkout.loading')} className="min-h-[80rem]">
      <div aria-hidden className="flex flex-col gap-10">
        <FormSection title={t('checkout.contact.title')}>
          <FieldFrame>
            <span className={fieldLabelClass}>{t('checkout.contact.email')}</span>
            <p className={fieldHintClass}>{t('checkout.contact.email.hint')}</p>
            <Skeleton className="h-12" />
          </FieldFrame>
          <SkeletonText lines={1} className="-mt-3 max-w-72 text-sm" />
        </FormSection>
        {methods.length > 1 && (
          <FormSection title={t('checkout.method.title')}>
            <div className="grid gap-3">
              {methods.map((method) => (
                <RadioCardFace key={method} {...methodCard(t, method)} />
              ))}
            </div>
          </FormSection>
        )}
        <div className="flex flex-col gap-5">
          <SkeletonText lines={1} className="max-w-40 text-lg" />
          {['name', 'street', 'city'].map((field) => (
            <Skeleton key={field} className="h-18" />
          ))}
        </div>
      </div>
    </div>
  );
}
