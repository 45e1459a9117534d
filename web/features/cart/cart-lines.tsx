import { useEffect, useEffectEvent, useId, useRef, useState } from 'react';
import type { Order } from '#contract/schemas/order.ts';
import { Button } from '#ui/button.tsx';
import { focusQuietly } from '#ui/focus.ts';
import { useT } from '#ui/i18n.tsx';
import { CartLine, type Choosing } from './cart-line.tsx';
import type { RemovedLine, useCartLines } from './use-cart-lines.ts';

interface CartLinesProps {
  order: Order;
  changes: ReturnType<typeof useCartLines>;
  choosing: Choosing;
}

/** The lines; a removed line is replaced by a message with an undo button. */
export function CartLines({ order, changes, choosing }: CartLinesProps) {
  const t = useT();
  const { problems, removed, returned, setQuantity, remove, undo, forget } = changes;
  const list = useRef<HTMLUListElement>(null);
  const present = new Set(order.lineItems.map(({ id }) => id));
  // Lines that are in the cart again, restored here or in another tab, have nothing to undo.
  const gone = removed.filter(({ line }) => !present.has(line.id));
  const behind = (id: string | null) => gone.filter(({ after }) => (after && present.has(after) ? after : null) === id);
  const leave = ({ line }: RemovedLine, focused: boolean) => {
    if (focused) focusQuietly(list.current);
    forget(line.id);
  };
  const row = (entry: RemovedLine) => (
    <RemovedRow
      key={`removed-${entry.line.id}`}
      entry={entry}
      onUndo={() => undo(entry)}
      onTimeOut={(focused) => leave(entry, focused)}
    />
  );
  return (
    <ul ref={list} aria-label={t('cart.lines')} className="divide-y divide-line border-line border-y">
      {behind(null).map(row)}
      {order.lineItems.flatMap((line, index) => [
        <CartLine
          key={line.id}
          line={line}
          currency={order.bill.currency}
          problem={problems[line.id]}
          returned={line.id === returned}
          first={index === 0}
          onQuantity={(quantity) => setQuantity(line, quantity)}
          onRemove={() => remove(line)}
          choosing={choosing}
        />,
        ...behind(line.id).map(row),
      ])}
    </ul>
  );
}

/** How long a removal can be undone, ms. */
const undoMs = 8000;

interface RemovedRowProps {
  entry: RemovedLine;
  onUndo: () => void;
  /** The time to undo is over; `focused`: the row has focus, which it loses now. */
  onTimeOut: (focused: boolean) => void;
}

/** Stays while the customer points at it or has moved to it by keyboard, or while putting the line back has failed. */
function RemovedRow({ entry, onUndo, onTimeOut }: RemovedRowProps) {
  const t = useT();
  const text = useId();
  const undo = useRef<HTMLButtonElement>(null);
  const row = useRef<HTMLLIElement>(null);
  const [used, setUsed] = useState(false);
  const timeOut = useEffectEvent(() => {
    const focused = row.current?.contains(document.activeElement) === true;
    if (row.current?.matches(':hover, :has(:focus-visible)')) setUsed(true);
    else onTimeOut(focused);
  });
  const stays = used || entry.problem !== undefined;
  useEffect(() => {
    if (stays) return;
    const timer = setTimeout(() => timeOut(), undoMs);
    return () => clearTimeout(timer);
  }, [stays]);
  // The button that was pressed disappeared with its line; this message replaces it.
  useEffect(() => undo.current?.focus({ preventScroll: true }), []);
  return (
    <li
      ref={row}
      className="flex items-center justify-between gap-x-4 py-4"
      onPointerLeave={() => setUsed(false)}
      onBlur={() => setUsed(false)}
    >
      <p id={text} role="status" className={entry.problem ? 'text-clay' : undefined}>
        {entry.problem ?? t('cart.removed', { product: entry.line.productName })}
      </p>
      <Button ref={undo} variant="quiet" size="small" className="-mr-2" aria-describedby={text} onClick={onUndo}>
        {t('cart.undo')}
      </Button>
    </li>
  );
}
