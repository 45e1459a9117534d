import type { Order } from '#contract/schemas/order.ts';
import { Button } from '#ui/button.tsx';
import { cx } from '#ui/cx.ts';
import { fieldErrorClass } from '#ui/field.tsx';
import { focusQuietly } from '#ui/focus.ts';
import { useT } from '#ui/i18n.tsx';
import { Link } from '#ui/link.tsx';
import { LinkButton } from '#ui/link-button.tsx';
import { urls } from '#web/lib/urls.ts';
import { lineNoticeId } from './cart-line.tsx';
import { blocksCheckout, isServed } from './line-status.ts';

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
    const line = document.getElementById(lineNoticeId(blocking.sku));
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
