import { type RefObject, useEffect, useState } from 'react';
import type { Order } from '#contract/schemas/order.ts';
import { Button, LinkButton } from '#ui/button.tsx';
import { cx } from '#ui/cx.ts';
import { fieldErrorClass } from '#ui/field.tsx';
import { focusQuietly } from '#ui/focus.ts';
import { formatMoney } from '#ui/format.ts';
import { useLocale, useT } from '#ui/i18n.tsx';
import { Link } from '#ui/link.tsx';
import { urls } from '#web/lib/urls.ts';
import { lineNoticeId } from './cart-line.tsx';
import { blocksCheckout, isServed } from './use-cart-lines.ts';

interface CheckoutBarProps {
  order: Order;
  href: string;
  /** The summary with the page's own button. */
  summary: RefObject<HTMLElement | null>;
}

/** On narrow screens, at the bottom while the summary is out of view: the subtotal and the way to checkout. */
export function CheckoutBar({ order, href, summary }: CheckoutBarProps) {
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
export function CheckoutButton({ order, href }: { order: Order; href: string }) {
  const t = useT();
  const blocking = order.lineItems.find(blocksCheckout);
  if (!blocking && !isServed(order)) return <p className={cx(fieldErrorClass, 'mt-6')}>{t('cart.checkout.noMethod')}</p>;
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
        wide
        className="mt-6 aria-disabled:border-line aria-disabled:bg-paper"
        aria-disabled
        aria-describedby="checkout-blocked"
        onClick={lead}
      >
        {t('cart.checkout')}
      </Button>
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
