/** Closing the books: the open period with its figures, and those that were closed, each with the proof that it is as it was filed. */
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { accountSums, type LineSum } from '#contract/staff/book-lines.ts';
import type { FiledSum, OpenFigures, Period, Periods } from '#contract/staff/closing.ts';
import { longestWhy } from '#contract/staff/closing.ts';
import { Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { useForm } from '#ui/form.tsx';
import { formatCalendarDay, formatDate, formatMoney } from '#ui/format.ts';
import { TextField } from '#ui/inputs.tsx';
import { Notice } from '#ui/notice.tsx';
import { useOffice } from '../../lib/me.tsx';
import { Problem, SendForm } from '../../lib/send-form.tsx';
import { BooksFrame } from './frame.tsx';

export default function Close() {
  const { t, call, may } = useOffice();
  const { data, error } = useQuery({ queryKey: ['periods'], queryFn: () => call('periods') });
  return (
    <BooksFrame page="/close">
      <div className="flex max-w-[56rem] flex-col gap-8">
        <p className="text-ink-soft">{t('office.closing.hint')}</p>
        <Problem error={error} />
        {data && !data.next && <p>{t('office.closing.empty')}</p>}
        {data?.next && may.includes('books.close') && <Open key={data.next.from} next={data.next} />}
        {data && <Closed periods={data.periods} />}
      </div>
    </BooksFrame>
  );
}

/** The open period: its last day, its figures, and the button that closes it with them. */
function Open({ next }: { next: NonNullable<Periods['next']> }) {
  const { t, locale, call, queries } = useOffice();
  const [to, setTo] = useState(next.to);
  const [asked, setAsked] = useState(false);
  const days = { from: next.from, to };
  // Nobody has chosen that day yet: it is no mistake that it is not over.
  const isEarly = !next.isOver && to === next.to;
  const figures = useQuery({
    queryKey: ['period-figures', days, locale],
    queryFn: () => call('openFigures', { body: days }),
    retry: false,
    enabled: !isEarly,
  });
  const name = {
    from: formatCalendarDay(days.from, locale, 'date'),
    to: to && formatCalendarDay(to, locale, 'date'),
  };
  const close = useMutation({
    mutationFn: () => call('closePeriod', { body: { ...days, entries: figures.data?.entries ?? 0 } }),
    // The next period's figures are asked for by what is shown then.
    onSuccess: (all) => queries.setQueryData(['periods'], all),
    onError: () => queries.invalidateQueries({ queryKey: ['period-figures'] }),
    onSettled: () => setAsked(false),
  });
  return (
    <section className="flex flex-col gap-4 rounded-md border border-line p-5">
      <h2 className="text-xl">{t('office.closing.open', { day: name.from })}</h2>
      <div className="flex flex-wrap items-end gap-4">
        <TextField
          label={t('office.closing.to')}
          type="date"
          value={to}
          min={next.from}
          onChange={({ target }) => setTo(target.value)}
          className="w-48"
        />
        <Button label={t('office.closing.close')} disabled={!figures.data} onClick={() => setAsked(true)} />
      </div>
      {isEarly && <p className="text-ink-soft">{t('office.closing.notOver')}</p>}
      <Problem error={close.error ?? figures.error} />
      {figures.data && <FigureList sums={figures.data.sums} places={figures.data.places} />}
      <Dialog
        open={asked}
        onClose={() => setAsked(false)}
        title={t('office.closing.closeTitle', name)}
        actions={
          <Button label={t('office.closing.close')} busy={close.isPending} onClick={() => close.mutate()} />
        }
      >
        <p>{t('office.closing.closeText', { ...name, count: figures.data?.entries ?? 0 })}</p>
      </Dialog>
    </section>
  );
}

function Closed({ periods }: { periods: readonly Period[] }) {
  const { t } = useOffice();
  return (
    <section className="flex flex-col gap-3">
      {periods.length === 0 && <p className="text-ink-soft">{t('office.closing.none')}</p>}
      <ul className="divide-y divide-line border-line border-y empty:hidden">
        {periods.map((period, index) => (
          <PeriodLine key={period.id} period={period} isRecent={index < provedAtOnce} />
        ))}
      </ul>
    </section>
  );
}

/** Newest periods that are proved when the page is opened; older ones are when their figures are. `doctor` proves all. */
const provedAtOnce = 12;

function PeriodLine({ period, isRecent }: { period: Period; isRecent: boolean }) {
  const { t, locale, shop, call, may } = useOffice();
  const [shown, setShown] = useState(false);
  const [opening, setOpening] = useState(false);
  const { id, closedAt, by, reopened, canReopen } = period;
  const proof = useQuery({
    queryKey: ['period-proof', id, locale],
    queryFn: () => call('periodProof', { params: { period: id } }),
    enabled: (reopened === null && isRecent) || shown,
  });
  const name = {
    from: formatCalendarDay(period.from, locale, 'date'),
    to: formatCalendarDay(period.to, locale, 'date'),
  };
  const time = (at: number) => formatDate(at, locale, shop.timeZone, 'dateTime');
  const closed = by === '' ? 'office.closing.closedBare' : 'office.closing.closed';
  return (
    <li className="flex flex-col gap-3 py-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <div>
          <h3 className="font-semibold text-base">{`${name.from} – ${name.to}`}</h3>
          <p className="text-ink-soft text-sm">{t(closed, { time: time(closedAt), name: by })}</p>
          {reopened && (
            <p className="text-sm">
              {t('office.closing.reopened', {
                time: time(reopened.at),
                name: reopened.by,
                why: reopened.why,
              })}
            </p>
          )}
          {!reopened && proof.data?.figures && proof.data.differences.length === 0 && (
            <p className="text-action text-sm">{t('office.closing.sums')}</p>
          )}
        </div>
        <div className="flex flex-wrap gap-3">
          <Button
            label={t('office.closing.figures')}
            aria-label={t('office.closing.figuresOf', name)}
            aria-expanded={shown}
            variant="secondary"
            size="small"
            onClick={() => setShown(!shown)}
          />
          {canReopen && may.includes('books.reopen') && (
            <Button
              label={t('office.closing.reopen')}
              variant="quiet"
              size="small"
              onClick={() => setOpening(true)}
            />
          )}
        </div>
      </div>
      <Problem error={proof.error} />
      {!reopened && proof.data && proof.data.differences.length > 0 && <Differences {...proof.data} />}
      {proof.data && !proof.data.figures && (
        <Notice tone="bad" title={t('office.closing.unreadable')}>
          {t('office.closing.unreadableText')}
        </Notice>
      )}
      {shown && proof.data?.figures && (
        <FigureList sums={proof.data.figures.sums} places={proof.data.places} />
      )}
      {opening && <ReopenDialog period={period} name={name} onClose={() => setOpening(false)} />}
    </li>
  );
}

type Places = OpenFigures['places'];
const namesOf = (places: Places) => new Map(places.map(({ id, name }) => [id, name]));

interface DifferencesProps {
  differences: readonly { sum: FiledSum; filed: number; now: number }[];
  places: Places;
}

function Differences({ differences, places }: DifferencesProps) {
  const { t, locale } = useOffice();
  const name = (sum: FiledSum) => accountSums([sum], t, namesOf(places))[0]?.name ?? sum.account;
  return (
    <Notice tone="bad" title={t('office.closing.differs')}>
      <ul className="mt-2 list-disc pl-5">
        {differences.map(({ sum, filed, now }) => {
          const money = (cents: number) => formatMoney(cents, locale, sum.currency);
          const line = name(sum);
          return (
            <li key={JSON.stringify(sum)}>
              {t('office.closing.difference', { line, filed: money(filed), now: money(now) })}
            </li>
          );
        })}
      </ul>
    </Notice>
  );
}

function ReopenDialog({
  period,
  name,
  onClose,
}: {
  period: Period;
  name: { from: string; to: string };
  onClose: () => void;
}) {
  const { t, call, queries } = useOffice();
  const form = useForm({
    initial: { why: '' },
    send: ({ why }) => call('reopenPeriod', { params: { period: period.id }, body: { why } }),
    onSent: (all) => {
      queries.setQueryData(['periods'], all);
      onClose();
    },
  });
  return (
    <Dialog open onClose={onClose} title={t('office.closing.reopenTitle', name)}>
      <p>{t('office.closing.reopenText')}</p>
      <SendForm form={form} label={t('office.closing.reopen')}>
        <TextField
          {...form.field('why')}
          label={t('office.closing.why')}
          hint={t('office.closing.whyHint')}
          maxLength={longestWhy}
          autoComplete="off"
          required
        />
      </SendForm>
    </Dialog>
  );
}

/** What each account sums to, with what taxes are on. */
function FigureList({ sums, places }: { sums: readonly FiledSum[]; places: Places }) {
  const { t, locale } = useOffice();
  const lines = accountSums(sums, t, namesOf(places));
  const suspense = lines.find(({ account }) => account === 'suspense');
  const money = ({ currency }: LineSum, cents: number) => formatMoney(cents, locale, currency);
  return (
    <>
      {suspense && (
        <Notice
          tone="bad"
          title={t('office.closing.suspense', { amount: money(suspense, suspense.amount) })}
        />
      )}
      <table className="w-full max-w-[36rem] tabular-nums [&_td]:text-right [&_:is(td,th)]:py-1.5 [&_tr]:border-line [&_tr]:border-b">
        <tbody>
          {lines.map((line) => (
            <tr key={`${line.name} ${line.currency}`}>
              <th scope="row" className="text-left font-normal">
                {line.name}
                {line.base !== 0 && (
                  <span className="text-ink-soft text-sm">
                    {' '}
                    · {t('office.closing.on', { base: money(line, line.base) })}
                  </span>
                )}
              </th>
              <td>{money(line, line.amount)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}
