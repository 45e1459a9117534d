import type { LineItem, Order } from '#contract/schemas/order.ts';
import { useT } from '#ui/i18n.tsx';
import { Money } from '#web/ui/price.tsx';
import { BillView } from './bill.tsx';

/** The lines and the bill of a placed order, read-only, as its ticket lists them. */
export function Receipt({ order }: { order: Order }) {
  return (
    <>
      <TicketLines lines={order.lineItems} currency={order.bill.currency} />
      <div className="mt-4 border-line border-t pt-4">
        <BillView order={order} />
      </div>
    </>
  );
}

function TicketLines({ lines, currency }: { lines: LineItem[]; currency: string }) {
  const t = useT();
  return (
    <ul className="flex flex-col gap-2 leading-snug" aria-label={t('bill.lines.title')}>
      {lines.map(({ sku, productName, optionText, quantity, lineTotal }) => (
        <li key={sku} className="flex items-baseline justify-between gap-4">
          <span className="min-w-0">
            {t('ticket.line', { count: quantity, product: productName })}
            {optionText && <span className="block text-ink-soft text-sm">{optionText}</span>}
          </span>
          <Money cents={lineTotal} currency={currency} />
        </li>
      ))}
    </ul>
  );
}
