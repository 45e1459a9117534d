/** The places of stock, and in the menu how many SKUs are low in all of them. */
import { useQuery } from '@tanstack/react-query';
import { mostLow, warehouse } from '#contract/limits.ts';
import { inLocale } from '#contract/locales.ts';
import { useCall } from '../../lib/api.ts';
import { useLanguage } from '../../lib/i18n.tsx';
import { useMe, useOffice } from '../../lib/me.tsx';

/** Those of whoever is signed in; the warehouse belongs to no store. */
export function usePlaces() {
  const { t, locale, shop, stores: own } = useOffice();
  const stores = shop.stores.filter(({ id }) => own === null || own.includes(id));
  const options = stores.map(({ id, nameContent }) => ({ value: id, label: inLocale(nameContent, locale) }));
  return own === null ? [...options, { value: warehouse, label: t('office.papers.warehouse') }] : options;
}

/** What a place is called; that of a removed store has its id only. */
export function usePlaceName(): (place: string) => string {
  const { t, locale } = useLanguage();
  const { stores } = useMe().shop;
  return (place) => {
    const store = stores.find(({ id }) => id === place);
    return store
      ? inLocale(store.nameContent, locale)
      : place === warehouse
        ? t('office.papers.warehouse')
        : place;
  };
}

/** How many SKUs are low at each place. */
export function useLowStock() {
  const call = useCall();
  const { data } = useQuery({
    queryKey: ['stock-low'],
    queryFn: () => call('lowStock'),
    staleTime: 60_000,
    refetchInterval: 5 * 60_000,
  });
  return new Map(data?.places.map(({ place, skus }) => [place, skus]));
}

export const lowText = (skus: number) => (skus > mostLow ? `${mostLow}+` : String(skus));

export default function LowBadge() {
  const { t } = useLanguage();
  const skus = [...useLowStock().values()].reduce((sum, count) => sum + count, 0);
  if (skus === 0) return null;
  const said =
    skus > mostLow
      ? t('office.stock.lowCountMost', { count: mostLow })
      : t('office.stock.lowCount', { count: skus });
  return (
    <span
      className="ml-auto rounded-md bg-raised px-2 font-semibold text-amber text-sm tabular-nums"
      title={said}
    >
      <span aria-hidden="true">{lowText(skus)}</span>
      <span className="sr-only">{said}</span>
    </span>
  );
}
