/** What does not agree between providers, orders and the bank, each with what can be done about it. */
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { formatMoney } from '#contract/formatters.ts';
import { wayText } from '#contract/staff/messages.ts';
import type { Finding } from '#contract/staff/settlements.ts';
import { Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { useForm } from '#ui/form.tsx';
import { formatDate } from '#ui/format.ts';
import { TextField } from '#ui/inputs.tsx';
import { Notice } from '#ui/notice.tsx';
import { useOffice } from '../../lib/me.tsx';
import { OrderLink } from '../../lib/order-link.tsx';
import { Problem, SendForm } from '../../lib/send-form.tsx';

interface DifferencesProps {
  query: { from: string; to: string; provider?: string };
}

export function Differences({ query }: DifferencesProps) {
  const { t, call } = useOffice();
  const { data, error } = useQuery({
    queryKey: ['settlement-findings', query],
    queryFn: () => call('settlementFindings', { query }),
  });
  return (
    <section className="flex flex-col gap-4">
      <Problem error={error} />
      {data?.findings.length === 0 && <Notice tone="good" silent title={t('office.payouts.noFindings')} />}
      <ul className="divide-y divide-line border-line border-y empty:hidden">
        {data?.findings.map((finding) => (
          <Difference key={finding.id} finding={finding} />
        ))}
      </ul>
      {data?.more && <p className="text-ink-soft">{t('office.payouts.moreFindings')}</p>}
      {data && data.accepted > 0 && (
        <p className="text-ink-soft text-sm">{t('office.payouts.accepted', { count: data.accepted })}</p>
      )}
    </section>
  );
}

function Difference({ finding }: { finding: Finding }) {
  const { t, locale, shop } = useOffice();
  const { kind, at, currency, there, here, order, subject, url } = finding;
  const provider = wayText(t, finding.provider);
  const money = (cents: number) => formatMoney(cents, locale, currency);
  const isOfBank = kind === 'otherAmount';
  return (
    <li className="flex flex-col gap-3 py-5">
      <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
        <h2 className="font-semibold text-base">{t(`office.payouts.finding.${kind}`, { provider })}</h2>
        <p className="text-ink-soft text-sm">
          {formatDate(at, locale, shop.timeZone)} · <span className="break-all">{subject}</span>
        </p>
      </div>
      <p className="flex flex-wrap gap-x-6 gap-y-1 tabular-nums">
        {there !== null && <span>{t('office.payouts.there', { provider, amount: money(there) })}</span>}
        {here !== null && (
          <span>
            {t(isOfBank ? 'office.payouts.atBank' : 'office.payouts.here', { amount: money(here) })}
          </span>
        )}
        {order && <OrderLink number={order} />}
        {url && (
          <a href={url} target="_blank" rel="noreferrer" className="underline underline-offset-4">
            {t('office.payouts.open', { provider })}
          </a>
        )}
      </p>
      <p className="text-ink-soft">{t(`office.payouts.finding.${kind}Do`, { provider })}</p>
      <Actions finding={finding} />
    </li>
  );
}

function Actions({ finding }: { finding: Finding }) {
  const { t, call, queries, may } = useOffice();
  const [accepting, setAccepting] = useState(false);
  const look = () =>
    queries.invalidateQueries({ predicate: ({ queryKey }) => String(queryKey[0]).startsWith('settlement') });
  const ask = useMutation({
    mutationFn: () => call('askAboutFinding', { body: { finding: finding.id } }),
    onSuccess: ({ solved }) => (solved ? look() : undefined),
  });
  const { provider, payout, line } = finding;
  const name = wayText(t, provider);
  const link = useMutation({
    mutationFn: () => call('linkPayout', { body: { provider, payout: payout ?? '', line: line ?? '' } }),
    onSuccess: look,
  });
  const mayClose = may.includes('books.close');
  const about = `${t(`office.payouts.finding.${finding.kind}`, { provider: name })}, ${finding.subject}`;
  return (
    <div className="flex flex-col gap-2">
      <div className="flex flex-wrap gap-3">
        {finding.canAsk && (
          <Button
            label={t('office.payouts.ask', { provider: name })}
            variant="secondary"
            size="small"
            className="min-h-11"
            busy={ask.isPending}
            onClick={() => ask.mutate()}
          />
        )}
        {mayClose && line !== null && payout !== null && (
          <Button
            label={t('office.payouts.link')}
            variant="secondary"
            size="small"
            className="min-h-11"
            busy={link.isPending}
            onClick={() => link.mutate()}
          />
        )}
        {mayClose && (
          <Button
            label={t('office.payouts.accept')}
            variant="secondary"
            size="small"
            className="min-h-11"
            aria-label={`${t('office.payouts.accept')}: ${about}`}
            onClick={() => setAccepting(true)}
          />
        )}
      </div>
      <Problem error={ask.error ?? link.error} />
      {ask.data?.solved === false && (
        <p role="status" className="text-ink-soft text-sm">
          {t('office.payouts.askedOpen', { provider: name })}
        </p>
      )}
      {accepting && <Accept finding={finding} onClose={() => setAccepting(false)} onSent={look} />}
    </div>
  );
}

function Accept({
  finding,
  onClose,
  onSent,
}: {
  finding: Finding;
  onClose: () => void;
  onSent: () => unknown;
}) {
  const { t, call } = useOffice();
  const form = useForm({
    initial: { note: '' },
    send: ({ note }) => call('acceptFinding', { body: { finding: finding.id, note } }),
    onSent: () => {
      onClose();
      void onSent();
    },
  });
  return (
    <Dialog open onClose={onClose} title={t('office.payouts.acceptTitle')}>
      <SendForm form={form} label={t('office.payouts.accept')}>
        <TextField
          {...form.field('note')}
          label={t('office.payouts.acceptReason')}
          hint={t('office.payouts.acceptHint')}
          maxLength={500}
          required
        />
      </SendForm>
    </Dialog>
  );
}
