import { type ReactNode, useRef } from 'react';
import type { Order } from '#contract/schemas/order.ts';
import { useT } from '#ui/i18n.tsx';
import { Frame, PageHeading } from '#ui/layout.tsx';
import { CartLines } from './cart-lines.tsx';
import { CartError, CartSkeleton, NothingInCart } from './cart-states.tsx';
import { CheckoutBar } from './checkout-bar.tsx';
import { CheckoutButton } from './checkout-button.tsx';
import { CommentBox } from './comment-box.tsx';
import { useCart } from './use-cart.ts';
import { useCartLines } from './use-cart-lines.ts';

interface CartScreenProps {
  /** The target of the checkout button: checkout, or signing in first. */
  checkoutHref: string;
  /** Why the customer was sent back here, if they were. */
  notice?: ReactNode;
  /** Shown under an empty cart. */
  whenEmpty: ReactNode;
  bill: (order: Order, pending: boolean) => ReactNode;
  /** How much is missing for free shipping. */
  freeShipping: (order: Order) => ReactNode;
  /** Short reassurances under the button. */
  reassurances: string[];
}

export function CartScreen({ checkoutHref, notice, whenEmpty, bill, freeShipping, reassurances }: CartScreenProps) {
  const t = useT();
  const { order, error, retry, cartStore, pending } = useCart();
  const changes = useCartLines(order, cartStore);
  const summary = useRef<HTMLDivElement>(null);
  const units = order?.lineItems.reduce((sum, line) => sum + line.quantity, 0) ?? 0;
  if (error && !order) return <CartError onRetry={() => void retry()} />;
  if (order && units === 0 && changes.removed.length === 0) {
    return (
      <Frame className="min-h-dvh">
        {notice}
        <NothingInCart as="h1" />
        {whenEmpty}
      </Frame>
    );
  }
  return (
    <Frame className="min-h-dvh pb-section">
      <PageHeading aside={order && <span className="text-ink-soft">{t('cart.items', { count: units })}</span>}>
        {t('cart.title')}
      </PageHeading>
      {notice}
      {order && units === 0 ? (
        <>
          <CartLines order={order} changes={changes} />
          <NothingInCart />
          {whenEmpty}
        </>
      ) : order ? (
        <div className="grid gap-x-16 gap-y-10 menu:grid-cols-[minmax(0,1fr)_24rem]">
          <div className="min-w-0">
            {freeShipping(order)}
            <CartLines order={order} changes={changes} />
            <div className="mt-8 max-w-form">
              <CommentBox comment={order.customerComment} cartStore={cartStore} />
            </div>
          </div>
          <aside className="self-start menu:sticky menu:top-24">
            <div ref={summary} className="rounded-lg bg-surface-inset p-6 menu:p-8">
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
          <CheckoutBar order={order} href={checkoutHref} summary={summary} />
        </div>
      ) : (
        <CartSkeleton />
      )}
    </Frame>
  );
}
