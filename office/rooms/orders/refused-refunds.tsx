/** Refunds that a provider refused: their money is still there, and is owed to the buyers. */
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { wayText } from '#contract/staff/messages.ts';
import type { RefusedRefund } from '#contract/staff/orders.ts';
import { Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { formatDate, formatMoney } from '#ui/format.ts';
import { Link } from '#ui/link.tsx';
import { useOnce } from '../../lib/api.ts';
import { useOffice } from '../../lib/me.tsx';
import { Problem } from '../../lib/send-form.tsx';

const queryKey = ['refusedRefunds'];

function useRefused(): readonly RefusedRefund[] {
  const { may, call } = useOffice();
  const isAsked = may.includes('orders.refund');
  const { data } = useQuery({ queryKey, queryFn: () => call('refusedRefunds'), enabled: isAsked });
  return data?.refunds ?? [];
}

/** Those of a payment, below it. */
export function RefusedRefunds({ payment }: { payment: string }) {
  return useRefused()
    .filter((refund) => refund.payment === payment)
    .map((refund) => <Refused key={refund.id} refund={refund} />);
}

/** All of them, above the orders; nothing while there are none. */
export function AllRefusedRefunds() {
  const { t } = useOffice();
  const refunds = useRefused();
  if (refunds.length === 0) return null;
  return (
    <section aria-labelledby="refused" className="flex flex-col gap-2 border-clay border-l-4 pl-4">
      <h2 id="refused" className="font-semibold">
        {t('office.orders.refused')}
      </h2>
      {refunds.map((refund) => (
        <div key={refund.id}>
          <p>
            {refund.order === null ? (
              t('office.orders.refused.late', { provider: wayText(t, refund.provider) })
            ) : (
              <Link href={`/office/orders/${refund.order}`} className="link">
                {refund.order}
              </Link>
            )}
          </p>
          <Refused refund={refund} />
        </div>
      ))}
    </section>
  );
}

function Refused({ refund: { id, order, provider, amount, currency, why, at } }: { refund: RefusedRefund }) {
  const { t, locale, shop, call, queries } = useOffice();
  const once = useOnce();
  const [isSettling, setSettling] = useState(false);
  const act = useMutation({
    mutationFn: (name: 'retryRefund' | 'settleRefund') => call(name, { params: { id }, once }),
    onSettled: () => {
      setSettling(false);
      return Promise.all(
        [queryKey, ['order', order]].map((key) => queries.invalidateQueries({ queryKey: key })),
      );
    },
  });
  const isDoing = (name: typeof act.variables) => act.isPending && act.variables === name;
  const money = formatMoney(amount, locale, currency);
  return (
    <div className="flex flex-col gap-2 py-1">
      <p className="flex flex-wrap justify-between gap-x-4 font-semibold text-clay text-sm">
        <span>
          {t('office.order.refund.refused')} · {formatDate(at, locale, shop.timeZone, 'dateTime')}
        </span>
        <span className="tabular-nums">{money}</span>
      </p>
      {why && <p className="text-sm">{why}</p>}
      <div className="flex flex-wrap gap-2">
        <Button
          label={t('office.order.refund.retry')}
          variant="secondary"
          busy={isDoing('retryRefund')}
          onClick={() => act.mutate('retryRefund')}
        />
        <Button
          label={t('office.order.refund.settle')}
          variant="secondary"
          onClick={() => setSettling(true)}
        />
      </div>
      <Problem error={act.error} />
      {isSettling && (
        <Dialog open onClose={() => setSettling(false)} title={t('office.order.refund.settle')}>
          <p>{t('office.order.refund.settled', { amount: money, provider: wayText(t, provider) })}</p>
          <Button
            label={t('office.order.refund.settle')}
            busy={isDoing('settleRefund')}
            onClick={() => act.mutate('settleRefund')}
          />
        </Dialog>
      )}
    </div>
  );
}
