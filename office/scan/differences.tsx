/** What was found and what was expected, before it is booked. */
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { inLocale } from '#contract/locales.ts';
import type { StockTake, TakeLine } from '#contract/staff/stock.ts';
import { Button } from '#ui/button.tsx';
import { cx } from '#ui/cx.ts';
import { Dialog } from '#ui/dialog.tsx';
import { Notice } from '#ui/notice.tsx';
import { useCall } from '../lib/api.ts';
import { useLanguage } from '../lib/i18n.tsx';
import { afterOf, MoreButton, usePages } from '../lib/lists.tsx';
import { Problem } from '../lib/send-form.tsx';
import { optionText } from '../rooms/stock/places.tsx';

interface DifferencesProps {
  take: StockTake;
  /** Counts of this device that the server does not have yet. */
  waiting: number;
  onBack: () => void;
  onOver: (take: StockTake | 'ended') => void;
}

function useBooking({ take, onOver }: DifferencesProps) {
  const call = useCall();
  const params = { take: take.id };
  // As it was when the differences were asked for.
  const lines = usePages(['take-lines', take.id, take.counts], (query) => call('takeLines', { params, query }), afterOf);
  const book = useMutation({
    networkMode: 'always',
    mutationFn: async () => {
      let state = await call('bookTake', { params, body: { counts: take.counts } });
      while (state.state === 'booking') state = await call('bookTake', { params, body: { counts: take.counts } });
      return state;
    },
    onSuccess: onOver,
  });
  const end = useMutation({
    networkMode: 'always',
    mutationFn: () => call('endTake', { params }),
    onSuccess: () => onOver('ended'),
  });
  return { lines, book, end };
}

export function Differences(props: DifferencesProps) {
  const { take, waiting, onBack } = props;
  const { t } = useLanguage();
  const { lines, book, end } = useBooking(props);
  const [isEnding, setEnding] = useState(false);
  const known = lines.pages.flatMap((page) => page.lines);
  const different = known.filter(({ found, expected }) => found !== expected);
  const error = book.error ?? end.error ?? lines.error;
  return (
    <section className="flex flex-col gap-5">
      <h2 className="text-xl">{t('office.take.differences')}</h2>
      <Problem error={error} />
      {take.unknown.length > 0 && (
        <Notice title={t('office.take.unknown')}>
          <p className="break-words">{take.unknown.map(({ code, units }) => `${code} × ${units}`).join(', ')}</p>
          <p>{t('office.take.unknownHint')}</p>
        </Notice>
      )}
      {lines.isKnown && known.length === 0 && <p>{t('office.take.none')}</p>}
      {different.length > 0 && <Lines lines={different} />}
      {known.length > different.length && <p>{t('office.take.same', { count: known.length - different.length })}</p>}
      <MoreButton list={lines} label={t('office.take.more')} />
      <p className="text-ink-soft">{t('office.take.onlyCounted')}</p>
      <div className="flex flex-wrap gap-3">
        <Button busy={book.isPending} disabled={waiting > 0 || known.length === 0} onClick={() => book.mutate()}>
          {t(take.state === 'booking' ? 'office.take.booking' : 'office.take.book')}
        </Button>
        <Button label={t('office.take.goOn')} variant="secondary" onClick={onBack} />
        <Button label={t('office.take.end')} variant="quiet" onClick={() => setEnding(true)} />
      </div>
      <EndDialog open={isEnding} busy={end.isPending} onEnd={() => end.mutate()} onClose={() => setEnding(false)} />
    </section>
  );
}

function EndDialog({ open, busy, onEnd, onClose }: { open: boolean; busy: boolean; onEnd: () => void; onClose: () => void }) {
  const { t } = useLanguage();
  return (
    <Dialog
      open={open}
      onClose={onClose}
      role="alertdialog"
      title={t('office.take.end')}
      actions={
        <>
          <Button label={t('office.take.goOn')} variant="secondary" onClick={onClose} />
          <Button label={t('office.take.end')} busy={busy} onClick={onEnd} />
        </>
      }
    >
      <p>{t('office.take.endSure')}</p>
    </Dialog>
  );
}

function Lines({ lines }: { lines: readonly TakeLine[] }) {
  const { t, locale } = useLanguage();
  return (
    <table className="w-full text-left">
      <thead className="text-ink-soft text-sm">
        <tr className="border-line border-b">
          <th className="py-2 font-normal">SKU</th>
          <th className="py-2 pl-3 text-right font-normal">{t('office.take.expected')}</th>
          <th className="py-2 pl-3 text-right font-normal">{t('office.take.found')}</th>
          <th className="py-2 pl-3 text-right font-normal">{t('office.take.difference')}</th>
        </tr>
      </thead>
      <tbody className="divide-y divide-line">
        {lines.map(({ sku, name, options, found, expected }) => (
          <tr key={sku}>
            <td className="min-w-0 break-words py-2">
              <span className="font-semibold">{inLocale(name, locale)}</span>
              <span className="block text-ink-soft text-sm">{[sku, optionText(options)].filter(Boolean).join(' · ')}</span>
            </td>
            <td className="py-2 pl-3 text-right tabular-nums">{expected}</td>
            <td className="py-2 pl-3 text-right tabular-nums">{found}</td>
            <td className={cx('py-2 pl-3 text-right font-semibold tabular-nums', found < expected && 'text-clay')}>
              {found > expected ? `+${found - expected}` : `−${expected - found}`}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
