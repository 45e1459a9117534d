import { useQuery } from '@tanstack/react-query';
import { inLocale } from '#contract/locales.ts';
import type { Inventory } from '#contract/schemas/catalogue.ts';
import type { DeliveryPromise } from '#contract/schemas/checkout.ts';
import { cx } from '#ui/cx.ts';
import { formatCalendarDay, formatDate, formatMoney } from '#ui/format.ts';
import { useLocale, useT } from '#ui/i18n.tsx';
import { Icon } from '#ui/icon.tsx';
import { SkeletonText } from '#ui/layout.tsx';
import { storesQuery, useApi } from '#web/lib/api.ts';
import { deliveryPromiseQuery, firstPickupQuery } from './later-queries.ts';
import { storesId } from './stock-line.tsx';

export function PromiseRows({ live, ships }: { live: Inventory | undefined; ships: boolean }) {
  return (
    <>
      <DeliveryLine ships={ships} />
      <FirstPickup live={live} />
    </>
  );
}

/** When a parcel arrives and what it costs. Its space stays the same while it loads, and if nothing ships. */
function DeliveryLine({ ships }: { ships: boolean }) {
  const t = useT();
  const locale = useLocale();
  const { data, isPending } = useQuery(deliveryPromiseQuery(useApi()));
  const day = (date: string) => formatCalendarDay(date, locale);
  const cost = ({ price, freeOver, currency }: DeliveryPromise) => {
    const values = { price: formatMoney(price, locale, currency) };
    if (freeOver === null) return t('product.delivery.cost', values);
    return t('product.delivery.freeOver', { ...values, amount: formatMoney(freeOver, locale, currency) });
  };
  return (
    <p className="flex min-h-[2lh] gap-2 text-sm">
      {ships && (data || isPending) && <Icon name="truck" size={18} className="mt-0.5 text-ink-soft" />}
      {ships && isPending && <SkeletonText lines={2} className="w-56" />}
      {ships && data && (
        <span>
          <span>{t('product.delivery', { from: day(data.earliest), to: day(data.latest) })}</span>
          <span className="block text-ink-soft">{cost(data)}</span>
        </span>
      )}
    </p>
  );
}

/** At the store with the most stock; if only stores without pickup have some, where it can be bought. Its height is final while it loads. */
export function FirstPickup({ live }: { live: Inventory | undefined }) {
  const t = useT();
  const locale = useLocale();
  const api = useApi();
  const having = (live?.inventoryStoreInfos ?? [])
    .filter(({ number }) => number > 0)
    .toSorted((a, b) => b.number - a.number);
  const store = having.find(({ allowPickup }) => allowPickup);
  const locations = useQuery({ ...storesQuery(api), enabled: store !== undefined });
  const timeZone = locations.data?.find(
    ({ localStoreName }) => localStoreName === store?.localStoreName,
  )?.timeZone;
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

export function StoreList({
  live: { inventoryStoreInfos: stores, uncounted, oversell },
}: {
  live: Inventory;
}) {
  const t = useT();
  const locale = useLocale();
  return (
    <ul>
      {stores.map(({ localStoreName, nameContent, number, soldOutToday }) => (
        <li
          key={localStoreName}
          className="flex min-h-10 items-center justify-between gap-4 border-line border-b last:border-0"
        >
          <span>{inLocale(nameContent, locale)}</span>
          <span className={cx('tabular-nums', number > 0 ? 'font-semibold' : 'text-ink-soft')}>
            {number > 0
              ? uncounted
                ? t('product.inStock')
                : t('product.store.number', { count: number })
              : t(
                  soldOutToday
                    ? 'product.store.soldOut'
                    : oversell
                      ? 'product.backorder'
                      : 'product.store.none',
                )}
          </span>
        </li>
      ))}
    </ul>
  );
}
