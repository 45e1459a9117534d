import type { ReactNode } from 'react';
import { splitLocale } from '#contract/locale-path.ts';
import type { Order } from '#contract/schemas/order.ts';
import { LinkButton } from '#ui/button.tsx';
import { cx } from '#ui/cx.ts';
import { formatDate, formatMoney } from '#ui/format.ts';
import { useLocale, useT } from '#ui/i18n.tsx';
import { payReturnKey, writeTab } from '#web/lib/tab-storage.ts';
import { urls } from '#web/lib/urls.ts';
import { Money } from '#web/ui/price.tsx';
import { paidWords, paymentWords } from './order-state-label.ts';

/** How an order was paid. If there are several payments or something is due, each of them, and a way to pay the rest. */
export function OrderMoney({ order }: { order: Order }) {
  const t = useT();
  const locale = useLocale();
  const { payments = [], paid = 0, due = 0, dueVersion, timeZone } = order;
  const { currency } = order.bill;
  const words = paymentWords(order);
  if (payments.length < 2 && (due === 0 || (paid === 0 && dueVersion === undefined)))
    return words && <p className="font-semibold">{t(words)}</p>;
  const refunded = payments.reduce((sum, payment) => sum + payment.refunded, 0);
  return (
    <>
      <dl className="flex flex-col gap-2 text-left">
        {payments.map((payment) => (
          <Row key={`${payment.at}${payment.provider}`} label={t(paidWords(payment))} cents={payment.amount} currency={currency}>
            <span className="block text-ink-soft">{formatDate(payment.at, locale, timeZone, 'dateTime')}</span>
          </Row>
        ))}
        {refunded > 0 && <Row label={t('bill.refunded')} cents={-refunded} currency={currency} />}
        <Row label={t('account.order.paidSum')} cents={paid} currency={currency} sums />
        {due > 0 && <Row label={t('account.order.due')} cents={due} currency={currency} sums />}
      </dl>
      {dueVersion !== undefined && (
        <LinkButton
          href={urls.payment({ due: dueVersion })}
          className="mt-4 print:hidden"
          wide
          onClick={() => writeTab(payReturnKey, splitLocale(location.pathname).pathname + location.search)}
        >
          {t('payment.pay', { amount: formatMoney(due, locale, currency) })}
        </LinkButton>
      )}
    </>
  );
}

interface RowProps {
  label: string;
  cents: number;
  currency: string;
  sums?: boolean;
  children?: ReactNode;
}

function Row({ label, cents, currency, sums = false, children }: RowProps) {
  return (
    <div className={cx('flex items-baseline justify-between gap-4', sums && 'border-line border-t pt-2 font-semibold')}>
      <dt>
        {label}
        {children}
      </dt>
      <dd className="shrink-0">
        {cents < 0 && '−'}
        <Money cents={Math.abs(cents)} currency={currency} />
      </dd>
    </div>
  );
}
