import { type QueryClient, useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { addressDefaults, type CheckoutMethod } from '#contract/limits.ts';
import { inLocale } from '#contract/locales.ts';
import { pickupStores, tableStores } from '#contract/rules/method.ts';
import type { CheckoutConfig } from '#contract/schemas/checkout.ts';
import type { Order } from '#contract/schemas/order.ts';
import type { PickupLocation } from '#contract/schemas/shop.ts';
import { useLocale, useT } from '#ui/i18n.tsx';
import { Notice } from '#ui/notice.tsx';
import { useSession } from '#web/features/account/queries.ts';
import type { BillEdit } from '#web/features/bill/bill.tsx';
import { EditableBill } from '#web/features/bill/order-summary.tsx';
import { isServed } from '#web/features/cart/cart-lines.tsx';
import { CartScreen, FreeShippingBar } from '#web/features/cart/cart-screen.tsx';
import { myCartQuery, useCart, useCartStore } from '#web/features/cart/use-cart.ts';
import { NewProducts } from '#web/features/catalogue/new-products.tsx';
import { newProductsQuery } from '#web/features/catalogue/queries.ts';
import {
  type BillEstimateQuery,
  billEstimateQuery,
  checkoutConfigQuery,
  loadCheckoutFacts,
  paymentConfigQuery,
} from '#web/features/checkout/queries.ts';
import { deliveryPromiseQuery } from '#web/features/product/later-queries.ts';
import { addressFormQuery } from '#web/lib/address-form.ts';
import { type ApiClient, storesQuery, useApi } from '#web/lib/api.ts';
import { pageHead } from '#web/lib/head.ts';
import { lazyWithPreload } from '#web/lib/lazy-view.tsx';
import { type CartNotice, urls } from '#web/lib/urls.ts';
import { useCancelPayment } from './-cancel-payment.ts';
import { useModifierSheet } from './-modifier-sheet.tsx';

/** The products viewed last in a file of their own, for carts: they show them only when they are empty. */
const ViewedProducts = lazyWithPreload(async () => (await import('./-viewed-products.tsx')).ViewedProducts);

const notices = { sentBack: 'cart.sentBack', table: 'cart.tableSet' } as const satisfies Record<
  CartNotice,
  string
>;

export const Route = createFileRoute('/cart/')({
  validateSearch: ({ notice }): { notice?: CartNotice } =>
    notice === 'sentBack' || notice === 'table' ? { notice } : {},
  loader: async ({ context }) => {
    const { api, queryClient } = context;
    await Promise.all([
      // The bar stands above the lines, which it would push down if it came after them.
      queryClient.prefetchQuery(deliveryPromiseQuery(api)),
      loadCheckoutFacts(context),
      // An empty cart shows them.
      import.meta.env.SSR && queryClient.prefetchQuery(newProductsQuery(api)),
      import.meta.env.SSR && ViewedProducts.preload(),
    ]);
    // In a page that is rendered for its visitor, which has their cart.
    if (import.meta.env.SSR) await loadEstimate(context);
    return { title: context.t('cart.title') };
  },
  head: ({ matches, loaderData }) => pageHead(matches, loaderData),
  component: CartRoute,
});

function CartRoute() {
  const t = useT();
  const api = useApi();
  const cartStore = useCartStore();
  useCancelPayment();
  const { order } = useCart();
  const { ask, likely, sheet } = useModifierSheet(order?.localStoreName ?? null);
  const { notice } = Route.useSearch();
  const config = useQuery(checkoutConfigQuery(api)).data;
  const payment = useQuery(paymentConfigQuery(api)).data;
  const { session } = useSession();
  // SPEC §4, §6: if guests cannot order, checkout begins with signing in.
  const signIn = config?.enabledGuestOrders === false && session?.user === null;
  return (
    <>
      <CartScreen
        checkoutHref={signIn ? urls.login(urls.checkout()) : urls.checkout()}
        notice={
          notice && (
            <Notice tone={notice === 'table' ? 'good' : 'bad'} className="my-6">
              {t(notices[notice])}
            </Notice>
          )
        }
        whenEmpty={<ViewedProducts otherwise={<NewProducts />} />}
        reassurances={[
          ...(config?.enabledGuestOrders ? [t('cart.reassure.guest')] : []),
          ...(payment?.paymentOnline && payment.payAtStoreEnabled ? [t('cart.reassure.pay')] : []),
        ]}
        freeShipping={(order) => <FreeShipping order={order} />}
        bill={(order, pending) => (
          <CartBill
            order={order}
            config={config}
            pending={pending}
            edit={{ change: (work) => cartStore.change(work) }}
          />
        )}
        choosing={{
          open: (line) => ask({ productId: line.product, line }),
          likely: (line) => likely(line.product),
        }}
      />
      {sheet}
    </>
  );
}

interface CartBillProps {
  order: Order;
  config: CheckoutConfig | undefined;
  pending: boolean;
  edit: BillEdit;
}

/** Until a delivery is chosen, priced for the shop's default destination, or for its first store if something is not shipped. */
function CartBill({ order, config, pending, edit }: CartBillProps) {
  const api = useApi();
  const locale = useLocale();
  const stores = useQuery(storesQuery(api)).data;
  const provinces = useQuery(addressFormQuery(api, addressDefaults.countryISOCode)).data?.provinces;
  const { ships, method, store, query } = assumedDelivery(order, config, stores);
  const bill = useQuery(billEstimateQuery(api, order.version, order.bill.final ? null : query)).data;
  const name = ships ? addressDefaults.province : store?.address.province;
  const province = provinces?.find(
    ({ nameContent, provinceName }) => nameContent.en === name || provinceName === name,
  );
  const assumed = bill?.final && {
    bill,
    method,
    place: province ? inLocale(province.nameContent, locale) : '',
    pickup: ships && config?.enablePickup === true && (stores ? pickupStores(stores).length > 0 : false),
  };
  const unknown = isServed(order) ? undefined : { method: null, bill: null };
  return (
    <EditableBill
      order={order}
      estimate={unknown}
      assumed={assumed || undefined}
      pending={pending}
      edit={edit}
    />
  );
}

/** Shown where the shop ships for free from some value, unless the order is picked up, served or sent abroad. */
function FreeShipping({ order }: { order: Order }) {
  const promise = useQuery(deliveryPromiseQuery(useApi())).data;
  const { bill, method, shippingAddress, lineItems } = order;
  const elsewhere =
    shippingAddress !== null && shippingAddress.countryISOCode !== addressDefaults.countryISOCode;
  if (!promise?.freeOver || elsewhere || (method !== null && method !== 'shipping')) return null;
  if (lineItems.some(({ inStoreOnly }) => inStoreOnly)) return null;
  return <FreeShippingBar bill={bill} freeOver={promise.freeOver} />;
}

interface AssumedDelivery {
  ships: boolean;
  method: CheckoutMethod;
  store: PickupLocation | undefined;
  query: BillEstimateQuery | null;
}

/** The delivery that the bill assumes: the shop's default destination, or its first store if something is not shipped. */
function assumedDelivery(
  order: Order,
  config?: CheckoutConfig,
  stores?: readonly PickupLocation[],
): AssumedDelivery {
  const ships =
    config?.domesticShippingEnabled === true && !order.lineItems.some(({ inStoreOnly }) => inStoreOnly);
  const store = stores && (pickupStores(stores)[0] ?? tableStores(stores)[0]);
  const method: CheckoutMethod = ships ? 'shipping' : config?.enablePickup ? 'pickup' : 'instore';
  const place = ships
    ? { country: addressDefaults.countryISOCode, province: addressDefaults.province }
    : store && { localStoreName: store.localStoreName };
  return { ships, method, store, query: config && place ? { methodName: method, ...place } : null };
}

/** Loads the assumed bill of the cart that the page shows, if it shows one. If that fails, the browser requests it. */
async function loadEstimate({
  api,
  queryClient,
}: {
  api: ApiClient;
  queryClient: QueryClient;
}): Promise<void> {
  const order = queryClient.getQueryData(myCartQuery(api).queryKey);
  if (!order || order.lineItems.length === 0 || order.bill.final) return;
  const config = queryClient.getQueryData(checkoutConfigQuery(api).queryKey);
  const { query } = assumedDelivery(order, config, queryClient.getQueryData(storesQuery(api).queryKey));
  if (query) await queryClient.prefetchQuery(billEstimateQuery(api, order.version, query));
}
