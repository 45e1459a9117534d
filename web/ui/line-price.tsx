import { shareOf } from '#contract/bill-rows.ts';
import type { Bill, LineItem } from '#contract/schemas/order.ts';
import { formatMoney } from '#ui/format.ts';
import { useLocale, useT } from '#ui/i18n.tsx';
import { Money } from './price.tsx';

interface LinePriceProps {
  line: Pick<LineItem, 'id' | 'lineTotal'>;
  bill: Pick<Bill, 'coupon' | 'currency'>;
  className?: string;
}

/** What a line costs, and what a coupon for certain items takes off it. */
export function LinePrice({ line, bill, className }: LinePriceProps) {
  const t = useT();
  const locale = useLocale();
  const off = shareOf(bill, line.id);
  const price = <Money cents={line.lineTotal} currency={bill.currency} {...(className && { className })} />;
  if (off === 0 || !bill.coupon) return price;
  const amount = formatMoney(off, locale, bill.currency);
  return (
    <span className="flex flex-col items-end text-right">
      {price}
      <span className="text-ink-soft text-sm">
        {t('bill.lineDiscount', { amount, code: bill.coupon.code })}
      </span>
    </span>
  );
}
