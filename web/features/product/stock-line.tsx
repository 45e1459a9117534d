import { scarceUnits } from '#contract/rules/quantity.ts';
import { cx } from '#ui/cx.ts';
import { useT } from '#ui/i18n.tsx';
import { Icon, type IconName } from '#ui/icon.tsx';
import type { Stock, StockStatus } from './use-stock.ts';

const looks: Record<
  StockStatus,
  { key: 'product.inStock' | 'product.outOfStock' | 'product.notAvailable'; icon: IconName; tone: string }
> = {
  InStock: { key: 'product.inStock', icon: 'check', tone: 'text-action' },
  OutOfStock: { key: 'product.outOfStock', icon: 'close', tone: 'text-clay' },
  NotAvailable: { key: 'product.notAvailable', icon: 'close', tone: 'text-clay' },
};

interface StockLineProps {
  stock: Stock;
  inStoreOnly: boolean;
}

/** SPEC §8: In Stock, Out of Stock or Not Available, with a short explanation. Few units left are counted. */
export function StockLine({ stock: { status, live }, inStoreOnly }: StockLineProps) {
  const t = useT();
  const { key, icon, tone } = looks[status];
  const toFetch = live?.inventoryStoreInfos.some(({ allowPickup, number }) => allowPickup && number > 0) ?? false;
  const unshipped = live?.shippable === 0;
  const detail =
    status === 'NotAvailable'
      ? t('product.notMade')
      : status === 'OutOfStock'
        ? t('rule.outOfStock')
        : inStoreOnly || (unshipped && !toFetch)
          ? t(inStoreOnly ? 'product.served' : 'card.inStoreOnly')
          : unshipped
            ? t('product.pickupOnly')
            : t('product.ships');
  const left = status === 'InStock' && live && live.obtainable <= scarceUnits ? live.obtainable : 0;
  return (
    <p role="status" className="flex flex-wrap items-center gap-x-2 leading-normal">
      <span className={cx('inline-flex items-center gap-1.5 font-semibold', tone)}>
        <Icon name={icon} size={18} />
        {t(key)}
      </span>
      {left > 0 && <span className="font-semibold">{t('product.onlyLeft', { count: left })}</span>}
      <span className="text-ink-soft">{detail}</span>
    </p>
  );
}
