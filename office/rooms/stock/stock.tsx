/** Stock by place: what is there, what is low, and the ways to change and to count it. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { inLocale } from '#contract/locales.ts';
import type { StockLevel } from '#contract/staff/stock.ts';
import { Button, buttonClass } from '#ui/button.tsx';
import { cx } from '#ui/cx.ts';
import { errorText } from '#ui/errors.ts';
import { useT } from '#ui/i18n.tsx';
import { Checkbox, Select, type SelectOption } from '#ui/inputs.tsx';
import { Notice } from '#ui/notice.tsx';
import { useCall } from '../../lib/api.tsx';
import { useFilters } from '../../lib/filters.ts';
import { useLanguage } from '../../lib/i18n.tsx';
import { SearchForm } from '../../lib/search-form.tsx';
import { ChangeDialog } from './change.tsx';
import { lowText, optionText, useLowStock, usePlaces } from './places.ts';
import { useSoldOutToday } from './sold-out.tsx';
import { UsualLow } from './thresholds.tsx';

function useLevels(place: string, text: string, low: boolean) {
  const call = useCall();
  return useInfiniteQuery({
    queryKey: ['stock', place, text, low],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: after }) =>
      call('stock', {
        params: { place },
        query: { ...(text ? { text } : {}), ...(low ? { low: 'only' as const } : {}), ...(after === undefined ? {} : { after }) },
      }),
    getNextPageParam: ({ after }) => after ?? undefined,
    enabled: place !== '',
  });
}

export default function Stock() {
  const { t } = useLanguage();
  const shared = useT();
  const places = usePlaces();
  const low = useLowStock();
  const [{ place: chosen, text = '', low: lowOnly }, change] = useFilters();
  const [opened, setOpened] = useState<StockLevel | null>(null);
  const place = places.find(({ value }) => value === chosen)?.value ?? places[0]?.value ?? '';
  const { data, error, hasNextPage, fetchNextPage, isFetchingNextPage } = useLevels(place, text, lowOnly === 'only');
  const levels = data?.pages.flatMap((page) => page.levels) ?? [];
  const soldOut = useSoldOutToday(place);
  const lowHere = low.get(place) ?? 0;
  return (
    <div className="flex max-w-[64rem] flex-col gap-6">
      <Head places={places} place={place} onPlace={(next) => change({ place: next })} />
      <search className="flex flex-col gap-2">
        <SearchForm
          label={t('office.stock.search')}
          hint={t('office.stock.searchHint')}
          text={text}
          onSearch={(wanted) => change({ text: wanted, low: '' })}
        />
        <Checkbox
          className="min-h-11 justify-center"
          label={lowHere > 0 ? `${t('office.stock.lowOnly')} (${lowText(lowHere)})` : t('office.stock.lowOnly')}
          checked={lowOnly === 'only'}
          onChange={({ target }) => change({ low: target.checked ? 'only' : '', text: '' })}
        />
      </search>
      {lowOnly === 'only' && data?.pages[0] && <UsualLow usual={data.pages[0].usualLow} />}
      {error && <Notice tone="bad" title={errorText(error, shared)} />}
      <ul className="divide-y divide-line border-line border-y empty:hidden">
        {levels.map((level) => (
          <Row key={level.sku} level={level} until={soldOut.untilOf(level)} onOpen={() => setOpened(level)} />
        ))}
      </ul>
      {data && levels.length === 0 && <p>{t(lowOnly === 'only' ? 'office.stock.lowNone' : 'office.stock.none')}</p>}
      {hasNextPage && (
        <Button variant="secondary" className="self-center" busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {t('office.stock.more')}
        </Button>
      )}
      {opened && <ChangeDialog key={opened.sku} place={place} level={opened} soldOut={soldOut} onClose={() => setOpened(null)} />}
    </div>
  );
}

function Head({ places, place, onPlace }: { places: SelectOption[]; place: string; onPlace: (place: string) => void }) {
  const { t } = useLanguage();
  return (
    <header className="flex flex-wrap items-end justify-between gap-4">
      <h1 className="text-2xl">{t('office.stock')}</h1>
      <div className="flex flex-wrap items-end gap-3">
        {places.length > 1 && (
          <Select
            className="w-64"
            label={t('office.stock.place')}
            options={places}
            value={place}
            onChange={(event) => onPlace(event.target.value)}
          />
        )}
        {/* A document of its own, which alone may use the camera. */}
        <a className={buttonClass({ variant: 'secondary' })} href={`/office/scan?place=${encodeURIComponent(place)}`}>
          {t('office.stock.takes')}
        </a>
      </div>
    </header>
  );
}

function Row({ level, until, onOpen }: { level: StockLevel; until: string | null; onOpen: () => void }) {
  const { t, locale } = useLanguage();
  const { sku, name, options, units, held, low } = level;
  const isLow = units <= low;
  return (
    <li className="relative grid grid-cols-[1fr_auto] items-baseline gap-x-6 gap-y-1 py-3 hover:bg-surface-inset">
      <p className="min-w-0 break-words">
        <button type="button" onClick={onOpen} className="text-left font-semibold after:absolute after:inset-0">
          {inLocale(name, locale)}
        </button>
        <span className="block text-ink-soft text-sm">{[sku, optionText(options)].filter(Boolean).join(' · ')}</span>
        {until && <span className="block text-sm">{until}</span>}
      </p>
      <p className="text-right text-sm">
        <span className={cx(isLow && 'font-semibold text-amber')}>
          {isLow && `${t('office.stock.low')} · `}
          {t('office.stock.for', { units })}
        </span>
        {held > 0 && <span className="block text-ink-soft">{t('office.stock.held', { units: held })}</span>}
      </p>
    </li>
  );
}
