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
import { BulkDialog, LatestChanges } from './bulk.tsx';
import { Filters, useGoodsNames } from './filters.tsx';

type Row = GoodsPage['products'][number];

/** As the server has them. */
const pageSize = 50;
const rowHeight = 72;

export default function Goods() {
  const { t, locale } = useLanguage();
  const shared = useT();
  const mayWrite = useMe().may.includes('goods.write');
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
        {mayWrite && (
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
      {mayWrite && <LatestChanges />}
      {names && count !== undefined && count > 0 && (
        // Another filter begins without a selection.
        <Selectable key={JSON.stringify(filter)} {...{ count, filter, names, mayWrite }} />
      )}
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

interface TableProps {
  count: number;
  filter: GoodsFilter;
  names: GoodsNames;
}

/** All that are found, or those of these ids. */
type Chosen = 'all' | readonly string[];

/** As many as a change can name; beyond them, all that a filter finds. */
const mostChosen = 500;

function Selectable({ mayWrite, ...table }: TableProps & { mayWrite: boolean }) {
  const { t, locale } = useLanguage();
  const [chosen, setChosen] = useState<Chosen>([]);
  const [isChanging, setIsChanging] = useState(false);
  const { count, filter } = table;
  const selected = chosen === 'all' ? count : chosen.length;
  if (!mayWrite) return <Table {...table} />;
  return (
    <>
      <div className="flex flex-wrap items-center gap-3">
        {selected > 0 && <span role="status">{t('office.goods.selected', { shown: selected.toLocaleString(locale) })}</span>}
        {chosen !== 'all' && (
          <Button variant="secondary" size="small" onClick={() => setChosen('all')}>
            {t('office.goods.selectAll', { shown: count.toLocaleString(locale) })}
          </Button>
        )}
        {selected > 0 && (
          <>
            <Button variant="secondary" size="small" onClick={() => setChosen([])}>
              {t('office.goods.unselect')}
            </Button>
            <Button size="small" onClick={() => setIsChanging(true)}>
              {t('office.goods.bulk')}
            </Button>
          </>
        )}
      </div>
      <Table
        {...table}
        chosen={chosen}
        onChoose={(id, isChosen) =>
          setChosen((before) => {
            const kept = before === 'all' ? [] : before.filter((each) => each !== id);
            return isChosen && kept.length < mostChosen ? [...kept, id] : kept;
          })
        }
      />
      {isChanging && (
        <BulkDialog
          count={selected}
          filter={filter}
          ids={chosen === 'all' ? null : [...chosen]}
          onClose={() => setIsChanging(false)}
          onBegun={() => {
            setIsChanging(false);
            setChosen([]);
          }}
        />
      )}
    </>
  );
}

interface ChoiceProps {
  /** Left out for people who change nothing. */
  chosen?: Chosen;
  onChoose?: (id: string, isChosen: boolean) => void;
}

function Table({ count, filter, names, chosen, onChoose }: TableProps & ChoiceProps) {
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
            <ProductRow row={rowAt(index)} {...{ names, ...(chosen && onChoose ? { chosen, onChoose } : {}) }} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function ProductRow({ row, names, chosen, onChoose }: { row: Row | undefined; names: GoodsNames } & ChoiceProps) {
  const { t, locale } = useLanguage();
  if (!row) return <span className="block h-full bg-surface-inset" />;
  const money = (cents: number) => formatMoney(cents, locale, names.currency);
  const labelOf = (list: GoodsNames['brands'], id: string) =>
    inLocale(list.find(({ name }) => name === id)?.nameContent ?? { en: id }, locale);
  const price =
    row.lowestCents === row.highestCents ? money(row.lowestCents) : `${money(row.lowestCents)}–${money(row.highestCents)}`;
  return (
    <div className="relative grid h-full grid-cols-[auto_3rem_minmax(0,1fr)_auto] items-center gap-x-4 px-2 wide:grid-cols-[auto_3rem_minmax(0,2fr)_minmax(0,1fr)_10rem_10rem]">
      {chosen && onChoose ? (
        <label className="z-10 flex size-11 items-center justify-center">
          <input
            type="checkbox"
            className="size-5.5 accent-action"
            aria-label={inLocale(row.name, locale)}
            checked={chosen === 'all' || chosen.includes(row.id)}
            onChange={({ target }) => onChoose(row.id, target.checked)}
          />
        </label>
      ) : (
        <span />
      )}
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
          {!row.published && <span className="wide:hidden">{t('office.goods.unpublished')} · </span>}
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
        <span className="block text-ink-soft">{t('office.goods.units', { count: row.quantity })}</span>
      </p>
    </div>
  );
}
