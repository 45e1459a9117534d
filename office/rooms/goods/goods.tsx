/** All products, in a table that reads only what is on the screen. Filters and what is searched for lie in the address. */
import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useRef, useState } from 'react';
import { inLocale } from '#contract/locales.ts';
import type { GoodsFilter, GoodsNames, GoodsPage } from '#contract/staff/goods.ts';
import { Button } from '#ui/button.tsx';
import { errorText } from '#ui/errors.ts';
import { formatMoney } from '#ui/format.ts';
import { useT } from '#ui/i18n.tsx';
import { Link } from '#ui/link.tsx';
import { Notice } from '#ui/notice.tsx';
import { useCall } from '../../lib/api.tsx';
import { useFilters } from '../../lib/filters.ts';
import { useLanguage } from '../../lib/i18n.tsx';
import { useMe } from '../../lib/me.tsx';
import { SearchForm } from '../../lib/search-form.tsx';
import { AddProduct } from './add-product.tsx';
import { Filters, useGoodsNames } from './filters.tsx';

type Row = GoodsPage['products'][number];

/** As the server has them. */
const pageSize = 50;
const rowHeight = 72;

export default function Goods() {
  const { t, locale } = useLanguage();
  const shared = useT();
  const { may } = useMe();
  const call = useCall();
  const [filters, change] = useFilters();
  const [isAdding, setIsAdding] = useState(false);
  const filter = filterIn(filters);
  const names = useGoodsNames();
  const first = useQuery({ ...pageQuery(call, filter, 0), placeholderData: keepPreviousData });
  const count = first.data?.count;
  return (
    <div className="flex flex-col gap-5">
      <header className="flex flex-wrap items-center justify-between gap-4">
        <h1 className="text-2xl">{t('office.goods')}</h1>
        {may.includes('goods.write') && (
          <Button icon="plus" size="small" onClick={() => setIsAdding(true)}>
            {t('office.goods.add')}
          </Button>
        )}
      </header>
      <search className="flex flex-col gap-4">
        <SearchForm
          label={t('office.goods.search')}
          hint={t('office.goods.searchHint')}
          text={filters.text ?? ''}
          onSearch={(text) => change({ text })}
        />
        {names && <Filters names={names} filters={filters} change={change} />}
      </search>
      {first.error && <Notice tone="bad" title={errorText(first.error, shared)} />}
      {count !== undefined && (
        <p role="status" className="text-ink-soft">
          {t('office.goods.count', { count, shown: count.toLocaleString(locale) })}
        </p>
      )}
      {names && count !== undefined && count > 0 && <Table count={count} filter={filter} names={names} />}
      {isAdding && <AddProduct onClose={() => setIsAdding(false)} />}
    </div>
  );
}

const numbers = ['fromCents', 'toCents'];
const texts = ['text', 'brand', 'category', 'tag', 'status', 'stock', 'store', 'without'];

function filterIn(filters: Readonly<Record<string, string>>): GoodsFilter {
  const known = Object.entries(filters).flatMap(([name, value]): [string, string | number][] => {
    if (texts.includes(name)) return [[name, value]];
    return numbers.includes(name) && /^\d+$/.test(value) ? [[name, Number(value)]] : [];
  });
  return Object.fromEntries(known) as GoodsFilter;
}

const pageQuery = (call: ReturnType<typeof useCall>, filter: GoodsFilter, page: number) => ({
  queryKey: ['goods', 'page', filter, page],
  queryFn: () => call('goods', { query: { ...filter, skip: page * pageSize } }),
});

function Table({ count, filter, names }: { count: number; filter: GoodsFilter; names: GoodsNames }) {
  const { t } = useLanguage();
  const call = useCall();
  const box = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({ count, getScrollElement: () => box.current, estimateSize: () => rowHeight, overscan: 8 });
  const items = rows.getVirtualItems();
  const pages = [...new Set(items.map(({ index }) => Math.floor(index / pageSize)))];
  const read = useQueries({ queries: pages.map((page) => pageQuery(call, filter, page)) });
  const rowAt = (index: number): Row | undefined =>
    read[pages.indexOf(Math.floor(index / pageSize))]?.data?.products[index % pageSize];
  return (
    <section
      ref={box}
      aria-label={t('office.goods')}
      className="h-[calc(100dvh-12rem)] min-h-80 overflow-y-auto border-line border-y"
    >
      <ul className="relative" style={{ height: rows.getTotalSize() }}>
        {items.map(({ index, start }) => (
          <li
            key={index}
            aria-posinset={index + 1}
            aria-setsize={count}
            className="absolute inset-x-0 border-line border-b hover:bg-surface-inset"
            style={{ height: rowHeight, transform: `translateY(${start}px)` }}
          >
            <ProductRow row={rowAt(index)} names={names} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function ProductRow({ row, names }: { row: Row | undefined; names: GoodsNames }) {
  const { t, locale } = useLanguage();
  if (!row) return <span className="block h-full bg-surface-inset" />;
  const money = (cents: number) => formatMoney(cents, locale, names.currency);
  const labelOf = (list: GoodsNames['brands'], id: string) =>
    inLocale(list.find(({ name }) => name === id)?.nameContent ?? { en: id }, locale);
  const price =
    row.lowestCents === row.highestCents ? money(row.lowestCents) : `${money(row.lowestCents)}–${money(row.highestCents)}`;
  return (
    <div className="relative grid h-full grid-cols-[3rem_minmax(0,1fr)_auto] items-center gap-x-4 px-2 wide:grid-cols-[3rem_minmax(0,2fr)_minmax(0,1fr)_10rem_10rem]">
      {row.image ? (
        <img
          src={row.image.imageURL.replace(/^\/media\/\d+/, '/media/320')}
          alt=""
          loading="lazy"
          className="size-12 rounded-sm object-cover"
          style={{ backgroundColor: row.image.color }}
        />
      ) : (
        <span className="size-12 rounded-sm bg-surface-inset" />
      )}
      <p className="min-w-0">
        <Link href={`/office/goods/${row.id}`} className="block truncate font-semibold after:absolute after:inset-0">
          {inLocale(row.name, locale)}
        </Link>
        <span className="block truncate text-ink-soft text-sm">
          {row.skus === 1 ? row.firstSku : t('office.goods.variants', { count: row.skus })}
        </span>
      </p>
      <p className="truncate text-sm max-wide:hidden">
        {labelOf(names.brands, row.brand)}
        <span className="block truncate text-ink-soft">{labelOf(names.categories, row.category)}</span>
      </p>
      <p className="text-right text-sm max-wide:hidden">
        {row.published ? t('office.goods.published') : t('office.goods.unpublished')}
      </p>
      <p className="text-right text-sm">
        {price}
        <span className="block text-ink-soft">
          {!row.published && <span className="wide:hidden">{t('office.goods.unpublished')} · </span>}
          {t('office.goods.units', { count: row.quantity })}
        </span>
      </p>
    </div>
  );
}
