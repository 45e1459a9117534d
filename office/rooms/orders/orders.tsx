/** The list of orders. What it is narrowed to lies in the address. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { type ChangeEvent, useId, useState } from 'react';
import type { CheckoutMethod } from '#contract/limits.ts';
import { inLocale } from '#contract/locales.ts';
import type { OrderState } from '#contract/schemas/order.ts';
import type { OrderQuery, OrderRow } from '#contract/staff/orders.ts';
import { Button } from '#ui/button.tsx';
import { formatDate, formatMoney } from '#ui/format.ts';
import { Checkbox, Select, TextField } from '#ui/inputs.tsx';
import { Link } from '#ui/link.tsx';
import { useFilters } from '../../lib/filters.ts';
import { useOffice } from '../../lib/me.tsx';
import { Problem } from '../../lib/problem.tsx';
import { SearchForm } from '../../lib/search-form.tsx';
import { BulkBar } from './bulk.tsx';
import { PlaceText, StateBadge } from './order-words.tsx';
import { Views } from './views.tsx';

const states = ['placed', 'reserved', 'ready', 'shipped', 'completed', 'cancelled', 'lapsed'] as const satisfies OrderState[];
const methods = ['shipping', 'pickup', 'instore'] as const satisfies CheckoutMethod[];
type Filters = Omit<OrderQuery, 'after' | 'lang'>;

function useOrderFilters() {
  // While the room of the papers loads, its address is there already.
  const [{ numbers: _, ...filters }, change] = useFilters();
  // Whatever stands in the address, the server checks it.
  return { filters: filters as Filters, change };
}

export default function Orders() {
  const { t } = useOffice();
  const { filters } = useOrderFilters();
  return (
    <div className="flex flex-col gap-6 pb-32">
      <h1 className="text-2xl">{t('office.orders')}</h1>
      <Views />
      <FilterBar />
      <OrderList filters={filters} />
    </div>
  );
}

export function OrderList({ filters }: { filters: Filters }) {
  const { t, call } = useOffice();
  const { data, error, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: ['orders', filters],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam }) =>
      call('orders', { query: { ...filters, ...(pageParam === undefined ? {} : { after: pageParam }) } }),
    getNextPageParam: ({ after }) => after ?? undefined,
  });
  const orders = data?.pages.flatMap((page) => page.orders) ?? [];
  const [marked, setMarked] = useState<ReadonlySet<string>>(new Set());
  const chosen = orders.filter(({ number }) => marked.has(number));
  const all = orders.map(({ number }) => number);
  const mark = (numbers: readonly string[], isMarked: boolean) =>
    setMarked((before) => new Set([...before].filter((number) => !numbers.includes(number)).concat(isMarked ? numbers : [])));
  return (
    <>
      <Problem error={error} />
      {data && orders.length === 0 && (
        <p className="py-6 text-ink-soft">{t(hasNextPage ? 'office.orders.noneNewest' : 'orders.none')}</p>
      )}
      {orders.length > 0 && (
        <Checkbox
          className="-mb-4 min-h-11 justify-center px-3"
          label={t('office.bulk.all')}
          checked={chosen.length === orders.length}
          onChange={({ target }) => mark(all, target.checked)}
        />
      )}
      <ul className="@container divide-y divide-line border-line border-y empty:hidden">
        {orders.map((order) => (
          <Row key={order.number} order={order} isMarked={marked.has(order.number)} mark={mark} />
        ))}
      </ul>
      {hasNextPage && (
        <Button variant="secondary" className="self-center" busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {t('office.orders.older')}
        </Button>
      )}
      <BulkBar chosen={chosen} keep={(numbers) => setMarked(new Set(numbers))} />
    </>
  );
}

function FilterBar() {
  const { t } = useOffice();
  const { filters, change } = useOrderFilters();
  return (
    <search className="flex flex-col gap-4">
      <SearchForm
        label={t('office.orders.search')}
        hint={t('office.orders.searchHint')}
        text={filters.text ?? ''}
        onSearch={(text) => change({ text })}
      />
      <Choices />
    </search>
  );
}

function Choices() {
  const { t, locale, shop, stores } = useOffice();
  const { filters, change } = useOrderFilters();
  const own = shop.stores.filter(({ id }) => stores === null || stores.includes(id));
  const field = (name: keyof Filters) => ({
    label: t(`office.orders.${name as 'state' | 'store' | 'method' | 'from' | 'to'}`),
    value: filters[name] ?? '',
    onChange: (event: ChangeEvent<HTMLInputElement | HTMLSelectElement>) => change({ [name]: event.target.value }),
  });
  const all = t('office.orders.all');
  return (
    <div className="grid grid-cols-2 items-end gap-x-3 gap-y-4 form:grid-cols-3 wide:grid-cols-6">
      <Select
        {...field('state')}
        placeholder={all}
        options={[
          { value: 'open', label: t('office.orders.open') },
          ...states.map((value) => ({ value, label: t(`orders.state.${value}`) })),
        ]}
      />
      {own.length > 1 && (
        <Select
          {...field('store')}
          placeholder={all}
          options={own.map(({ id, nameContent }) => ({ value: id, label: inLocale(nameContent, locale) }))}
        />
      )}
      <Select
        {...field('method')}
        placeholder={all}
        options={methods.map((value) => ({ value, label: t(`orders.method.${value}`) }))}
      />
      <TextField {...field('from')} type="date" />
      <TextField {...field('to')} type="date" />
      <Checkbox
        className="pb-2"
        label={t('office.orders.owes')}
        checked={filters.owes !== undefined}
        onChange={(event) => change({ owes: event.target.checked ? 'yes' : '' })}
      />
    </div>
  );
}

interface RowProps {
  order: OrderRow;
  isMarked: boolean;
  mark: (numbers: readonly string[], isMarked: boolean) => void;
}

function Row({ order, isMarked, mark }: RowProps) {
  const { t, locale } = useOffice();
  const { number, name, placedAt, timeZone, units, total, due, currency, state, isPartlyShipped } = order;
  const label = useId();
  return (
    <li className="relative grid grid-cols-[2.75rem_1fr_auto] items-baseline gap-x-3 gap-y-1 py-3 hover:bg-surface-inset @min-[48rem]:grid-cols-[2.75rem_12rem_1fr_1fr_8rem_7rem] @min-[48rem]:gap-x-5">
      <label className="relative z-10 -my-3 flex min-h-14 cursor-pointer items-center justify-center self-center @max-[48rem]:row-span-3">
        <input
          type="checkbox"
          className="size-5.5 accent-action"
          aria-label={t('office.bulk.select', { number })}
          checked={isMarked}
          onChange={({ target }) => mark([number], target.checked)}
        />
      </label>
      <p>
        <Link
          id={label}
          href={`/office/orders/${encodeURIComponent(number)}`}
          className="font-semibold after:absolute after:inset-0"
        >
          {number}
        </Link>
        <span className="block text-ink-soft text-sm">{formatDate(placedAt, locale, timeZone, 'dateTime')}</span>
      </p>
      <p className="@max-[48rem]:order-2">
        {name}
        <span className="block text-ink-soft text-sm">{t('office.orders.units', { count: units })}</span>
      </p>
      <p className="@max-[48rem]:order-4 @max-[48rem]:col-span-2 text-sm">
        <PlaceText order={order} />
      </p>
      <p className="@max-[48rem]:order-3 @max-[48rem]:text-right">
        <StateBadge state={state} isPartlyShipped={isPartlyShipped} />
      </p>
      <p className="text-right tabular-nums @max-[48rem]:order-1">
        {formatMoney(total, locale, currency)}
        {due > 0 && (
          <span className="block font-semibold text-clay text-sm">
            {t('office.orders.due', { amount: formatMoney(due, locale, currency) })}
          </span>
        )}
      </p>
    </li>
  );
}
