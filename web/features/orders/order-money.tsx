import type { ReactNode } from 'react';
import { splitLocale } from '#contract/locale-path.ts';
import type { Order } from '#contract/schemas/order.ts';
import { LinkButton } from '#ui/button.tsx';
import { cx } from '#ui/cx.ts';
import { formatDate, formatMoney } from '#ui/format.ts';
import { useLocale, useT } from '#ui/i18n.tsx';
import { Notice } from '#ui/notice.tsx';
import { payReturnKey, writeTab } from '#web/lib/tab-storage.ts';
import { urls } from '#web/lib/urls.ts';
import { Money } from '#web/ui/price.tsx';
import { paidWords, paymentWords } from './order-state-label.ts';

/** How an order was paid; each payment if there are several, or something is due. */
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
  );
}

/** What is due of an order, with the way to pay it online; nothing if that cannot be. */
export function DueNotice({ order: { bill, paid = 0, due = 0, dueVersion } }: { order: Order }) {
  const t = useT();
  const locale = useLocale();
  const money = (cents: number) => formatMoney(cents, locale, bill.currency);
  if (dueVersion === undefined) return null;
  return (
    <Notice silent title={t('account.order.owing', { paid: money(paid), due: money(due) })}>
      <LinkButton
        href={urls.payment({ due: dueVersion })}
        className="mt-3"
        onClick={() => writeTab(payReturnKey, splitLocale(location.pathname).pathname + location.search)}
      >
        {t('payment.pay', { amount: money(due) })}
      </LinkButton>
    </Notice>
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
