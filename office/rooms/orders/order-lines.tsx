/** What was ordered, and the bill. */
import { billRows } from '#contract/bill-rows.ts';
import { inLocale } from '#contract/locales.ts';
import type { LineItem, Order } from '#contract/schemas/order.ts';
import { formatMoney } from '#ui/format.ts';
import { useT } from '#ui/i18n.tsx';
import { useOffice } from '../../lib/me.tsx';

export function Lines({ order }: { order: Order }) {
  const { locale } = useOffice();
  const { lineItems, bill, method, refunds } = order;
  const money = (cents: number) => formatMoney(cents, locale, bill.currency);
  const shared = useT();
  return (
    <>
      <ul className="divide-y divide-line border-line border-y">
        {lineItems.map((line) => (
          <li key={line.id} className="grid grid-cols-[3rem_1fr_auto] gap-x-3 py-3">
            <span className="font-semibold tabular-nums">{line.quantity} ×</span>
            <LineText line={line} />
            <span className="text-right tabular-nums">{money(line.lineTotal)}</span>
          </li>
        ))}
      </ul>
      <dl className="flex flex-col gap-1">
        {billRows(bill, { method, refunds }).map(({ kind, label, cents, at }) => (
          <div
            key={`${kind}${'text' in label ? label.text.en : ''}${at ?? ''}`}
            className="flex justify-between gap-4 tabular-nums"
          >
            <dt className={kind === 'total' || kind === 'afterRefund' ? 'font-semibold' : 'text-ink-soft'}>
              {'key' in label ? shared(label.key, label.values) : inLocale(label.text, locale)}
            </dt>
            <dd className={kind === 'total' || kind === 'afterRefund' ? 'font-semibold' : undefined}>
              {cents !== null && money(cents)}
            </dd>
          </div>
        ))}
      </dl>
    </>
  );
}

/** What a line is: name, choices, the note for the kitchen, SKU. */
export function LineText({ line }: { line: Pick<LineItem, 'productName' | 'optionText' | 'modifierText' | 'note' | 'sku'> }) {
  const { productName, optionText, modifierText, note, sku } = line;
  return (
    <div className="min-w-0">
      <p>{productName}</p>
      {[optionText, modifierText].filter(Boolean).map((text) => (
        <p key={text} className="text-sm">
          {text}
        </p>
      ))}
      {note && <p className="font-semibold text-clay text-sm">“{note}”</p>}
      <p className="text-ink-soft text-sm">{sku}</p>
    </div>
  );
}
