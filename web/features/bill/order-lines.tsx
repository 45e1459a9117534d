import type { LineItem } from '#contract/schemas/order.ts';
import { useT } from '#ui/i18n.tsx';
import { Picture } from '#web/ui/picture.tsx';
import { Money } from '#web/ui/price.tsx';

/** A compact list of the items, beside a form and on the confirmation. */
export function OrderLines({ lines, currency }: { lines: LineItem[]; currency: string }) {
  const t = useT();
  return (
    <ul className="flex flex-col gap-4" aria-label={t('bill.lines.title')}>
      {lines.map((line) => (
        <li key={line.sku} className="grid grid-cols-[4rem_1fr_auto] items-center gap-4">
          {line.image ? (
            <Picture image={line.image} sizes="4rem" alt="" shape="square" />
          ) : (
            <span className="aspect-square rounded-sm bg-surface-inset" />
          )}
          <div className="min-w-0 leading-snug">
            <p>{line.productName}</p>
            <p className="text-ink-soft text-sm">
              {line.optionText && <span>{line.optionText} · </span>}
              {t('bill.lines.quantity', { count: line.quantity })}
            </p>
          </div>
          <Money cents={line.lineTotal} currency={currency} />
        </li>
      ))}
    </ul>
  );
}
