import { type ReactNode, type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react';
import { missingForFreeShipping } from '#contract/rules/free-shipping.ts';
import type { Bill, Order } from '#contract/schemas/order.ts';
import { Accordion } from '#ui/accordion.tsx';
import { Button, LinkButton } from '#ui/button.tsx';
import { cx } from '#ui/cx.ts';
import { errorText } from '#ui/errors.ts';
import { fieldErrorClass } from '#ui/field.tsx';
import { formatMoney } from '#ui/format.ts';
import { useLocale, useT } from '#ui/i18n.tsx';
import { Icon } from '#ui/icon.tsx';
import { TextArea } from '#ui/inputs.tsx';
import { Frame, PageHeading, Skeleton, SkeletonText } from '#ui/layout.tsx';
import { Link } from '#ui/link.tsx';
import { EmptyState } from '#ui/notice.tsx';
import { focusQuietly } from '#ui/page.tsx';
import { urls } from '#web/lib/urls.ts';
import {
  blocksCheckout,
  CartLines,
  type Choosing,
  isServed,
  lineNoticeId,
  useCartLines,
} from './cart-lines.tsx';
import type { CartStore } from './cart-store.ts';
import { useCart } from './use-cart.ts';

interface CartScreenProps {
  /** The target of the checkout button: checkout, or signing in first. */
  checkoutHref: string;
  notice?: ReactNode;
  whenEmpty: ReactNode;
  bill: (order: Order, pending: boolean) => ReactNode;
  freeShipping: (order: Order) => ReactNode;
  reassurances: string[];
  choosing: Choosing;
}

export function CartScreen({
  checkoutHref,
  notice,
  whenEmpty,
  bill,
  freeShipping,
  reassurances,
  choosing,
}: CartScreenProps) {
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
      <PageHeading
        aside={order && <span className="text-ink-soft">{t('cart.items', { count: units })}</span>}
      >
        {t('cart.title')}
      </PageHeading>
      {notice}
      {order && units === 0 ? (
        <>
          <CartLines order={order} changes={changes} choosing={choosing} />
          <NothingInCart />
          {whenEmpty}
        </>
      ) : order ? (
        <div className="grid gap-x-16 gap-y-10 menu:grid-cols-[minmax(0,1fr)_24rem]">
          <div className="min-w-0">
            {freeShipping(order)}
            <CartLines order={order} changes={changes} choosing={choosing} />
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

/** The empty cart, with links to continue. As `h1` it is the whole page. */
function NothingInCart({ as = 'h2' }: { as?: 'h1' | 'h2' }) {
  const t = useT();
  return (
    <EmptyState
      as={as}
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
        actions={<Button label={t('cart.error.retry')} onClick={onRetry} />}
      >
        <p>{t('cart.error.text')}</p>
      </EmptyState>
    </Frame>
  );
}

function CartSkeleton() {
  return (
    <div
      className="grid gap-x-16 gap-y-10 menu:grid-cols-[minmax(0,1fr)_24rem]"
      role="status"
      aria-label={useT()('ui.loading')}
    >
      <div className="divide-y divide-line border-line border-y">
        {['first', 'second'].map((line) => (
          <div
            key={line}
            className="grid grid-cols-[5.5rem_1fr] gap-x-4 py-6 product:grid-cols-[8rem_1fr] product:gap-x-6"
          >
            <Skeleton className="aspect-square" />
            <div className="flex flex-col gap-3">
              <SkeletonText lines={3} className="max-w-60" />
              <Skeleton className="h-12 w-36 rounded-full" />
            </div>
          </div>
        ))}
      </div>
      <div className="rounded-lg bg-surface-inset p-6 menu:p-8">
        <SkeletonText lines={5} />
      </div>
    </div>
  );
}

interface FreeShippingBarProps {
  bill: Pick<Bill, 'subtotal' | 'discount' | 'currency'>;
  /** The value from which shipping is free, cents; above 0. */
  freeOver: number;
}

export function FreeShippingBar({ bill, freeOver }: FreeShippingBarProps) {
  const t = useT();
  const locale = useLocale();
  const missing = missingForFreeShipping(bill, freeOver);
  return (
    <div className="mb-6">
      <p className="mb-2 flex items-center gap-2 text-sm">
        <Icon name={missing > 0 ? 'truck' : 'check'} size={18} className="text-action" />
        <span>
          {missing > 0
            ? t('cart.freeShipping.missing', { amount: formatMoney(missing, locale, bill.currency) })
            : t('cart.freeShipping.reached')}
        </span>
      </p>
      <div className="h-1 overflow-hidden rounded-full bg-surface-inset" aria-hidden>
        <div
          className="h-full bg-action"
          style={{ width: `${Math.min(100, (1 - missing / freeOver) * 100)}%` }}
        />
      </div>
    </div>
  );
}

type Saving = { state: 'still' | 'saving' | 'saved' } | { state: 'failed'; reason: string };

/** How long typing rests before the note is saved, ms. */
const noteRestMs = 1000;

/** The order note, saved as it is typed. A change from another tab shows unless the customer is typing here. */
function CommentBox({ comment, cartStore }: { comment: string; cartStore: CartStore }) {
  const t = useT();
  const [text, setText] = useState(comment);
  const [saving, setSaving] = useState<Saving>({ state: 'still' });
  const writing = useRef(false);
  /** What was sent last; the stored note before. */
  const sent = useRef(comment);

  useEffect(() => {
    sent.current = comment;
    if (!writing.current) setText(comment);
  }, [comment]);

  const save = async () => {
    const value = text.trim();
    if (value === sent.current) return;
    sent.current = value;
    setSaving({ state: 'saving' });
    try {
      await cartStore.comment(value);
      setSaving((now) => (now.state === 'saving' ? { state: 'saved' } : now));
    } catch (error) {
      // The text stays in the field, so that it can be sent again.
      writing.current = true;
      sent.current = comment;
      setSaving({ state: 'failed', reason: errorText(error, t) });
    }
  };
  const saveNow = useEffectEvent(save);

  useEffect(() => {
    if (!writing.current || text.trim() === sent.current) return;
    const timer = setTimeout(() => void saveNow(), noteRestMs);
    return () => clearTimeout(timer);
  }, [text]);

  // A page that is left by its address, or by going back, takes the focus from nothing.
  useEffect(() => {
    const leave = () => void saveNow();
    addEventListener('pagehide', leave);
    return () => {
      removeEventListener('pagehide', leave);
      leave();
    };
  }, []);

  return (
    <Accordion
      summary={t(comment === '' ? 'cart.comment.add' : 'cart.comment.label')}
      defaultOpen={comment !== ''}
    >
      <TextArea
        label={t('cart.comment.label')}
        hint={t('cart.comment.hint')}
        optional={t('ui.optional')}
        name="customerComment"
        maxLength={1000}
        rows={2}
        value={text}
        error={saving.state === 'failed' && t('cart.comment.failed', { reason: saving.reason })}
        onFocus={() => {
          writing.current = true;
        }}
        onChange={(event) => {
          setText(event.target.value);
          setSaving({ state: 'still' });
        }}
        onBlur={() => {
          writing.current = false;
          void save();
        }}
      />
      <p className="mt-1 min-h-6 text-ink-soft text-sm" role="status">
        {saving.state === 'saving' && t('cart.comment.saving')}
        {saving.state === 'saved' && t('cart.comment.saved')}
      </p>
    </Accordion>
  );
}

interface CheckoutBarProps {
  order: Order;
  href: string;
  /** The summary with the page's own button. */
  summary: RefObject<HTMLElement | null>;
}

/** On narrow screens, at the bottom while the summary is out of view: the subtotal and the way to checkout. */
function CheckoutBar({ order, href, summary }: CheckoutBarProps) {
  const t = useT();
  const locale = useLocale();
  const away = useAway(summary);
  const { bill, lineItems } = order;
  if (!away || !isServed(order) || lineItems.some(blocksCheckout)) return null;
  const amount = formatMoney(bill.final ? bill.total : bill.subtotal - bill.discount, locale, bill.currency);
  const label = t(bill.final ? 'bill.total' : 'bill.subtotal');
  return (
    <div className="fixed inset-x-0 bottom-0 z-10 flex min-h-18 items-center justify-between gap-4 border-line border-t bg-paper px-4 py-3 pb-[max(0.75rem,env(safe-area-inset-bottom))] menu:hidden print:hidden">
      <p className="leading-tight">
        <span className="block text-ink-soft text-sm">{label}</span>
        <span className="font-semibold tabular-nums">{amount}</span>
      </p>
      <LinkButton href={href} aria-label={t('cart.checkoutFor', { amount })}>
        {t('cart.checkout')}
      </LinkButton>
    </div>
  );
}

/** Whether an element is below the window. False until that is known. */
function useAway(element: RefObject<HTMLElement | null>): boolean {
  const [away, setAway] = useState(false);
  useEffect(() => {
    if (!element.current) return;
    const observer = new IntersectionObserver(([entry]) => {
      setAway(entry !== undefined && !entry.isIntersecting && entry.boundingClientRect.top > 0);
    });
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element]);
  return away;
}

/** SPEC §5: checkout is blocked while a line is not available; the button moves focus to the first such line. */
function CheckoutButton({ order, href }: { order: Order; href: string }) {
  const t = useT();
  const blocking = order.lineItems.find(blocksCheckout);
  if (!blocking && !isServed(order))
    return <p className={cx(fieldErrorClass, 'mt-6')}>{t('cart.checkout.noMethod')}</p>;
  if (!blocking) {
    return (
      <LinkButton href={href} wide className="mt-6">
        {t('cart.checkout')}
      </LinkButton>
    );
  }
  const lead = () => {
    const line = document.getElementById(lineNoticeId(blocking.id));
    line?.scrollIntoView({ block: 'center' });
    focusQuietly(line);
  };
  return (
    <>
      <Button
        label={t('cart.checkout')}
        wide
        className="mt-6 aria-disabled:border-line aria-disabled:bg-paper"
        aria-disabled
        aria-describedby="checkout-blocked"
        onClick={lead}
      />
      <p id="checkout-blocked" className={cx(fieldErrorClass, 'mt-3')}>
        {t('cart.checkout.blocked')}
      </p>
      {/* Stock is counted at the order's location: an item that one store lacks may be in stock at another. */}
      {order.method && (
        <p className="mt-2 text-sm">
          {t('cart.otherWay.text')}{' '}
          <Link href={urls.checkout()} className="link">
            {t('cart.otherWay.action')}
          </Link>
        </p>
      )}
    </>
  );
}
