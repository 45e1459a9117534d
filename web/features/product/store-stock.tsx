import type { Inventory } from '#contract/schemas/catalogue.ts';
import { Accordion } from '#ui/accordion.tsx';
import { useT } from '#ui/i18n.tsx';
import { SkeletonText } from '#ui/layout.tsx';
import { lazyWithPreload } from '#web/lib/lazy-view.tsx';

export const storesId = 'stores';

const placeholder = <SkeletonText lines={4} />;

/** In the file of the rows above, which has loaded by the time that stock has. */
const StoreList = lazyWithPreload(async () => (await import('./promise-rows.tsx')).StoreList, 'more', placeholder);

/** The stock of each store. The line has its final height while it loads. */
export function StoreStock({ live }: { live: Inventory | undefined }) {
  const t = useT();
  const stores = live?.inventoryStoreInfos ?? [];
  const having = stores.filter(({ number }) => number > 0).length;
  const summary = having > 0 ? t('product.stores.have', { count: having }) : t(live ? 'product.stores.none' : 'product.stores');
  return (
    <Accordion summary={summary}>
      {/* A link to content of a closed fold opens it. */}
      <div id={storesId} className="scroll-mt-28">
        {live ? <StoreList live={live} /> : placeholder}
      </div>
    </Accordion>
  );
}
