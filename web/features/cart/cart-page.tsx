import type { ReactNode } from 'react';
import type { Order } from '#contract/schemas/order.ts';
import { useT } from '#web/i18n/i18n.tsx';
import { focusQuietly } from '#web/lib/focus.ts';
import { urls } from '#web/lib/urls.ts';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Frame, PageHeading } from '#web/ui/layout.tsx';
import { LinkButton } from '#web/ui/link-button.tsx';
import { Skeleton, SkeletonText } from '#web/ui/skeleton.tsx';
import { lineNoticeId } from './cart-line.tsx';
import { CartLines } from './cart-lines.tsx';
import { CommentBox } from './comment-box.tsx';
import { blocksCheckout } from './line-status.ts';
import { useCart } from './use-cart.ts';
import { useCartLines } from './use-cart-lines.ts';

interface CartPageProps {
  /** Where checking out goes: the checkout, or signing in first. */
  checkoutHref: string;
  /** Why the shopper was sent back here, if so. */
  notice?: ReactNode;
  bill: (order: Order, pending: boolean) => ReactNode;
  /** Short lines under the button: what makes checking out easy here. */
  reassurances: string[];
}

export function CartPage({ checkoutHref, notice, bill, reassurances }: CartPageProps) {
  const t = useT();
  const { order, error, retry, keeper, pending } = useCart();
  const changes = useCartLines(order, keeper);
  const units = order?.lineItems.reduce((sum, line) => sum + line.quantity, 0) ?? 0;
  if (error && !order) return <CartError onRetry={() => void retry()} />;
  if (order && units === 0 && changes.removed.length === 0) return <EmptyCart notice={notice} />;
  return (
    <Frame className="min-h-dvh pb-section">
      <PageHeading aside={order && <span className="text-ink-soft">{t('cart.items', { count: units })}</span>}>
        {t('cart.title')}
      </PageHeading>
      {notice}
      {order ? (
        <div className="grid gap-x-16 gap-y-10 menu:grid-cols-[minmax(0,1fr)_24rem]">
          <div className="min-w-0">
            <CartLines order={order} changes={changes} />
            <div className="mt-8 max-w-form">
              <CommentBox comment={order.customerComment} keeper={keeper} />
            </div>
          </div>
          <aside className="self-start menu:sticky menu:top-32">
            <div className="rounded-lg bg-sunk p-6 menu:p-8">
              <h2 className="mb-5 text-lg">{t('bill.title')}</h2>
              {bill(order, pending)}
              <CheckoutButton order={order} href={checkoutHref} />
            </div>
            <ul className="mt-4 flex flex-col gap-1 text-center text-ink-soft text-sm">
              {reassurances.map((text) => (
                <li key={text}>{text}</li>
              ))}
            </ul>
          </aside>
        </div>
      ) : (
        <CartSkeleton />
      )}
    </Frame>
  );
}

/** SPEC §5: no checking out with a line that cannot be had; pressing leads to the first such line. */
function CheckoutButton({ order, href }: { order: Order; href: string }) {
  const t = useT();
  const blocking = order.lineItems.find(blocksCheckout);
  if (order.lineItems.length > 0 && !blocking) {
    return (
      <LinkButton href={href} wide className="mt-6">
        {t('cart.checkout')}
      </LinkButton>
    );
  }
  const lead = () => {
    const line = blocking && document.getElementById(lineNoticeId(blocking.sku));
    line?.scrollIntoView({ block: 'center' });
    focusQuietly(line);
  };
  return (
    <>
      <Button wide className="mt-6" aria-disabled aria-describedby="checkout-blocked" onClick={lead}>
        {t('cart.checkout')}
      </Button>
      <p id="checkout-blocked" className="field-error mt-3">
        {t(blocking ? 'cart.checkout.blocked' : 'rule.cartEmpty')}
      </p>
    </>
  );
}

function EmptyCart({ notice }: { notice: ReactNode }) {
  const t = useT();
  return (
    <Frame className="min-h-dvh">
      {notice}
      <EmptyState
        as="h1"
        icon="bag"
        title={t('cart.empty.title')}
        actions={
          <>
            <LinkButton href={urls.productList()}>{t('cart.empty.action')}</LinkButton>
            <LinkButton href={urls.clearance()} variant="secondary">
              {t('cart.empty.clearance')}
            </LinkButton>
          </>
        }
      >
        <p>{t('cart.empty.text')}</p>
      </EmptyState>
    </Frame>
  );
}

function CartError({ onRetry }: { onRetry: () => void }) {
  const t = useT();
  return (
    <Frame className="min-h-dvh">
      <EmptyState
        as="h1"
        icon="offline"
        title={t('cart.error.title')}
        actions={<Button onClick={onRetry}>{t('cart.error.retry')}</Button>}
      >
        <p>{t('cart.error.text')}</p>
      </EmptyState>
    </Frame>
  );
}

/** Two lines and a bill, in the places where they will be. */
function CartSkeleton() {
  return (
    <div className="grid gap-x-16 gap-y-10 menu:grid-cols-[minmax(0,1fr)_24rem]" role="status" aria-label={useT()('ui.loading')}>
      <div className="divide-y divide-line border-line border-y">
        {['first', 'second'].map((line) => (
          <div key={line} className="grid grid-cols-[5.5rem_1fr] gap-x-4 py-6 product:grid-cols-[8rem_1fr] product:gap-x-6">
            <Skeleton className="aspect-square" />
            <div className="flex flex-col gap-3">
              <SkeletonText lines={3} className="max-w-60" />
              <Skeleton className="h-12 w-36 rounded-full" />
            </div>
          </div>
        ))}
      </div>
      <div className="rounded-lg bg-sunk p-6 menu:p-8">
        <SkeletonText lines={5} />
      </div>
    </div>
  );
}
