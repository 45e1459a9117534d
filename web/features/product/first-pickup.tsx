import { useQuery } from '@tanstack/react-query';
import { inLocale } from '#contract/locales.ts';
import type { Inventory } from '#contract/schemas/catalogue.ts';
import { formatDate } from '#ui/format.ts';
import { useLocale, useT } from '#ui/i18n.tsx';
import { Icon } from '#ui/icon.tsx';
import { SkeletonText } from '#ui/layout.tsx';
import { useApi } from '#web/lib/api.ts';
import { storesQuery } from '#web/lib/stores-query.ts';
import { firstPickupQuery } from './later-queries.ts';
import { storesId } from './store-stock.tsx';

/**
 * The earliest pickup time at the store with the most stock. If only stores without pickup have stock, it names one where the
 * product can be bought. The line has its final height while it loads.
 */
export function FirstPickup({ live }: { live: Inventory | undefined }) {
  const t = useT();
  const locale = useLocale();
  const api = useApi();
  const having = (live?.inventoryStoreInfos ?? []).filter(({ number }) => number > 0).toSorted((a, b) => b.number - a.number);
  const store = having.find(({ allowPickup }) => allowPickup);
  const locations = useQuery({ ...storesQuery(api), enabled: store !== undefined });
  const timeZone = locations.data?.find(({ localStoreName }) => localStoreName === store?.localStoreName)?.timeZone;
  const first = useQuery({
    ...firstPickupQuery(api, store?.localStoreName ?? '', timeZone ?? ''),
    enabled: timeZone !== undefined,
  });
  const waiting = !live || (store && (locations.isPending || (timeZone !== undefined && first.isPending)));
  const at = first.data;
  return (
    <p className="flex min-h-[2lh] gap-2 text-ink-soft text-sm wide:min-h-[1lh]">
      <Icon name="store" size={18} className="mt-0.5" />
      {waiting ? (
        <SkeletonText lines={1} className="w-56" />
      ) : store && at && timeZone ? (
        <span>
          {t('product.pickup.first', {
            time: formatDate(at, locale, timeZone, 'shortDayTime'),
            store: inLocale(store.nameContent, locale),
          })}
          {having.length > 1 && (
            <>
              {' · '}
              <a href={`#${storesId}`} className="link whitespace-nowrap">
                {t('product.pickup.others')}
              </a>
            </>
          )}
        </span>
      ) : (
        <span>
          {!store && having[0]
            ? t('product.pickup.inStore', { store: inLocale(having[0].nameContent, locale) })
            : t('product.pickup.none')}
        </span>
      )}
    </p>
  );
}
