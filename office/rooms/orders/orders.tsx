import { useMutation, useQuery } from '@tanstack/react-query';
import { type ChangeEvent, useId, useState } from 'react';
import type { CheckoutMethod } from '#contract/limits.ts';
import type { OrderState } from '#contract/schemas/order.ts';
import type { OrderFilters, OrderQuery, OrderRow, OrderView } from '#contract/staff/orders.ts';
import { Button } from '#ui/button.tsx';
import { cx } from '#ui/cx.ts';
import { Dialog } from '#ui/dialog.tsx';
import { fieldErrorsOf } from '#ui/errors.ts';
import { useForm } from '#ui/form.tsx';
import { formatDate, formatMoney } from '#ui/format.ts';
import { Checkbox, Select, TextField } from '#ui/inputs.tsx';
import { Link } from '#ui/link.tsx';
import { useOnce } from '../../lib/api.ts';
import { EmptyRoom } from '../../lib/empty-room.tsx';
import { afterOf, LoadingRows, MoreButton, SearchForm, useFilters, usePages } from '../../lib/lists.tsx';
import { useOffice, useStores } from '../../lib/me.tsx';
import { Problem, SendForm } from '../../lib/send-form.tsx';
import { BulkBar } from './bulk.tsx';
import { PlaceText, StateBadge } from './order-parts.tsx';
import { AllRefusedRefunds } from './refused-refunds.tsx';

const states = [
  'placed',
  'reserved',
  'ready',
  'shipped',
  'completed',
  'cancelled',
  'lapsed',
] as const satisfies OrderState[];
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
  const { filters, change } = useOrderFilters();
  return (
    <div className="flex flex-col gap-6 pb-32">
      <h1 className="text-2xl">{t('office.orders')}</h1>
      <AllRefusedRefunds />
      <Views />
      <search className="flex flex-col gap-4">
        <SearchForm
          label={t('office.orders.search')}
          hint={t('office.orders.searchHint')}
          text={filters.text ?? ''}
          onSearch={(text) => change({ text })}
        />
        <Choices />
      </search>
      <OrderList filters={filters} />
    </div>
  );
}

function useOrderPages(filters: Filters) {
  const { call } = useOffice();
  return usePages(['orders', filters], (from) => call('orders', { query: { ...filters, ...from } }), afterOf);
}

export function OrderList({ filters }: { filters: Filters }) {
  const { t } = useOffice();
  const list = useOrderPages(filters);
  const orders = list.pages.flatMap((page) => page.orders);
  const isEmpty = list.isKnown && orders.length === 0;
  const isNarrowed = Object.keys(filters).length > 0;
  const [marked, setMarked] = useState<ReadonlySet<string>>(new Set());
  const chosen = orders.filter(({ number }) => marked.has(number));
  const all = orders.map(({ number }) => number);
  const mark = (numbers: readonly string[], isMarked: boolean) =>
    setMarked(
      (before) =>
        new Set([...before].filter((number) => !numbers.includes(number)).concat(isMarked ? numbers : [])),
    );
  return (
    <>
      <Problem error={list.error} />
      <LoadingRows until={list.isKnown || list.error !== null} />
      {isEmpty && !list.hasNextPage && !isNarrowed && (
        <EmptyRoom text={t('office.orders.empty')} step={{ label: t('office.orders.first'), to: '/' }} />
      )}
      {isEmpty && (list.hasNextPage || isNarrowed) && (
        <p className="py-6 text-ink-soft">
          {t(list.hasNextPage ? 'office.orders.noneNewest' : 'orders.none')}
        </p>
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
      <MoreButton list={list} label={t('office.orders.older')} />
      <BulkBar chosen={chosen} keep={(numbers) => setMarked(new Set(numbers))} />
    </>
  );
}

function Choices() {
  const { t } = useOffice();
  const { filters, change } = useOrderFilters();
  const { own } = useStores();
  const errors = fieldErrorsOf(useOrderPages(filters).error);
  const field = (name: keyof Filters) => ({
    label: t(`office.orders.${name as 'state' | 'store' | 'method' | 'from' | 'to'}`),
    value: filters[name] ?? '',
    onChange: (event: ChangeEvent<HTMLInputElement | HTMLSelectElement>) =>
      change({ [name]: event.target.value }),
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
      {own.length > 1 && <Select {...field('store')} placeholder={all} options={own} />}
      <Select
        {...field('method')}
        placeholder={all}
        options={methods.map((value) => ({ value, label: t(`orders.method.${value}`) }))}
      />
      <TextField {...field('from')} type="date" error={errors.from} />
      <TextField {...field('to')} type="date" error={errors.to} />
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
  const {
    number,
    name,
    placedAt,
    timeZone,
    units,
    total,
    due,
    currency,
    state,
    isPartlyShipped,
    isRefunded,
  } = order;
  const label = useId();
  return (
    <li className="relative grid grid-cols-[2.75rem_1fr_auto] items-baseline gap-x-3 gap-y-1 py-3 hover:bg-surface-inset @min-[48rem]:grid-cols-[2.75rem_12rem_1fr_1fr_8rem_7rem] @min-[48rem]:gap-x-5 @min-[64rem]:grid-cols-[2.75rem_20rem_14rem_1fr_8rem_9rem]">
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
        <span className="block text-ink-soft text-sm @min-[64rem]:ml-3 @min-[64rem]:inline">
          {formatDate(placedAt, locale, timeZone, 'dateTime')}
        </span>
      </p>
      <p className="@max-[48rem]:order-2">
        <span className="wrap-anywhere">{name}</span>
        <span className="block text-ink-soft text-sm @min-[64rem]:ml-2 @min-[64rem]:inline">
          {t('office.orders.units', { count: units })}
        </span>
      </p>
      <p className="@max-[48rem]:order-4 @max-[48rem]:col-span-2 text-sm @min-[64rem]:flex @min-[64rem]:gap-x-2 @min-[64rem]:truncate">
        <PlaceText order={order} />
      </p>
      <p className="@max-[48rem]:order-3 @max-[48rem]:text-right">
        <StateBadge state={state} isPartlyShipped={isPartlyShipped} isRefunded={isRefunded} />
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

/** Saved views of the list, above it: own ones, and those that are shared with everybody. */
const addressOf = (filters: OrderFilters) => new URLSearchParams(Object.entries(filters).sort()).toString();

/** What is looked at most, before the views that people have saved. */
const presets = (
  [
    ['office.views.all', {}],
    ['office.orders.open', { state: 'open' }],
    ['office.orders.toShip', { method: 'shipping', state: 'open' }],
    ['office.orders.toServe', { method: 'instore', state: 'open' }],
    ['office.orders.owes', { owes: 'yes' }],
  ] as const
).map(([name, filters]) => ({ name, address: addressOf(filters) }));

function Views() {
  const { t, call } = useOffice();
  const { data } = useQuery({ queryKey: ['order-views'], queryFn: () => call('orderViews') });
  const [{ text: _, ...filters }] = useFilters();
  const [saving, setSaving] = useState(false);
  const views = data?.views ?? [];
  const address = addressOf(filters);
  const current = views.find((view) => addressOf(view.filters) === address);
  const preset = presets.find((each) => each.address === address);
  return (
    <div className="-mt-2 flex flex-col gap-2">
      <div className="flex flex-wrap items-center gap-2">
        <nav aria-label={t('office.views')} className="contents">
          {presets.map((each) => (
            <Tab key={each.name} address={each.address} name={t(each.name)} isCurrent={each === preset} />
          ))}
          {views.map(({ id, name, filters: of, shared }) => (
            <Tab
              key={id}
              address={addressOf(of)}
              name={shared ? `${name} · ${t('office.views.shared')}` : name}
              isCurrent={current?.id === id}
            />
          ))}
        </nav>
        {data && !current && !preset && (
          <Button
            label={t('office.views.save')}
            variant="quiet"
            icon="plus"
            onClick={() => setSaving(true)}
          />
        )}
        {current && <ViewButtons key={current.id} view={current} />}
      </div>
      {saving && <SaveDialog filters={filters} onClose={() => setSaving(false)} />}
    </div>
  );
}

function Tab({ address, name, isCurrent }: { address: string; name: string; isCurrent: boolean }) {
  return (
    <Link
      href={`/office/orders${address && `?${address}`}`}
      aria-current={isCurrent ? 'page' : undefined}
      className={cx(
        'inline-flex min-h-11 items-center rounded-full border px-4 text-sm',
        isCurrent
          ? 'border-action bg-action-tint font-semibold text-action'
          : 'border-line hover:bg-surface-inset',
      )}
    >
      <span className="inline-block first-letter:uppercase">{name}</span>
    </Link>
  );
}

function ViewButtons({ view: { id, shared } }: { view: OrderView }) {
  const { t, call, may, queries } = useOffice();
  const once = useOnce();
  const change = useMutation({
    mutationFn: (what: 'share' | 'unshare' | 'remove') =>
      what === 'remove'
        ? call('removeOrderView', { params: { id }, once })
        : call('shareOrderView', { params: { id }, body: { shared: what === 'share' } }),
    onSuccess: (answer) => queries.setQueryData(['order-views'], answer),
  });
  return (
    <>
      {may.includes('orders.share') && (
        <Button
          variant="quiet"
          busy={change.isPending}
          onClick={() => change.mutate(shared ? 'unshare' : 'share')}
        >
          {t(shared ? 'office.views.unshare' : 'office.views.share')}
        </Button>
      )}
      {!shared && (
        <Button variant="quiet" busy={change.isPending} onClick={() => change.mutate('remove')}>
          {t('office.views.remove')}
        </Button>
      )}
      <Problem error={change.error} onClose={change.reset} />
    </>
  );
}

function SaveDialog({ filters, onClose }: { filters: OrderFilters; onClose: () => void }) {
  const { t, call, queries } = useOffice();
  const form = useForm({
    initial: { name: '' },
    send: ({ name }) => call('saveOrderView', { body: { name, filters } }),
    onSent: (answer) => {
      queries.setQueryData(['order-views'], answer);
      onClose();
    },
  });
  return (
    <Dialog open onClose={onClose} title={t('office.views.save')}>
      <SendForm form={form} label={t('office.views.save')} disabled={form.values.name.trim() === ''}>
        <TextField
          {...form.field('name')}
          label={t('office.views.name')}
          hint={t('office.views.hint')}
          maxLength={60}
          autoComplete="off"
        />
      </SendForm>
    </Dialog>
  );
}
