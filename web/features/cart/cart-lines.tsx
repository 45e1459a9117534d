import { useEffect, useId, useRef } from 'react';
import type { Order } from '#contract/schemas/order.ts';
import { useT } from '#web/i18n/i18n.tsx';
import { Button } from '#web/ui/button.tsx';
import { CartLine } from './cart-line.tsx';
import type { RemovedLine, useCartLines } from './use-cart-lines.ts';

interface CartLinesProps {
  order: Order;
  changes: ReturnType<typeof useCartLines>;
}

/** The lines; a removed line is replaced by a message with an undo button. */
export function CartLines({ order, changes }: CartLinesProps) {
  const t = useT();
  const { problems, removed, returned, setQuantity, remove, undo } = changes;
  const statusOf = new Set(order.lineItems.map((line) => line.sku));
  // Lines that are in the cart again, restored here or in another tab, have nothing to undo.
  const gone = removed.filter(({ line }) => !statusOf.has(line.sku));
  const behind = (sku: string | null) => gone.filter(({ after }) => (after && statusOf.has(after) ? after : null) === sku);
  const row = (entry: RemovedLine) => <RemovedRow key={`removed-${entry.line.sku}`} entry={entry} onUndo={() => undo(entry)} />;
  return (
    <ul aria-label={t('cart.lines')} className="divide-y divide-line border-line border-y">
      {behind(null).map(row)}
      {order.lineItems.flatMap((line) => [
        <CartLine
          key={line.sku}
          line={line}
          currency={order.bill.currency}
          problem={problems[line.sku]}
          returned={line.sku === returned}
          onQuantity={(quantity) => setQuantity(line, quantity)}
          onRemove={() => remove(line)}
        />,
        ...behind(line.sku).map(row),
      ])}
    </ul>
  );
}

function RemovedRow({ entry, onUndo }: { entry: RemovedLine; onUndo: () => void }) {
  const t = useT();
  const text = useId();
  const undo = useRef<HTMLButtonElement>(null);
  // The button that was pressed disappeared with its line; this message replaces it.
  useEffect(() => undo.current?.focus({ preventScroll: true }), []);
  return (
    <li className="flex items-center justify-between gap-x-4 py-4">
      <p id={text} role="status" className={entry.problem ? 'text-clay' : undefined}>
        {entry.problem ?? t('cart.removed', { product: entry.line.productName })}
      </p>
      <Button ref={undo} variant="quiet" size="small" className="-mr-2" aria-describedby={text} onClick={onUndo}>
        {t('cart.undo')}
      </Button>
    </li>
  );
}
