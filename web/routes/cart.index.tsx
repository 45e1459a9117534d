/** SPEC §2: the shopping cart. */
import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { addressDefaults } from '#contract/limits.ts';
import { inLocale } from '#contract/locales.ts';
import { pickupStores } from '#contract/rules/method.ts';
import type { CheckoutConfig, Order } from '#contract/schemas/order.ts';
import { useLocale, useT } from '#ui/i18n.tsx';
import { Notice } from '#ui/notice.tsx';
import { useSession } from '#web/features/account/use-session.ts';
import { EditableBill } from '#web/features/bill/order-summary.tsx';
import type { BillEdit } from '#web/features/bill/use-bill-change.ts';
import { CartScreen } from '#web/features/cart/cart-screen.tsx';
import { FreeShippingBar } from '#web/features/cart/free-shipping-bar.tsx';
import { isServed } from '#web/features/cart/line-status.ts';
import { useCartStore } from '#web/features/cart/use-cart.ts';
import { NewProducts } from '#web/features/catalogue/new-products.tsx';
import { newProductsQuery } from '#web/features/catalogue/queries.ts';
import { loadCheckoutFacts } from '#web/features/checkout/load-facts.ts';
import { billEstimateQuery, checkoutConfigQuery, paymentConfigQuery, provincesQuery } from '#web/features/checkout/queries.ts';
import { deliveryPromiseQuery } from '#web/features/product/later-queries.ts';
import { useApi } from '#web/lib/api-context.tsx';
import { pageHead } from '#web/lib/head.ts';
import { storesQuery } from '#web/lib/stores-query.ts';
import { type CartNotice, urls } from '#web/lib/urls.ts';
import { useCancelPayment } from './-cancel-payment.ts';
import { assumedDelivery, loadEstimate } from './-cart-estimate.ts';
import { ViewedProducts } from './-viewed-products-on-demand.ts';

const notices = { sentBack: 'cart.sentBack', table: 'cart.tableSet' } as const satisfies Record<CartNotice, string>;

export const Route = createFileRoute('/cart/')({
  validateSearch: ({ notice }): { notice?: CartNotice } => (notice === 'sentBack' || notice === 'table' ? { notice } : {}),
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
  const { notice } = Route.useSearch();
  const config = useQuery(checkoutConfigQuery(api)).data;
  const payment = useQuery(paymentConfigQuery(api)).data;
  const { session } = useSession();
  // SPEC §4, §6: if guests cannot order, checkout begins with signing in.
  const signIn = config?.enabledGuestOrders === false && session?.user === null;
  return (
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
        <CartBill order={order} config={config} pending={pending} edit={{ change: (work) => cartStore.change(work) }} />
      )}
    />
  );
}

interface CartBillProps {
  order: Order;
  config: CheckoutConfig | undefined;
  pending: boolean;
  edit: BillEdit;
}

/**
 * The bill of the cart. Until the customer has chosen a delivery, the shop prices it for its default destination, or for its
 * first store if something is not shipped. Nothing is known of a cart that no method serves.
 */
function CartBill({ order, config, pending, edit }: CartBillProps) {
  const api = useApi();
  const locale = useLocale();
  const stores = useQuery(storesQuery(api)).data;
  const provinces = useQuery(provincesQuery(api, addressDefaults.countryISOCode)).data;
  const { ships, method, store, query } = assumedDelivery(order, config, stores);
  const bill = useQuery(billEstimateQuery(api, order.version, order.bill.final ? null : query)).data;
  const name = ships ? addressDefaults.province : store?.address.province;
  const province = provinces?.find(({ nameContent, provinceName }) => nameContent.en === name || provinceName === name);
  const assumed = bill?.final && {
    bill,
    method,
    place: province ? inLocale(province.nameContent, locale) : '',
    pickup: ships && config?.enablePickup === true && (stores ? pickupStores(stores).length > 0 : false),
  };
  const unknown = isServed(order) ? undefined : { method: null, bill: null };
  return <EditableBill order={order} estimate={unknown} assumed={assumed || undefined} pending={pending} edit={edit} />;
}

/** Shown where the shop ships for free from some value, unless the order is picked up, served or sent abroad. */
function FreeShipping({ order }: { order: Order }) {
  const promise = useQuery(deliveryPromiseQuery(useApi())).data;
  const { bill, method, shippingAddress, lineItems } = order;
  const elsewhere = shippingAddress !== null && shippingAddress.countryISOCode !== addressDefaults.countryISOCode;
  if (!promise?.freeOver || elsewhere || (method !== null && method !== 'shipping')) return null;
  if (lineItems.some(({ inStoreOnly }) => inStoreOnly)) return null;
  return <FreeShippingBar value={bill.subtotal - bill.discount} freeOver={promise.freeOver} currency={bill.currency} />;
}
