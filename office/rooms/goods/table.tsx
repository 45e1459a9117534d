/** The table of products. Only the rows on the screen are drawn. */
import { useQueries } from '@tanstack/react-query';
import { useVirtualizer } from '@tanstack/react-virtual';
import { memo, useCallback, useDeferredValue, useEffect, useRef, useState } from 'react';
import { inLocale } from '#contract/locales.ts';
import type { GoodsFilter, GoodsNames, GoodsPage } from '#contract/staff/goods.ts';
import { cx } from '#ui/cx.ts';
import { formatMoney } from '#ui/format.ts';
import { type Call, useCall } from '../../lib/api.ts';
import { useLanguage } from '../../lib/i18n.tsx';
import { smallOf } from '../../lib/pictures.tsx';
import { PlainLink } from '../../lib/text-link.tsx';

export type Row = GoodsPage['products'][number];

/** As the server has them. */
const pageSize = 50;
/** Nothing is read until the table has rested so long, ms. */
const restMs = 80;

export const pageQuery = (call: Call, filter: GoodsFilter, page: number) => ({
  queryKey: ['goods', 'page', filter, page],
  queryFn: () => call('goods', { query: { ...filter, skip: page * pageSize } }),
});

export function useRows(filter: GoodsFilter) {
  const call = useCall();
  const [pages, setPages] = useState<readonly number[]>([0]);
  const rest = useRef<ReturnType<typeof setTimeout>>(undefined);
  const onShow = useCallback((first: number, last: number) => {
    clearTimeout(rest.current);
    rest.current = setTimeout(() => {
      const wanted: number[] = [];
      for (let page = Math.floor(first / pageSize); page <= Math.floor(last / pageSize); page++)
        wanted.push(page);
      setPages((before) => (before.join() === wanted.join() ? before : wanted));
    }, restMs);
  }, []);
  useEffect(() => () => clearTimeout(rest.current), []);
  const combine = useCallback(
    (read: readonly { data?: GoodsPage | undefined }[]) =>
      new Map(
        pages.flatMap((page, index) =>
          read[index]?.data ? [[page, read[index].data.products] as const] : [],
        ),
      ),
    [pages],
  );
  const known = useQueries({ queries: pages.map((page) => pageQuery(call, filter, page)), combine });
  return {
    onShow,
    rowAt: (index: number): Row | undefined => known.get(Math.floor(index / pageSize))?.[index % pageSize],
  };
}

export interface TableProps {
  count: number;
  filter: GoodsFilter;
  names: GoodsNames;
}

/** All that are found, or those of these ids. */
export type Chosen = 'all' | readonly string[];

interface ChoiceProps {
  /** Left out for people who change nothing. */
  chosen?: Chosen;
  onChoose?: (id: string, isChosen: boolean) => void;
}

const rowHeight = 72;
const columns =
  'grid grid-cols-[2.75rem_3rem_minmax(0,1fr)_auto] items-center gap-x-4 px-2 wide:grid-cols-[2.75rem_3rem_minmax(0,2fr)_minmax(0,1fr)_8rem_10rem]';

export function Table({ count, filter, names, chosen, onChoose }: TableProps & ChoiceProps) {
  const { t } = useLanguage();
  const box = useRef<HTMLDivElement>(null);
  const { rowAt, onShow } = useRows(filter);
  const rows = useVirtualizer({
    count,
    getScrollElement: () => box.current,
    estimateSize: () => rowHeight,
    overscan: 4,
    isScrollingResetDelay: restMs,
    useFlushSync: false,
  });
  const items = rows.getVirtualItems();
  const [first, last] = [items[0]?.index ?? 0, items.at(-1)?.index ?? 0];
  useEffect(() => onShow(first, last), [onShow, first, last]);
  // While the table scrolls fast, no further rows are drawn.
  const drawn = useRef({ first, indexes: new Set<number>() });
  const isFast = rows.isScrolling && Math.abs(first - drawn.current.first) > 1;
  const shownAt = (index: number) => (isFast && !drawn.current.indexes.has(index) ? undefined : rowAt(index));
  useEffect(() => {
    drawn.current = { first, indexes: new Set(items.map(({ index }) => index).filter(shownAt)) };
  });
  const choose = useRef(onChoose);
  useEffect(() => {
    choose.current = onChoose;
  });
  return (
    <div className="flex flex-col gap-3">
      <GoTo count={count} go={(row) => rows.scrollToIndex(row, { align: 'start' })} />
      <section
        ref={box}
        aria-label={t('office.goods')}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keys
        tabIndex={0}
        className="h-[calc(100dvh-12rem)] min-h-80 overflow-y-auto border-line border-y [contain:strict]"
      >
        <table aria-label={t('office.goods')} aria-rowcount={count + 1} className="block w-full text-left">
          <Head />
          <tbody className="relative block" style={{ height: rows.getTotalSize() }}>
            {items.map(({ index, start }) => {
              const row = shownAt(index);
              return (
                <ProductRow
                  key={index}
                  {...{ index, start, row, names }}
                  isChosen={
                    chosen === undefined
                      ? null
                      : chosen === 'all' || (row !== undefined && chosen.includes(row.id))
                  }
                  choose={choose}
                />
              );
            })}
          </tbody>
        </table>
      </section>
    </div>
  );
}

function GoTo({ count, go }: { count: number; go: (row: number) => void }) {
  const { t } = useLanguage();
  return (
    <label className="flex items-center gap-3 self-end text-sm">
      {t('office.goods.goTo')}
      <input
        type="number"
        min={1}
        max={count}
        className="input min-h-11 w-28"
        onChange={({ target }) => {
          if (target.valueAsNumber >= 1) go(Math.min(count, target.valueAsNumber) - 1);
        }}
      />
    </label>
  );
}

const heads = ['select', 'picture', 'product', 'brand', 'status', 'price'] as const;

function Head() {
  const { t } = useLanguage();
  return (
    <thead className="sticky top-(--bar-height) z-20 block bg-paper max-wide:sr-only">
      <tr aria-rowindex={1} className={cx(columns, 'border-line border-b py-2')}>
        {heads.map((name) => (
          <th
            key={name}
            scope="col"
            className={cx('text-sm', (name === 'status' || name === 'price') && 'text-right')}
          >
            <span className={name === 'select' || name === 'picture' ? 'sr-only' : undefined}>
              {t(`office.goods.${name}`)}
            </span>
          </th>
        ))}
      </tr>
    </thead>
  );
}

interface RowProps {
  index: number;
  start: number;
  /** Undefined while it is read. */
  row: Row | undefined;
  names: GoodsNames;
  /** Null where nothing can be chosen. */
  isChosen: boolean | null;
  choose: { readonly current: ChoiceProps['onChoose'] };
}

const ProductRow = memo(function ProductRow({ index, start, row: read, names, isChosen, choose }: RowProps) {
  const { t, locale } = useLanguage();
  // Rows that arrive are drawn in small parts, so that no frame of a scroll waits for all of them.
  const row = useDeferredValue(read, undefined);
  const place = { height: rowHeight, transform: `translateY(${start}px)` };
  if (!row)
    return (
      <tr
        aria-rowindex={index + 2}
        className="absolute inset-x-0 block border-line border-b bg-surface-inset"
        style={place}
      />
    );
  const money = (cents: number) => formatMoney(cents, locale, names.currency);
  const labelOf = (list: GoodsNames['brands'], id: string) =>
    inLocale(list.find(({ name }) => name === id)?.nameContent ?? { en: id }, locale);
  const prices = [...new Set([row.lowestCents, row.highestCents])].map(money).join('–');
  const price = row.priced ? prices : <span className="text-clay">{t('office.goods.noPrice')}</span>;
  const name = inLocale(row.name, locale);
  return (
    <tr
      aria-rowindex={index + 2}
      className={cx(columns, 'absolute inset-x-0 border-line border-b hover:bg-surface-inset')}
      style={place}
    >
      <td>
        {isChosen !== null && (
          <label className="relative z-10 flex size-11 items-center justify-center">
            <input
              type="checkbox"
              className="size-5.5 accent-action"
              aria-label={name}
              checked={isChosen}
              onChange={({ target }) => choose.current?.(row.id, target.checked)}
            />
          </label>
        )}
      </td>
      <td>
        <Thumb image={row.image} />
      </td>
      <th scope="row" className="min-w-0 font-normal">
        <PlainLink
          href={`/office/goods/${row.id}`}
          className="block truncate font-semibold after:absolute after:inset-0"
        >
          {name}
        </PlainLink>
        <span className="block truncate text-ink-soft text-sm">
          {row.status !== 'active' && (
            <span className="wide:hidden">{t(`office.goods.status.${row.status}`)} · </span>
          )}
          {row.skus === 1 ? row.firstSku : t('office.goods.variants', { count: row.skus })}
        </span>
      </th>
      <td className="min-w-0 truncate text-sm max-wide:hidden">
        {labelOf(names.brands, row.brand)}
        <span className="block truncate text-ink-soft">{labelOf(names.categories, row.category)}</span>
      </td>
      <td className="text-right text-sm max-wide:hidden">
        {t(
          row.status === 'active' && !row.published
            ? 'office.goods.timed'
            : `office.goods.status.${row.status}`,
        )}
      </td>
      <td className="text-right text-sm tabular-nums">
        {price}
        <span className="block text-ink-soft">{t('office.goods.units', { count: row.quantity })}</span>
      </td>
    </tr>
  );
});

function Thumb({ image }: Pick<Row, 'image'>) {
  if (!image) return <span className="block size-12 rounded-sm bg-surface-inset" />;
  return (
    <img
      key={image.imageURL}
      src={smallOf(image)}
      alt=""
      loading="lazy"
      decoding="async"
      className="size-12 rounded-sm object-cover"
      style={{ backgroundColor: image.color }}
    />
  );
}
