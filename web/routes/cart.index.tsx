/** SPEC §2: the shopping cart. */
import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useSession } from '#web/features/account/use-session.ts';
import { EditableBill } from '#web/features/bill/order-summary.tsx';
import { CartScreen } from '#web/features/cart/cart-screen.tsx';
import { useCartStore } from '#web/features/cart/use-cart.ts';
import { checkoutConfigQuery, paymentConfigQuery } from '#web/features/checkout/queries.ts';
import { useT } from '#web/i18n/i18n.tsx';
import { useApi } from '#web/lib/api-context.tsx';
import { pageHead } from '#web/lib/head.ts';
import { type CartNotice, urls } from '#web/lib/urls.ts';
import { Notice } from '#web/ui/notice.tsx';
import { useCancelPayment } from './-cancel-payment.ts';

const notices = { sentBack: 'cart.sentBack', table: 'cart.tableSet' } as const satisfies Record<CartNotice, string>;

export const Route = createFileRoute('/cart/')({
  validateSearch: ({ notice }): { notice?: CartNotice } => (notice === 'sentBack' || notice === 'table' ? { notice } : {}),
  loader: ({ context }) => ({ title: context.t('cart.title') }),
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
      reassurances={[
        ...(config?.enabledGuestOrders ? [t('cart.reassure.guest')] : []),
        ...(payment?.paymentOnline && payment.payAtStoreEnabled ? [t('cart.reassure.pay')] : []),
      ]}
      bill={(order, pending) => (
        <EditableBill order={order} pending={pending} edit={{ change: (work) => cartStore.change(work) }} />
      )}
    />
  );
}
