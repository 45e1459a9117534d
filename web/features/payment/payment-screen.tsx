import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useEffectEvent, useReducer, useState } from 'react';
import { addressLines } from '#contract/addresses.ts';
import { inLocale } from '#contract/locales.ts';
import { personName } from '#contract/names.ts';
import { offeredPaymentMethods, type PaymentMethod } from '#contract/rules/payment.ts';
import type { Order } from '#contract/schemas/order.ts';
import type { PaymentConfig } from '#contract/schemas/payment-config.ts';
import type { PickupLocation } from '#contract/schemas/shop.ts';
import { LinkButton } from '#ui/button.tsx';
import { fieldErrorsOf } from '#ui/errors.ts';
import { formatDate } from '#ui/format.ts';
import { useLocale, useT } from '#ui/i18n.tsx';
import { Skeleton, SkeletonText } from '#ui/layout.tsx';
import { Link } from '#ui/link.tsx';
import { Notice } from '#ui/notice.tsx';
import { type ApiClient, useApi } from '#web/lib/api.ts';
import { urls } from '#web/lib/urls.ts';
import { BesideSummary, Steps } from '#web/ui/beside-summary.tsx';
import { PaymentForm, type PaymentFormProps } from './payment-form.tsx';
import { initialPaymentState, paymentReducer } from './payment-state.ts';
import { gateways, wallets } from './registry.ts';
import { forgetAttempt, rememberedAttempt } from './remembered-attempt.ts';

export type CartState = 'empty' | 'unfinished' | 'ready';

interface PaymentScreenProps
  extends Pick<
    PaymentFormProps,
    'demonstration' | 'billingFields' | 'onPlaced' | 'onRejected' | 'onWalletClosed' | 'onSignIn'
  > {
  /** The `dueVersion` of the placed order of which the rest is paid, and the page to go back to; undefined for the cart. */
  due: { version: string; back: string } | undefined;
  /** Whether the cart can be paid, or is `unfinished` at checkout; undefined until that is known. */
  cart: CartState | undefined;
  config: PaymentConfig | undefined;
  stores: PickupLocation[] | undefined;
  /** Data that this page needs besides the bill failed to load. */
  failed: boolean;
  payAtStore: boolean | undefined;
  summary: (order: Order, pending: boolean) => ReactNode;
  /** Choices that may still change before payment: a tip. */
  extras: (order: Order) => ReactNode;
  leaveTo: (href: string) => void;
}

/** SPEC §4: the only payment method is selected; of several the customer chooses one. Without an order, the cart is shown. */
export function PaymentScreen({
  due,
  cart,
  config,
  stores,
  failed,
  payAtStore,
  summary,
  extras,
  leaveTo,
  ...form
}: PaymentScreenProps) {
  const [state, dispatch] = useReducer(paymentReducer, null, () => startState(payAtStore, due?.version));
  const placed = state.stage.name === 'placed';
  const { billed, order, reasons, ...billing } = useBilling(
    due || cart === 'ready' ? config : undefined,
    state.picked,
    due,
  );
  const onPlaced = (orderID: string, atStore: boolean) => {
    dispatch({ type: 'orderPlaced' });
    form.onPlaced(orderID, atStore);
  };
  const searching = useLostOrder(!due && cart === 'empty' && !order && !placed, (orderID) =>
    onPlaced(orderID, false),
  );
  const redirect = placed || searching ? null : redirectFor(order, cart, failed || billing.failed, due);
  useEffect(() => {
    if (redirect) leaveTo(redirect);
  }, [redirect, leaveTo]);
  const store = stores?.find(({ localStoreName }) => localStoreName === order?.localStoreName);
  const offered = config && order ? offeredPaymentMethods(config, order.method) : [];
  // One that the order is too large for stays in sight with its reason, unless it is the only one.
  const possible = offered.filter((method) => method !== 'payAtStore' || !order?.payAtStoreProblem);
  const choice = chosenMethod(state.picked, possible.length > 0 ? possible : offered);
  return (
    <BesideSummary
      heading={due ? <DueHeading order={order} /> : <PaymentHeading />}
      summary={
        billed
          ? summary(billed, billing.fetching)
          : !reasons && <Skeleton className="h-14 rounded-lg product:h-80" />
      }
    >
      <div className="flex flex-col gap-10">
        {order && config && stores && !redirect ? (
          <>
            {!due && [<OrderReview key="review" order={order} store={store} />, extras(order)]}
            <PaymentForm
              {...form}
              order={order}
              config={config}
              due={due?.version}
              store={store}
              choice={choice}
              state={state}
              dispatch={dispatch}
              reload={billing.reload}
              onPlaced={onPlaced}
            />
          </>
        ) : reasons ? (
          <Incomplete reasons={reasons} />
        ) : (
          <PaymentSkeleton />
        )}
      </div>
    </BesideSummary>
  );
}

/** Rules of checkout that the order breaks: its contents or the shop's settings have changed since checkout. */
function Incomplete({ reasons }: { reasons: string[] }) {
  const t = useT();
  return (
    <Notice tone="bad" title={t('payment.incomplete')}>
      {reasons.map((reason) => (
        <p key={reason}>{reason}</p>
      ))}
      <LinkButton href={urls.checkout()} className="mt-4">
        {t('payment.incomplete.action')}
      </LinkButton>
    </Notice>
  );
}

/** A placed order as what is due of it is billed; another order as it is. */
function restOf(order: Order | undefined): Order | undefined {
  if (!order?.dueVersion) return order;
  return { ...order, bill: { ...order.bill, total: order.due ?? 0, billVersion: order.dueVersion } };
}

function DueHeading({ order }: { order: Order | undefined }) {
  const t = useT();
  return (
    <header className="mb-8">
      <h1 tabIndex={-1}>{t('payment.title')}</h1>
      <p className="mt-1 min-h-6 text-ink-soft">
        {order && t('account.order.heading', { number: order.orderNumber ?? '' })}
      </p>
    </header>
  );
}

function PaymentHeading() {
  const t = useT();
  return (
    <>
      <Steps
        label={t('checkout.steps.label')}
        current={2}
        steps={[
          { label: t('checkout.steps.cart'), href: urls.cart() },
          { label: t('checkout.steps.details'), href: urls.checkout() },
          { label: t('checkout.steps.payment') },
        ]}
      />
      <h1 tabIndex={-1} className="mt-2 mb-8">
        {t('payment.title')}
      </h1>
    </>
  );
}

/** The page for a customer who cannot pay here: the cart, or the step that is incomplete. Null: nowhere. */
function redirectFor(
  order: Order | undefined,
  cart: CartState | undefined,
  failed: boolean,
  due: PaymentScreenProps['due'],
): string | null {
  if (due) return failed || (order && order.dueVersion === undefined) ? due.back : null;
  if (failed) return urls.cart({ notice: 'sentBack' });
  // Once the bill has loaded, an empty cart may also belong to an order that is being placed.
  if (!order) return cart === 'empty' ? urls.cart() : cart === 'unfinished' ? urls.checkout() : null;
  if (order.lineItems.length === 0) return urls.cart();
  const incomplete = order.method === null || (order.method === 'shipping' && order.shippingMethod === null);
  return incomplete ? urls.checkout() : null;
}

/** The picked method; else the first where everything is paid online. A customer who may also pay in store is asked (SPEC §4). */
function chosenMethod(picked: PaymentMethod | null, offered: readonly PaymentMethod[]): PaymentMethod | null {
  if (picked && offered.includes(picked)) return picked;
  return offered.length === 1 || !offered.includes('payAtStore') ? (offered[0] ?? null) : null;
}

/** The method of an attempt that this tab began, or the method that the address selects. */
function startState(payAtStore: boolean | undefined, due: string | undefined) {
  return initialPaymentState(
    methodOf(rememberedAttempt(due)) ??
      (payAtStore === undefined ? null : payAtStore ? 'payAtStore' : 'online'),
  );
}

function methodOf(provider: string | null): PaymentMethod | null {
  if (provider === null) return null;
  return wallets.find(({ name }) => name === provider)?.method ?? 'online';
}

/** Finds the order of a payment whose answer was lost: the cart is empty, and this tab began to pay. True while the shop is asked. */
function useLostOrder(empty: boolean, onFound: (orderID: string) => void): boolean {
  const api = useApi();
  const [missing, setMissing] = useState(false);
  const found = useEffectEvent(onFound);
  const searching = empty && !missing && rememberedAttempt() !== null;
  useEffect(() => {
    const provider = rememberedAttempt();
    if (!searching || provider === null) return;
    const ask = async () => {
      const paid = await api.call('resumePayment', { body: { provider } }).catch(() => null);
      forgetAttempt(undefined);
      if (paid?.orderID) found(paid.orderID);
      else setMissing(true);
    };
    void ask();
  }, [searching, api]);
  return searching;
}

/** The order with its bill, and as it is to be paid; or the `reasons` for which it has none, which are rules of checkout. */
function useBilling(
  config: PaymentConfig | undefined,
  picked: PaymentMethod | null,
  due: PaymentScreenProps['due'],
) {
  const api = useApi();
  // The bill is requested under the gateway's name. Without a gateway it is the wallet's; without both, the built-in gateway's,
  // since the server knows only the providers that are set up, and the built-in gateway always.
  const wallet = wallets.find(({ enabledFlag }) => config?.[enabledFlag]);
  const ownGateway = gateways.find(({ externalScripts }) => !externalScripts);
  const gateway = config?.defaultGateWayProviderName || wallet?.name || ownGateway?.gatewayName || '';
  // Without online payment there is no gateway to name.
  const payAtStore =
    picked === null ? (config?.paymentOnline === false ? true : undefined) : picked === 'payAtStore';
  const {
    data: billed,
    error,
    isFetching,
    refetch,
  } = useQuery({
    ...billingQuery(api, gateway, payAtStore, due?.version),
    enabled: config !== undefined,
  });
  const broken = billed ? [] : Object.values(fieldErrorsOf(error));
  const reasons = broken.length > 0 ? broken : undefined;
  const failed = error !== null && !billed && !reasons;
  const reload = async () => restOf((await refetch()).data);
  return { billed, order: restOf(billed), reasons, failed, fetching: isFetching, reload };
}

function PaymentSkeleton() {
  return (
    <div role="status" aria-label={useT()('payment.loading')} className="flex flex-col gap-5">
      <Skeleton className="h-44 rounded-lg" />
      <SkeletonText lines={1} className="mt-5 max-w-72 text-lg" />
      <Skeleton className="h-20 rounded-md" />
      <Skeleton className="h-20 rounded-md" />
    </div>
  );
}

function billingQuery(
  api: ApiClient,
  gatewayName: string,
  payAtStore: boolean | undefined,
  due: string | undefined,
) {
  return queryOptions({
    queryKey: ['billing', gatewayName, payAtStore ?? null, due ?? null],
    queryFn: ({ signal }) =>
      api.call('getBilling', {
        params: { gatewayName },
        query: { pickUpAandPayAtStore: payAtStore, dueVersion: due },
        signal,
      }),
    staleTime: 0,
    gcTime: 0,
    retry: false,
    placeholderData: keepPreviousData,
  });
}

/** The choices made at checkout, in two rows, each with a link to change it. */
function OrderReview({ order, store }: { order: Order; store: PickupLocation | undefined }) {
  const t = useT();
  const contact = order.orderContact;
  return (
    <dl className="divide-y divide-line rounded-lg border border-line px-5">
      <Row label={t(labels[order.method ?? 'shipping'])} change={t('payment.review.changeDelivery')}>
        <Destination order={order} store={store} />
      </Row>
      {contact && (
        <Row label={t('payment.review.contact')} change={t('payment.review.changeContact')}>
          {[contact.email, contact.phoneNumber].filter(Boolean).map((line) => (
            <span key={line} className="block">
              {line}
            </span>
          ))}
        </Row>
      )}
    </dl>
  );
}

const labels = {
  shipping: 'payment.review.deliver',
  pickup: 'payment.review.pickup',
  instore: 'payment.review.table',
} as const;

function Destination({ order, store }: { order: Order; store: PickupLocation | undefined }) {
  const t = useT();
  const locale = useLocale();
  const name = store && inLocale(store.nameContent, locale);
  if (order.method === 'instore')
    return t('checkout.table.preset', { table: order.tableNumber ?? '', store: name ?? '' });
  if (order.method === 'pickup') {
    return (
      <>
        <span className="block">{name}</span>
        {order.pickupDate !== null && store && (
          <span className="block">{formatDate(order.pickupDate, locale, store.timeZone, 'dayTime')}</span>
        )}
      </>
    );
  }
  const { shippingAddress: address, shippingContact: person } = order;
  if (!address) return null;
  const lines = [person && personName(person), ...addressLines(address)];
  return lines.filter(Boolean).map((line) => (
    <span key={line} className="block">
      {line}
    </span>
  ));
}

function Row({ label, change, children }: { label: string; change: string; children: ReactNode }) {
  const t = useT();
  return (
    <div className="grid grid-cols-[1fr_auto] gap-x-4 py-4 menu:grid-cols-[7rem_1fr_auto]">
      <dt className="text-ink-soft max-menu:col-start-1">{label}</dt>
      <dd className="min-w-0 max-menu:row-start-2">{children}</dd>
      <dd className="max-menu:col-start-2 max-menu:row-start-1">
        <Link href={urls.checkout()} className="link" aria-label={change}>
          {t('payment.review.change')}
        </Link>
      </dd>
    </div>
  );
}
