/** Stock by place: what is there, what is low, and the ways to change and to count it. */
import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useMemo, useState } from 'react';
import { dateFormat } from '#contract/formatters.ts';
import { warehouse } from '#contract/limits.ts';
import { inLocale } from '#contract/locales.ts';
import { parseAmount } from '#contract/money.ts';
import type { StockLevel, StockMovement } from '#contract/staff/stock.ts';
import { Button, buttonClass } from '#ui/button.tsx';
import { cx } from '#ui/cx.ts';
import { Dialog } from '#ui/dialog.tsx';
import { Checkbox, Select, type SelectOption, TextField } from '#ui/inputs.tsx';
import { Link } from '#ui/link.tsx';
import { newKey } from '#ui/new-key.ts';
import { useCall } from '../../lib/api.ts';
import { EmptyRoom } from '../../lib/empty-room.tsx';
import { useLanguage } from '../../lib/i18n.tsx';
import { afterOf, LoadingRows, MoreButton, SearchForm, useFilters, usePages } from '../../lib/lists.tsx';
import { useMe, useOffice } from '../../lib/me.tsx';
import { Problem } from '../../lib/send-form.tsx';
import { skuLine } from '../../lib/sku-line.ts';
import { lowText, useLowStock, usePlaces } from './places.tsx';
import { UsualLow } from './thresholds.tsx';

const kinds = ['add', 'take', 'count', 'transfer'] as const;
const reasons = [
  'received',
  'found',
  'damaged',
  'lost',
  'used',
  'other',
] as const satisfies readonly StockMovement['reason'][];

function useLevels(place: string, text: string, low: boolean) {
  const call = useCall();
  const query = { ...(text ? { text } : {}), ...(low ? { low: 'only' as const } : {}) };
  return usePages(
    ['stock', place, text, low],
    (from) => call('stock', { params: { place }, query: { ...query, ...from } }),
    afterOf,
    place !== '',
  );
}

export default function Stock() {
  const { t } = useLanguage();
  const places = usePlaces();
  const low = useLowStock();
  const [{ place: chosen, text = '', low: lowOnly }, change] = useFilters();
  const [opened, setOpened] = useState<StockLevel | null>(null);
  const place = places.find(({ value }) => value === chosen)?.value ?? places[0]?.value ?? '';
  const list = useLevels(place, text, lowOnly === 'only');
  const levels = list.pages.flatMap((page) => page.levels);
  const soldOut = useSoldOutToday(place);
  const lowHere = low.get(place) ?? 0;
  return (
    <div className="flex max-w-room flex-col gap-6">
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
          label={
            lowHere > 0 ? `${t('office.stock.lowOnly')} (${lowText(lowHere)})` : t('office.stock.lowOnly')
          }
          checked={lowOnly === 'only'}
          onChange={({ target }) => change({ low: target.checked ? 'only' : '', text: '' })}
        />
      </search>
      {lowOnly === 'only' && list.pages[0] && <UsualLow usual={list.pages[0].usualLow} />}
      <Problem error={list.error} />
      <LoadingRows until={list.isKnown || list.error !== null} />
      <ul className="divide-y divide-line border-line border-y empty:hidden">
        {levels.map((level) => (
          <Row key={level.sku} level={level} until={soldOut.untilOf(level)} onOpen={() => setOpened(level)} />
        ))}
      </ul>
      {list.isKnown && levels.length === 0 && lowOnly !== 'only' && text === '' && (
        <EmptyRoom
          text={t('office.stock.empty')}
          step={{ label: t('office.goods.add'), to: '/goods?add=yes', needs: 'goods.write' }}
        />
      )}
      {list.isKnown && levels.length === 0 && (lowOnly === 'only' || text !== '') && (
        <p className="text-ink-soft">
          {t(lowOnly === 'only' ? 'office.stock.lowNone' : 'office.stock.none')}
        </p>
      )}
      <MoreButton list={list} label={t('office.stock.more')} />
      {opened && (
        <ChangeDialog
          key={opened.sku}
          place={place}
          level={opened}
          soldOut={soldOut}
          onClose={() => setOpened(null)}
        />
      )}
    </div>
  );
}

function Head({
  places,
  place,
  onPlace,
}: {
  places: SelectOption[];
  place: string;
  onPlace: (place: string) => void;
}) {
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
        <a
          className={buttonClass({ variant: 'secondary' })}
          href={`/office/scan?place=${encodeURIComponent(place)}`}
        >
          {t('office.stock.takes')}
        </a>
      </div>
    </header>
  );
}

function Row({ level, until, onOpen }: { level: StockLevel; until: string | null; onOpen: () => void }) {
  const { t, locale } = useLanguage();
  const { name, units, held, low } = level;
  const isLow = units <= low;
  return (
    <li className="relative grid grid-cols-[1fr_auto] items-baseline gap-x-6 gap-y-1 py-3 hover:bg-surface-inset">
      <p className="min-w-0 break-words">
        <button
          type="button"
          onClick={onOpen}
          className="text-left font-semibold after:absolute after:inset-0"
        >
          {inLocale(name, locale)}
        </button>
        <span className="block text-ink-soft text-sm">{skuLine(level, locale)}</span>
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

interface ChangeProps {
  place: string;
  level: StockLevel;
  soldOut: SoldOutToday;
  onClose: () => void;
}

interface Entered {
  kind: (typeof kinds)[number];
  text: string;
  reason: (typeof reasons)[number];
  /** Of one unit, as it was typed; '' for what the SKU says. */
  cost: string;
  note: string;
  to: string;
}

/** What is being entered, and sending it. */
function useChange({ place, level: { sku, units: forSale, held }, onClose }: ChangeProps, first: Entered) {
  const { call, queries, shop } = useOffice();
  const [entered, setEntered] = useState(first);
  const [isWrong, setWrong] = useState(false);
  const [isCostWrong, setCostWrong] = useState(false);
  const { kind, text, reason, to } = entered;
  const note = entered.note.trim();
  const isReceived = kind === 'add' && reason === 'received';
  const cost =
    isReceived && entered.cost.trim() !== '' ? parseAmount(entered.cost, shop.currency) : undefined;
  const number = /^\d{1,6}$/.test(text.trim()) ? Number(text) : null;
  // The same again, as after a lost answer, has the same key and is booked once.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another change is another key
  const key = useMemo(newKey, [entered]);
  const save = useMutation({
    mutationFn: (units: number) => {
      const params = { place, sku };
      const own = { key, ...(note === '' ? {} : { note }) };
      const priced = cost === undefined || cost === null ? {} : { costCents: cost };
      if (kind === 'count')
        return call('countStock', { params, body: { ...own, expected: forSale + held, found: units } });
      if (kind === 'transfer') return call('transferStock', { params, body: { ...own, to, units } });
      return call('correctStock', {
        params,
        body: { ...own, ...priced, units: kind === 'add' ? units : -units, reason },
      });
    },
    onSuccess: async () => {
      onClose();
      await queries.invalidateQueries({
        predicate: ({ queryKey: [name] }) => ['stock', 'stock-of', 'stock-low'].includes(String(name)),
      });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const isValid = number !== null && (kind === 'count' || number > 0);
    setWrong(!isValid);
    setCostWrong(cost === null);
    if (isValid && cost !== null && !save.isPending) save.mutate(number);
  };
  const enter = (part: Partial<Entered>) => setEntered({ ...entered, ...part });
  return { entered, enter, isWrong, isCostWrong, isReceived, save, submit };
}

/** Changes the units of a SKU at a place: counted, come, gone, or moved to another place. */
function ChangeDialog(props: ChangeProps) {
  const { place, level, soldOut, onClose } = props;
  const { t, locale } = useLanguage();
  const others = usePlaces().filter(({ value }) => value !== place);
  const mayAdjust = useMe().may.includes('stock.adjust');
  const first = {
    kind: mayAdjust ? kinds[0] : 'count',
    text: '',
    reason: reasons[0],
    cost: '',
    note: '',
    to: others[0]?.value ?? '',
  } as const;
  const { save, submit, ...fields } = useChange(props, first);
  const offered = kinds.filter(
    (each) => each === 'count' || (mayAdjust && (each !== 'transfer' || others.length > 0)),
  );
  return (
    <Dialog open onClose={onClose} title={`${inLocale(level.name, locale)} · ${level.sku}`}>
      <SoldOutButton level={level} soldOut={soldOut} />
      <form onSubmit={submit} noValidate className="flex flex-col gap-5">
        <Problem error={save.error} />
        <Fields offered={offered} others={others} {...fields} />
        <Button label={t('office.stock.book')} type="submit" busy={save.isPending} />
      </form>
      <Link
        className="flex min-h-11 items-center underline"
        href={`/office/stock/${encodeURIComponent(level.sku)}?place=${encodeURIComponent(place)}`}
      >
        {t('office.stock.ledger')}
      </Link>
    </Dialog>
  );
}

interface FieldsProps extends Omit<ReturnType<typeof useChange>, 'save' | 'submit'> {
  offered: readonly Entered['kind'][];
  others: SelectOption[];
}

function Fields({ offered, others, entered, enter, isWrong, isCostWrong, isReceived }: FieldsProps) {
  const { t } = useLanguage();
  const { kind } = entered;
  return (
    <>
      {offered.length > 1 && (
        <Select
          label={t('office.stock.what')}
          options={offered.map((value) => ({ value, label: t(`office.stock.${value}`) }))}
          value={kind}
          onChange={(event) => enter({ kind: event.target.value as typeof kind })}
        />
      )}
      <TextField
        label={t(kind === 'count' ? 'office.stock.found' : 'office.stock.units')}
        inputMode="numeric"
        value={entered.text}
        onChange={(event) => enter({ text: event.target.value })}
        error={isWrong ? t('office.stock.number') : undefined}
      />
      {kind === 'transfer' && (
        <Select
          label={t('office.stock.to')}
          options={others}
          value={entered.to}
          onChange={(event) => enter({ to: event.target.value })}
        />
      )}
      {(kind === 'add' || kind === 'take') && (
        <Select
          label={t('office.stock.reason')}
          options={reasons.map((value) => ({ value, label: t(`office.stock.did.${value}`) }))}
          value={entered.reason}
          onChange={(event) => enter({ reason: event.target.value as Entered['reason'] })}
        />
      )}
      {isReceived && (
        <TextField
          label={t('office.stock.unitCost')}
          hint={t('office.stock.unitCostHint')}
          optional
          inputMode="decimal"
          value={entered.cost}
          onChange={(event) => enter({ cost: event.target.value })}
          error={isCostWrong ? t('office.stock.unitCostWrong') : undefined}
        />
      )}
      <TextField
        label={t('office.stock.note')}
        hint={t('office.stock.noteHint')}
        optional
        maxLength={200}
        value={entered.note}
        onChange={(event) => enter({ note: event.target.value })}
      />
    </>
  );
}

type SoldOutToday = ReturnType<typeof useSoldOutToday>;

/**
 * What a store has none of today, until it next opens (the room Today has the same).
 * Of a store; the warehouse has no opening.
 */
function useSoldOutToday(place: string) {
  const { t, locale, call, may, shop, queries } = useOffice();
  const isOffered = place !== '' && place !== warehouse && may.includes('stock.soldOut');
  const key = ['sold-out', place, locale];
  const { data } = useQuery({
    queryKey: key,
    queryFn: () => call('soldOut', { params: { store: place } }),
    enabled: isOffered,
  });
  const mark = useMutation({
    mutationFn: (body: { item: string; soldOut: boolean }) =>
      call('markSoldOut', { params: { store: place }, body }),
    onSuccess: (answer) => queries.setQueryData(key, answer),
  });
  const time = dateFormat(locale, {
    weekday: 'short',
    hour: 'numeric',
    hourCycle: 'h23',
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
function SoldOutButton({ level, soldOut }: { level: StockLevel; soldOut: SoldOutToday }) {
  const { t } = useLanguage();
  if (!soldOut.isOffered) return null;
  const { mark } = soldOut;
  const marked = soldOut.markOf(level);
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <Problem error={mark.error} />
      <Button
        label={t(marked === undefined ? 'office.stock.soldOutToday' : 'office.stock.backNow')}
        variant="secondary"
        busy={mark.isPending}
        onClick={() => mark.mutate({ item: marked ?? `sku:${level.sku}`, soldOut: marked === undefined })}
      />
      <p role="status" className="text-ink-soft text-sm">
        {soldOut.untilOf(level)}
      </p>
    </div>
  );
}
