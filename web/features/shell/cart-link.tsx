import { useEffect, useRef } from 'react';
import { announce } from '#ui/announce.tsx';
import { cx } from '#ui/cx.ts';
import { useT } from '#ui/i18n.tsx';
import { Icon } from '#ui/icon.tsx';
import { Link } from '#ui/link.tsx';
import { urls } from '#web/lib/urls.ts';

/** The link to the cart, with the number of units in it; undefined while unknown. */
export function CartLink({ count }: { count: number | undefined }) {
  const t = useT();
  const label = count ? t('shell.cart.count', { count }) : t('shell.cart');
  const changed = useAnnouncedChange(count, label);
  return (
    <Link href={urls.cart()} className="icon-btn relative" aria-label={label}>
      <Icon name="bag" />
      {count ? (
        <span
          key={count}
          className={cx(
            'absolute top-0.5 right-0 min-w-5 rounded-full bg-action px-[0.3125rem] text-center font-semibold text-[0.75rem]/5 text-on-action',
            changed && 'animate-tick',
          )}
          aria-hidden
        >
          {count > 99 ? '99+' : count}
        </span>
      ) : null}
    </Link>
  );
}

/** Whether the count differs from the first known one; every change is announced. */
function useAnnouncedChange(count: number | undefined, label: string): boolean {
  const first = useRef(count);
  const announced = useRef(count);
  first.current ??= count;
  useEffect(() => {
    if (announced.current !== undefined && count !== undefined && announced.current !== count) announce(label);
    if (count !== undefined) announced.current = count;
  }, [count, label]);
  return count !== first.current;
}
