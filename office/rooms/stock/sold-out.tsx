/** What a store has none of today, until it next opens (the room Today has the same). */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { dateFormat } from '#contract/formatters.ts';
import { warehouse } from '#contract/limits.ts';
import type { StockLevel } from '#contract/staff/stock.ts';
import { Button } from '#ui/button.tsx';
import { errorText } from '#ui/errors.ts';
import { useT } from '#ui/i18n.tsx';
import { Notice } from '#ui/notice.tsx';
import { useCall } from '../../lib/api.tsx';
import { useLanguage } from '../../lib/i18n.tsx';
import { useMe } from '../../lib/me.tsx';

export type SoldOutToday = ReturnType<typeof useSoldOutToday>;

/** Of a store; the warehouse has no opening. */
export function useSoldOutToday(place: string) {
  const { t, locale } = useLanguage();
  const { may, shop } = useMe();
  const call = useCall();
  const queries = useQueryClient();
  const isOffered = place !== '' && place !== warehouse && may.includes('stock.soldOut');
  const key = ['sold-out', place, locale];
  const { data } = useQuery({
    queryKey: key,
    queryFn: () => call('soldOut', { params: { store: place } }),
    enabled: isOffered,
  });
  const mark = useMutation({
    mutationFn: (body: { item: string; soldOut: boolean }) => call('markSoldOut', { params: { store: place }, body }),
    onSuccess: (answer) => queries.setQueryData(key, answer),
  });
  const time = dateFormat(locale, {
    weekday: 'short',
    hour: 'numeric',
    minute: '2-digit',
    timeZone: data?.timeZone ?? shop.timeZone,
  });
  return {
    isOffered,
    mark,
    /** Of the SKU, or of the product that it belongs to. */
    untilOf({ sku, product }: Pick<StockLevel, 'sku' | 'product'>): string | null {
      const found = data?.items.find(({ item }) => item === `sku:${sku}` || item === `product:${product}`);
      return found ? t('office.stock.soldOutUntil', { time: time.format(found.until) }) : null;
    },
    markOf: ({ sku, product }: Pick<StockLevel, 'sku' | 'product'>): string | undefined =>
      data?.items.find(({ item }) => item === `sku:${sku}` || item === `product:${product}`)?.item,
  };
}

/** With the row of the SKU, the second of two taps. */
export function SoldOutButton({ level, soldOut }: { level: StockLevel; soldOut: SoldOutToday }) {
  const { t } = useLanguage();
  const shared = useT();
  if (!soldOut.isOffered) return null;
  const { mark } = soldOut;
  const marked = soldOut.markOf(level);
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      {mark.error && <Notice tone="bad" title={errorText(mark.error, shared)} />}
      <Button
        variant="secondary"
        busy={mark.isPending}
        onClick={() => mark.mutate({ item: marked ?? `sku:${level.sku}`, soldOut: marked === undefined })}
      >
        {t(marked === undefined ? 'office.stock.soldOutToday' : 'office.stock.backNow')}
      </Button>
      <p role="status" className="text-ink-soft text-sm">
        {soldOut.untilOf(level)}
      </p>
    </div>
  );
}
