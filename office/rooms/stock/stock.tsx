/** Stock by place: what is there, what changed it, and changes of it. */
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useMemo, useState } from 'react';
import { warehouse } from '#contract/limits.ts';
import { inLocale } from '#contract/locales.ts';
import type { StockLevel, StockMovement } from '#contract/staff/stock.ts';
import { Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { errorText } from '#ui/errors.ts';
import { formatDate } from '#ui/format.ts';
import { useT } from '#ui/i18n.tsx';
import { Select, TextField } from '#ui/inputs.tsx';
import { Notice } from '#ui/notice.tsx';
import { useCall } from '../../lib/api.tsx';
import { useFilters } from '../../lib/filters.ts';
import { useLanguage } from '../../lib/i18n.tsx';
import { useMe } from '../../lib/me.tsx';
import { SearchForm } from '../../lib/search-form.tsx';

const kinds = ['count', 'add', 'take', 'transfer'] as const;
const reasons = ['received', 'found', 'damaged', 'lost', 'used', 'other'] as const satisfies readonly StockMovement['reason'][];

/** Those of whoever is signed in; the warehouse belongs to no store. */
function usePlaces() {
  const { t, locale } = useLanguage();
  const { shop, stores: own } = useMe();
  const stores = shop.stores.filter(({ id }) => own === null || own.includes(id));
  const options = stores.map(({ id, nameContent }) => ({ value: id, label: inLocale(nameContent, locale) }));
  return own === null ? [...options, { value: warehouse, label: t('office.papers.warehouse') }] : options;
}

export default function Stock() {
  const { t } = useLanguage();
  const shared = useT();
  const call = useCall();
  const places = usePlaces();
  const [{ place: chosen, text = '' }, change] = useFilters();
  const [opened, setOpened] = useState<StockLevel | null>(null);
  const place = places.find(({ value }) => value === chosen)?.value ?? places[0]?.value ?? '';
  const { data, error, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: ['stock', place, text],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: after }) =>
      call('stock', { params: { place }, query: { ...(text ? { text } : {}), ...(after === undefined ? {} : { after }) } }),
    getNextPageParam: ({ after }) => after ?? undefined,
  });
  const levels = data?.pages.flatMap((page) => page.levels) ?? [];
  return (
    <div className="flex max-w-[64rem] flex-col gap-6">
      <header className="flex flex-wrap items-end justify-between gap-4">
        <h1 className="text-2xl">{t('office.stock')}</h1>
        {places.length > 1 && (
          <Select
            className="w-64"
            label={t('office.orders.store')}
            options={places}
            value={place}
            onChange={(event) => change({ place: event.target.value })}
          />
        )}
      </header>
      <search>
        <SearchForm
          label={t('office.stock.search')}
          hint={t('office.stock.searchHint')}
          text={text}
          onSearch={(wanted) => change({ text: wanted })}
        />
      </search>
      {error && <Notice tone="bad" title={errorText(error, shared)} />}
      <ul className="divide-y divide-line border-line border-y empty:hidden">
        {levels.map((level) => (
          <Row key={level.sku} level={level} onOpen={() => setOpened(level)} />
        ))}
      </ul>
      {data && levels.length === 0 && <p>{t('office.stock.none')}</p>}
      {hasNextPage && (
        <Button variant="secondary" className="self-center" busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {t('office.stock.more')}
        </Button>
      )}
      {opened && <ChangeDialog key={opened.sku} place={place} level={opened} onClose={() => setOpened(null)} />}
    </div>
  );
}

function Row({ level: { sku, name, options, units, held }, onOpen }: { level: StockLevel; onOpen: () => void }) {
  const { t, locale } = useLanguage();
  const chosen = options.split('#').filter(Boolean).join(', ');
  return (
    <li className="relative grid grid-cols-[1fr_auto] items-baseline gap-x-6 gap-y-1 py-3 hover:bg-surface-inset">
      <p className="min-w-0 break-words">
        <button type="button" onClick={onOpen} className="text-left font-semibold after:absolute after:inset-0">
          {inLocale(name, locale)}
        </button>
        <span className="block text-ink-soft text-sm">{[sku, chosen].filter(Boolean).join(' · ')}</span>
      </p>
      <p className="text-right text-sm">
        {t('office.stock.for', { units })}
        {held > 0 && <span className="block text-ink-soft">{t('office.stock.held', { units: held })}</span>}
      </p>
    </li>
  );
}

interface ChangeProps {
  place: string;
  level: StockLevel;
  onClose: () => void;
}

/** What is being entered, and sending it. */
function useChange({ place, level: { sku, units: forSale, held }, onClose }: ChangeProps, firstTo: string) {
  const call = useCall();
  const queries = useQueryClient();
  const [kind, setKind] = useState<(typeof kinds)[number]>('count');
  const [text, setText] = useState('');
  const [reason, setReason] = useState<(typeof reasons)[number]>('received');
  const [to, setTo] = useState(firstTo);
  const [isWrong, setWrong] = useState(false);
  const number = /^\d{1,6}$/.test(text.trim()) ? Number(text) : null;
  // The same again, as after a lost answer, has the same key and is booked once.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another change is another key
  const key = useMemo(() => crypto.randomUUID(), [kind, text, reason, to]);
  const save = useMutation({
    mutationFn: (units: number) => {
      const params = { place, sku };
      if (kind === 'count') return call('countStock', { params, body: { key, expected: forSale + held, found: units } });
      if (kind === 'transfer') return call('transferStock', { params, body: { key, to, units } });
      return call('correctStock', { params, body: { key, units: kind === 'add' ? units : -units, reason } });
    },
    onSuccess: async () => {
      onClose();
      await queries.invalidateQueries({ queryKey: ['stock'] });
      await queries.invalidateQueries({ queryKey: ['stock-movements'] });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const isValid = number !== null && (kind === 'count' || number > 0);
    setWrong(!isValid);
    if (isValid && !save.isPending) save.mutate(number);
  };
  return { kind, setKind, text, setText, reason, setReason, to, setTo, isWrong, save, submit };
}

function ChangeDialog(props: ChangeProps) {
  const { place, level, onClose } = props;
  const { sku } = level;
  const { t } = useLanguage();
  const shared = useT();
  const others = usePlaces().filter(({ value }) => value !== place);
  const entered = useChange(props, others[0]?.value ?? '');
  const { kind, setKind, text, setText, reason, setReason, to, setTo, isWrong, save, submit } = entered;
  const offered = kinds.filter((each) => each !== 'transfer' || others.length > 0);
  return (
    <Dialog open onClose={onClose} title={t('office.stock.change', { sku })}>
      <form onSubmit={submit} noValidate className="flex flex-col gap-5">
        {save.error && <Notice tone="bad" title={errorText(save.error, shared)} />}
        <Select
          label={t('office.stock.what')}
          options={offered.map((value) => ({ value, label: t(`office.stock.${value}`) }))}
          value={kind}
          onChange={(event) => setKind(event.target.value as typeof kind)}
        />
        <TextField
          label={t(kind === 'count' ? 'office.stock.found' : 'office.stock.units')}
          inputMode="numeric"
          value={text}
          onChange={(event) => setText(event.target.value)}
          error={isWrong ? t('office.stock.number') : undefined}
        />
        {kind === 'transfer' && (
          <Select label={t('office.stock.to')} options={others} value={to} onChange={(event) => setTo(event.target.value)} />
        )}
        {(kind === 'add' || kind === 'take') && (
          <Select
            label={t('office.stock.reason')}
            options={reasons.map((value) => ({ value, label: t(`stock.reason.${value}`) }))}
            value={reason}
            onChange={(event) => setReason(event.target.value as typeof reason)}
          />
        )}
        <Button type="submit" busy={save.isPending}>
          {t('office.stock.book')}
        </Button>
      </form>
      <History place={place} sku={sku} />
    </Dialog>
  );
}

function History({ place, sku }: { place: string; sku: string }) {
  const { t, locale } = useLanguage();
  const { timeZone } = useMe().shop;
  const call = useCall();
  const { data, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: ['stock-movements', place, sku],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: after }) =>
      call('stockMovements', { params: { place, sku }, query: after === undefined ? {} : { after } }),
    getNextPageParam: ({ after }) => after ?? undefined,
  });
  const movements = data?.pages.flatMap((page) => page.movements) ?? [];
  const causeOf = ({ kind, reason, orderNumber, person }: StockMovement) =>
    [t(`stock.kind.${kind}`), reason && t(`stock.reason.${reason}`), orderNumber, person].filter(Boolean).join(' · ');
  return (
    <section className="flex flex-col gap-3">
      <h2 className="text-lg">{t('office.stock.history')}</h2>
      <ul className="divide-y divide-line">
        {movements.map((movement) => (
          <li key={movement.id} className="grid grid-cols-[4rem_1fr] gap-x-4 py-2 text-sm">
            <span className="font-semibold">{movement.quantity > 0 ? `+${movement.quantity}` : movement.quantity}</span>
            <span className="min-w-0 break-words">
              {causeOf(movement)}
              <span className="block text-ink-soft">{formatDate(movement.at, locale, timeZone, 'date')}</span>
            </span>
          </li>
        ))}
      </ul>
      {hasNextPage && (
        <Button variant="secondary" busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {t('office.stock.more')}
        </Button>
      )}
    </section>
  );
}
