/** Payouts: what payment providers took, kept and sent to the bank, and what of it does not agree with orders and the bank. */
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { dateFormat } from '#contract/formatters.ts';
import { staffBase } from '#contract/limits.ts';
import { addDays } from '#contract/rules/opening-hours.ts';
import { wayText } from '#contract/staff/messages.ts';
import type { Settlements } from '#contract/staff/settlements.ts';
import { Button } from '#ui/button.tsx';
import { cx } from '#ui/cx.ts';
import { ApiError } from '#ui/errors.ts';
import { Select, TextField } from '#ui/inputs.tsx';
import { Notice } from '#ui/notice.tsx';
import { LoadingRows, useFilters } from '../../lib/lists.tsx';
import { useOffice } from '../../lib/me.tsx';
import { Problem } from '../../lib/send-form.tsx';
import { isoIn } from '../../lib/shop-time.ts';
import { Differences } from './differences.tsx';
import { PayoutList, PayoutRows } from './payout-list.tsx';
import { StatementPart } from './statement.tsx';

/** While a provider is read, ms. */
const againMs = 2000;
const usualDays = 90;

type Change = ReturnType<typeof useFilters>[1];

export default function Payouts() {
  const { t, call, shop, may } = useOffice();
  const today = isoIn(shop.timeZone, Date.now()).slice(0, 10);
  const [filters, change] = useFilters();
  const {
    from = addDays(today, 1 - usualDays),
    to = today,
    provider = '',
    view = 'payouts',
    payout = '',
  } = filters;
  const query = { from, to, ...(provider === '' ? {} : { provider }) };
  const { data, error } = useQuery({
    queryKey: ['settlements', query],
    queryFn: () => call('settlements', { query }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.providers.some(({ reading }) => reading) ? againMs : false),
  });
  const fieldErrors = error instanceof ApiError ? error.body.errors : undefined;
  return (
    <div className="flex max-w-room flex-col gap-6">
      <header className="flex flex-wrap items-start justify-between gap-4">
        <h1 className="text-2xl">{t('office.payouts')}</h1>
        <div className="flex flex-wrap items-start gap-3">
          <ReadButton />
          {may.includes('books.export') && <SaveButtons query={query} />}
        </div>
      </header>
      {data && <States settlements={data} />}
      <Range
        {...{ from, to, provider }}
        providers={providersOf(data)}
        errors={fieldErrors ?? {}}
        change={change}
      />
      <Problem error={!fieldErrors && error} />
      <LoadingRows until={data !== undefined || error !== null} />
      <Views view={view} change={change} mayClose={may.includes('books.close')} />
      {data && !fieldErrors && (
        <>
          {view === 'payouts' && payout === '' && (
            <PayoutList settlements={data} onOpen={(id) => change({ payout: id })} />
          )}
          {view === 'payouts' && payout !== '' && (
            <PayoutRows
              query={query}
              payout={payout}
              settlements={data}
              onClose={() => change({ payout: '' })}
            />
          )}
          {view === 'differences' && <Differences query={query} />}
          {view === 'bank' && <StatementPart />}
        </>
      )}
    </div>
  );
}

const providersOf = (data: Settlements | undefined) =>
  (data?.providers ?? []).map(({ provider }) => provider);

function ReadButton() {
  const { t, call, queries } = useOffice();
  const read = useMutation({
    mutationFn: () => call('readSettlements'),
    onSuccess: () =>
      queries.invalidateQueries({
        predicate: ({ queryKey }) => String(queryKey[0]).startsWith('settlement'),
      }),
  });
  return (
    <div className="flex flex-col gap-2">
      <Button label={t('office.payouts.read')} busy={read.isPending} onClick={() => read.mutate()} />
      <Problem error={read.error} />
    </div>
  );
}

function SaveButtons({ query }: { query: { from: string; to: string; provider?: string } }) {
  const { t, call } = useOffice();
  const save = useMutation({
    mutationFn: (format: 'csv' | 'xlsx') => call('exportPayouts', { body: { ...query, format } }),
    // The browser loads it as it is written.
    onSuccess({ ticket }) {
      const link = document.createElement('a');
      link.href = `${staffBase}exports/file?${new URLSearchParams({ ticket, lang: document.documentElement.lang })}`;
      link.download = '';
      link.click();
    },
  });
  return (
    <div className="flex flex-col gap-2">
      <div className="flex gap-3">
        <Button label={t('office.payouts.saveCsv')} variant="secondary" onClick={() => save.mutate('csv')} />
        <Button
          label={t('office.payouts.saveXlsx')}
          variant="secondary"
          onClick={() => save.mutate('xlsx')}
        />
      </div>
      <Problem error={save.error} />
    </div>
  );
}

/** How far each provider was read, and what it does not say. */
function States({ settlements: { providers, unlisted } }: { settlements: Settlements }) {
  const { t, locale, shop } = useOffice();
  const format = dateFormat(locale, {
    dateStyle: 'medium',
    timeStyle: 'short',
    hourCycle: 'h23',
    timeZone: shop.timeZone,
  });
  if (providers.length + unlisted.length === 0)
    return <p className="text-ink-soft">{t('office.payouts.noProvider')}</p>;
  return (
    <div className="flex flex-col gap-3">
      <ul className="flex flex-col gap-1 text-ink-soft text-sm">
        {providers.map(({ provider: id, readUntil, reading, rowsOfPayouts, fees }) => {
          const provider = wayText(t, id);
          return (
            <li key={id}>
              {reading
                ? t('office.payouts.reading', { provider })
                : readUntil === null
                  ? t('office.payouts.never', { provider })
                  : t('office.payouts.readUntil', { provider, time: format.format(readUntil) })}
              {!rowsOfPayouts && ` · ${t('office.payouts.noRows', { provider })}`}
              {!fees && ` · ${t('office.payouts.noFees', { provider })}`}
            </li>
          );
        })}
        {unlisted.map((provider) => (
          <li key={provider}>{t('office.payouts.unlisted', { provider: wayText(t, provider) })}</li>
        ))}
      </ul>
      {providers.map(
        ({ provider, problem }) =>
          problem !== null && (
            <Notice
              key={provider}
              tone="bad"
              silent
              title={t('office.payouts.problem', { provider: wayText(t, provider), problem })}
            />
          ),
      )}
    </div>
  );
}

interface RangeProps {
  from: string;
  to: string;
  provider: string;
  providers: readonly string[];
  errors: Readonly<Record<string, string>>;
  change: Change;
}

function Range({ from, to, provider, providers, errors, change }: RangeProps) {
  const { t } = useOffice();
  return (
    <div className="flex flex-wrap items-start gap-x-6 gap-y-4">
      {(['from', 'to'] as const).map((end) => (
        <TextField
          key={end}
          className="w-44"
          type="date"
          label={t(`office.takings.${end}`)}
          value={end === 'from' ? from : to}
          error={errors[end]}
          onChange={({ target }) => target.value && change({ from, to, [end]: target.value })}
        />
      ))}
      {providers.length > 1 && (
        <Select
          className="w-56"
          label={t('office.payouts.provider')}
          placeholder={t('office.payouts.allProviders')}
          options={providers.map((value) => ({ value, label: wayText(t, value) }))}
          value={provider}
          onChange={({ target }) => change({ provider: target.value })}
        />
      )}
    </div>
  );
}

function Views({ view, change, mayClose }: { view: string; change: Change; mayClose: boolean }) {
  const { t } = useOffice();
  const views = ['payouts', 'differences', ...(mayClose ? (['bank'] as const) : [])] as const;
  return (
    <nav aria-label={t('office.payouts')} className="flex gap-6 border-line border-b">
      {views.map((name) => (
        <button
          key={name}
          type="button"
          aria-current={view === name ? 'page' : undefined}
          className={cx(
            'min-h-11 border-b-2 px-1',
            view === name ? 'border-action font-semibold' : 'border-transparent',
          )}
          onClick={() => change({ view: name === 'payouts' ? '' : name, payout: '' })}
        >
          {t(`office.payouts.view.${name}`)}
        </button>
      ))}
    </nav>
  );
}
