/** Who shops for people here: what they read and bought, what failed, and a switch for each. */
import { useMutation, useQuery } from '@tanstack/react-query';
import { dateFormat, formatMoney } from '#contract/formatters.ts';
import type { AgentSummary } from '#contract/staff/agents.ts';
import { Button } from '#ui/button.tsx';
import { useOffice } from '../../lib/me.tsx';
import { Problem } from '../../lib/send-form.tsx';

export default function Agents() {
  const { t, call } = useOffice();
  const { data, error } = useQuery({ queryKey: ['agents'], queryFn: () => call('agents') });
  return (
    <div className="flex max-w-room flex-col gap-6">
      <header className="flex flex-col gap-2">
        <h1 className="text-2xl">{t('office.agents')}</h1>
        {data && <p className="text-ink-soft">{t(`office.agents.access.${data.access}`)}</p>}
      </header>
      <Problem error={error} />
      {data?.agents.length === 0 && <p className="py-6 text-ink-soft">{t('office.agents.none')}</p>}
      <ul className="divide-y divide-line border-line border-y empty:hidden">
        {data?.agents.map((agent) => (
          <Agent key={agent.id} agent={agent} />
        ))}
      </ul>
    </div>
  );
}

function Agent({ agent }: { agent: AgentSummary }) {
  const { t, locale, shop } = useOffice();
  const { profile, blocked, lastSeenAt, carts, orders, calls } = agent;
  const seen = dateFormat(locale, {
    dateStyle: 'medium',
    timeStyle: 'short',
    hourCycle: 'h23',
    timeZone: shop.timeZone,
  }).format(lastSeenAt);
  const sold = orders
    .map(({ count, total, currency }) => `${count} · ${formatMoney(total, locale, currency)}`)
    .join(t('office.listSeparator'));
  const failed = calls.filter(({ problem }) => problem !== '');
  const well = calls.filter(({ problem }) => problem === '').reduce((sum, each) => sum + each.calls, 0);
  return (
    <li className="grid gap-x-6 gap-y-3 py-5 form:grid-cols-[1fr_auto]">
      <div className="min-w-0">
        <h2 className="break-words font-semibold text-base">
          {new URL(profile).host}
          {blocked && <span className="font-normal text-ink-soft"> · {t('office.agents.blocked')}</span>}
        </h2>
        <p className="break-all text-ink-soft text-sm">{profile}</p>
        <dl className="mt-3 grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-sm">
          <Fact name={t('office.agents.seen')} value={seen} />
          <Fact name={t('office.agents.calls')} value={String(well)} />
          <Fact name={t('office.agents.carts')} value={String(carts)} />
          <Fact name={t('office.agents.orders')} value={sold || '0'} />
        </dl>
        {failed.length > 0 && (
          <ul aria-label={t('office.agents.failed')} className="mt-3 text-ink-soft text-sm">
            {failed.map(({ operation, problem, calls: count }) => (
              <li key={`${operation} ${problem}`} className="break-words">
                {t('office.agents.failure', { count, operation, problem })}
              </li>
            ))}
          </ul>
        )}
      </div>
      <Switch agent={agent} />
    </li>
  );
}

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <>
      <dt className="text-ink-soft">{name}</dt>
      <dd>{value}</dd>
    </>
  );
}

function Switch({ agent: { id, blocked, profile } }: { agent: AgentSummary }) {
  const { t, call, queries } = useOffice();
  const change = useMutation({
    mutationFn: () => call('blockAgent', { params: { id }, body: { blocked: !blocked } }),
    onSuccess: (data) => queries.setQueryData(['agents'], data),
  });
  const label = t(blocked ? 'office.agents.allow' : 'office.agents.block');
  return (
    <div className="flex flex-col gap-2">
      <Button
        variant="secondary"
        busy={change.isPending}
        aria-label={`${label}: ${new URL(profile).host}`}
        onClick={() => change.mutate()}
      >
        {label}
      </Button>
      <Problem error={change.error} />
    </div>
  );
}
