import { useQuery } from '@tanstack/react-query';
import { scarceUnits } from '#contract/rules/quantity.ts';
import type { Inventory, Product } from '#contract/schemas/catalogue.ts';
import { cx } from '#ui/cx.ts';
import { useT } from '#ui/i18n.tsx';
import { Icon, type IconName } from '#ui/icon.tsx';
import { useApi } from '#web/lib/api.ts';
import { inventoryQuery } from './queries.ts';
import { type Choice, pairsOf, skuOf } from './selection.tsx';

/** The id of the list of the stores' stock, to which a line about one of them leads. */
export const storesId = 'stores';

const looks: Record<
  StockStatus | 'Backorder',
  {
    key: 'product.inStock' | 'product.backorder' | 'product.outOfStock' | 'product.notAvailable';
    icon: IconName;
    tone: string;
  }
> = {
  Backorder: { key: 'product.backorder', icon: 'truck', tone: 'text-action' },
  InStock: { key: 'product.inStock', icon: 'check', tone: 'text-action' },
  OutOfStock: { key: 'product.outOfStock', icon: 'close', tone: 'text-clay' },
  NotAvailable: { key: 'product.notAvailable', icon: 'close', tone: 'text-clay' },
};

/** SPEC §8: In Stock, Out of Stock or Not Available, with a short explanation. Few units left are counted. */
export function StockLine({
  stock: { status, live, backorder, notForSaleYet },
  inStoreOnly,
}: {
  stock: Stock;
  inStoreOnly: boolean;
}) {
  const t = useT();
  const { key, icon, tone } = looks[backorder ? 'Backorder' : status];
  const toFetch =
    live?.inventoryStoreInfos.some(({ allowPickup, number }) => allowPickup && number > 0) ?? false;
  const unshipped = live?.shippable === 0;
  const detail =
    status === 'NotAvailable'
      ? t(notForSaleYet ? 'rule.notForSaleYet' : 'product.notMade')
      : status === 'OutOfStock'
        ? t('rule.outOfStock')
        : backorder
          ? ''
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

type StockStatus = Inventory['status'];

export interface Stock {
  status: StockStatus;
  /** Undefined until the live answer arrives; the status is then that of the rendered page. */
  live: Inventory | undefined;
  sku: string | null;
  /** Nothing is left, and it is sold beyond stock. */
  backorder?: boolean | undefined;
  /** The shop takes no orders yet. */
  notForSaleYet?: boolean | undefined;
}

/** First as in the rendered page, then live. An answer for an earlier choice is never shown for this one. */
export function useStock(product: Product, choice: Choice): Stock {
  const { data: live } = useQuery(inventoryQuery(useApi(), product.id, pairsOf(choice)));
  const known = skuOf(product, choice);
  const before: StockStatus =
    known && !product.notForSaleYet ? (known.inStock ? 'InStock' : 'OutOfStock') : 'NotAvailable';
  return {
    status: live?.status ?? before,
    live,
    sku: live?.sku ?? known?.sku ?? null,
    backorder: (live ?? known)?.backorder,
    notForSaleYet: (live ?? product).notForSaleYet,
  };
}
