import { inLocale } from '#contract/locales.ts';
import type { Inventory } from '#contract/schemas/catalogue.ts';
import { Accordion } from '#ui/accordion.tsx';
import { cx } from '#ui/cx.ts';
import { useLocale, useT } from '#ui/i18n.tsx';
import { SkeletonText } from '#ui/layout.tsx';

export const storesId = 'stores';

/** The stock of each store. The line has its final height while it loads. */
export function StoreStock({ live }: { live: Inventory | undefined }) {
  const t = useT();
  const locale = useLocale();
  const stores = live?.inventoryStoreInfos ?? [];
  const having = stores.filter(({ number }) => number > 0).length;
  const summary = having > 0 ? t('product.stores.have', { count: having }) : t(live ? 'product.stores.none' : 'product.stores');
  return (
    <Accordion summary={summary}>
      {!live && <SkeletonText lines={4} />}
      {/* A link to content of a closed fold opens it. */}
      <ul id={storesId} className="scroll-mt-28">
        {stores.map(({ localStoreName, nameContent, number, soldOutToday }) => (
          <li
            key={localStoreName}
            className="flex min-h-10 items-center justify-between gap-4 border-line border-b last:border-0"
          >
            <span>{inLocale(nameContent, locale)}</span>
            <span className={cx('tabular-nums', number > 0 ? 'font-semibold' : 'text-ink-soft')}>
              {number > 0
                ? t('product.store.number', { count: number })
                : t(soldOutToday ? 'product.store.soldOut' : 'product.store.none')}
            </span>
          </li>
        ))}
      </ul>
    </Accordion>
  );
}
