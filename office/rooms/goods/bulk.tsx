/** Changes many products at once, shows how far that is, and takes it back. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { plainDecimal, priceEnding } from '#contract/money.ts';
import type { StaffBody } from '#contract/staff/endpoints.ts';
import type { GoodsChange, GoodsChangeState, GoodsFilter } from '#contract/staff/goods.ts';
import { Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { formatDate } from '#ui/format.ts';
import { Select, TextField } from '#ui/inputs.tsx';
import { useOnce } from '../../lib/api.ts';
import { useOffice } from '../../lib/me.tsx';
import { useMoney } from '../../lib/money.tsx';
import { Problem } from '../../lib/send-form.tsx';

const kinds = ['percent', 'set', 'active', 'draft', 'archived'] as const;
const ends = ['', '0', '95', '99'];
const everyMs = 1000;

interface BulkDialogProps {
  count: number;
  filter: GoodsFilter;
  /** Null: all that the filter finds. */
  ids: string[] | null;
  onClose: () => void;
  onBegun: () => void;
}

const latestKey = ['goods-changes'];

/** Begins a change of many products, which is then the latest. */
export function useBegin<Input>(begin: (input: Input) => Promise<GoodsChangeState>, onBegun: () => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: begin,
    onSuccess: (begun) => {
      queries.setQueryData<GoodsChangeState[]>(latestKey, (known = []) => [begun, ...known]);
      void queries.invalidateQueries({ queryKey: latestKey });
      onBegun();
    },
  });
}

export function BulkDialog({ count, filter, ids, onClose, onBegun }: BulkDialogProps) {
  const { t, locale, call } = useOffice();
  const { currency, text, parse } = useMoney();
  const [kind, setKind] = useState<(typeof kinds)[number]>('percent');
  const [typed, setTyped] = useState('');
  const [round, setRound] = useState('');
  const isPrice = kind === 'percent' || kind === 'set';
  const number = kind === 'set' ? parse(typed) : basisPoints(typed);
  const change: GoodsChange = isPrice
    ? { [kind]: number ?? 0, ...(round === '' ? {} : { round: Number(round) as 0 | 95 | 99 }) }
    : { status: kind };
  /** `.95`, and `95` where prices have no decimals. */
  const endingText = (ending: number) => {
    const { step, end } = priceEnding(ending, currency);
    return text(step + end).slice(1);
  };
  const once = useOnce();
  const latest = useLatestSeen();
  const begin = useBegin((body: StaffBody<'changeGoods'>) => call('changeGoods', { body, once }), onBegun);
  return (
    <Dialog open onClose={onClose} title={t('office.goods.bulk')}>
      <form
        className="flex flex-col gap-5"
        onSubmit={(event) => {
          event.preventDefault();
          if (!begin.isPending && latest !== undefined) begin.mutate({ filter, ids, change, latest });
        }}
      >
        <Problem error={begin.error} />
        <Select
          label={t('office.goods.bulk.what')}
          options={kinds.map((value) => ({ value, label: t(`office.goods.bulk.${value}`) }))}
          value={kind}
          onChange={({ target }) => setKind(target.value as typeof kind)}
        />
        {isPrice && (
          <div className="grid gap-5 product:grid-cols-2">
            <TextField
              label={t(kind === 'percent' ? 'office.goods.bulk.by' : 'office.goods.bulk.price')}
              inputMode="decimal"
              autoComplete="off"
              value={typed}
              onChange={({ target }) => setTyped(target.value)}
            />
            <Select
              label={t('office.goods.bulk.round')}
              options={ends.map((value) => ({
                value,
                label: value === '' ? t('office.goods.bulk.noRound') : endingText(Number(value)),
              }))}
              value={round}
              onChange={({ target }) => setRound(target.value)}
            />
          </div>
        )}
        <Button type="submit" busy={begin.isPending} disabled={isPrice && number === null}>
          {t('office.goods.bulk.apply', { shown: count.toLocaleString(locale) })}
        </Button>
      </form>
    </Dialog>
  );
}

/** Of a percentage; null for what is no number. */
function basisPoints(typed: string): number | null {
  const percent = plainDecimal(typed.trim());
  return percent === null ? null : Math.round(Number(percent) * 100);
}

/** The latest change when this opened; null for none, undefined before it is known. */
function useLatestSeen(): string | null | undefined {
  const { call } = useOffice();
  const { data } = useQuery({
    queryKey: latestKey,
    queryFn: async () => (await call('goodsChanges')).changes,
  });
  const seen = useRef<string | null>(undefined);
  if (data && seen.current === undefined) seen.current = data[0]?.id ?? null;
  return seen.current;
}

const isUnderWay = ({ state }: GoodsChangeState) => state === 'running' || state === 'takingBack';

/** What was changed together, while it runs with how far it is. */
export function LatestChanges() {
  const { t, call, queries } = useOffice();
  const [isOpen, setOpen] = useState(false);
  const { data = [] } = useQuery({
    queryKey: latestKey,
    queryFn: async () => {
      const { changes } = await call('goodsChanges');
      const before = queries.getQueryData<GoodsChangeState[]>(latestKey) ?? [];
      // Also what has just ended has changed what the table shows.
      if ([...before, ...changes].some(isUnderWay))
        void queries.invalidateQueries({ queryKey: ['goods', 'page'] });
      return changes;
    },
    refetchInterval: ({ state }) => (state.data?.some(isUnderWay) ? everyMs : false),
  });
  const takeBack = useMutation({
    mutationFn: (change: string) => call('takeGoodsChangeBack', { params: { change } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: latestKey }),
  });
  const isRunning = data.some(isUnderWay);
  // It stays open when the change ends, because that is when it can be taken back.
  useEffect(() => {
    if (isRunning) setOpen(true);
  }, [isRunning]);
  if (data.length === 0) return null;
  return (
    <details
      open={isOpen}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
      className="rounded-md border border-line px-4"
    >
      <summary className="flex min-h-11 cursor-pointer items-center font-semibold">
        {t('office.goods.bulk.latest')}
      </summary>
      <ul className="divide-y divide-line">
        {data.map((each) => (
          <ChangeRow
            key={each.id}
            change={each}
            busy={takeBack.isPending}
            onTakeBack={() => takeBack.mutate(each.id)}
          />
        ))}
      </ul>
    </details>
  );
}

function ChangeRow({
  change,
  busy,
  onTakeBack,
}: {
  change: GoodsChangeState;
  busy: boolean;
  onTakeBack: () => void;
}) {
  const { t, locale, shop } = useOffice();
  const { state, done, total, startedAt, problems } = change;
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 py-3">
      <div className="min-w-0 flex-1 basis-64">
        <p>
          {formatDate(startedAt, locale, shop.timeZone)} · {t(`office.goods.bulk.state.${state}`)} ·{' '}
          {t('office.goods.bulk.done', {
            done: done.toLocaleString(locale),
            total: total.toLocaleString(locale),
          })}
        </p>
        {isUnderWay(change) && (
          <progress
            className="w-full"
            value={done}
            max={Math.max(1, total)}
            aria-label={t('office.goods.bulk')}
          />
        )}
        <ul className="text-bad text-sm empty:hidden">
          {problems.map(({ product, problem }) => (
            <li key={product}>
              {product}: {problem}
            </li>
          ))}
        </ul>
      </div>
      {state === 'done' && (
        <Button
          label={t('office.goods.bulk.takeBack')}
          variant="secondary"
          size="small"
          busy={busy}
          onClick={onTakeBack}
        />
      )}
    </li>
  );
}
