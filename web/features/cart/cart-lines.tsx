import { type ReactNode, useEffect, useEffectEvent, useId, useRef, useState } from 'react';
import { quantityErrors, scarceUnits } from '#contract/rules/quantity.ts';
import type { LineItem, Order } from '#contract/schemas/order.ts';
import { Button } from '#ui/button.tsx';
import { errorText, fieldTexts } from '#ui/errors.ts';
import { fieldErrorClass } from '#ui/field.tsx';
import { useT } from '#ui/i18n.tsx';
import { Icon } from '#ui/icon.tsx';
import { Link } from '#ui/link.tsx';
import { focusQuietly } from '#ui/page.tsx';
import { QuantityStepper } from '#ui/quantity-stepper.tsx';
import { urls } from '#web/lib/urls.ts';
import { ChosenText } from '#web/ui/chosen-text.tsx';
import { LinePrice } from '#web/ui/line-price.tsx';
import { Picture } from '#web/ui/picture.tsx';
import { Price } from '#web/ui/price.tsx';
import type { CartStore } from './cart-store.ts';
import { inputOfLine } from './line-input.ts';

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
  const behind = (id: string | null) =>
    gone.filter(({ after }) => (after && present.has(after) ? after : null) === id);
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
          bill={order.bill}
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
    if (row.current?.matches(':hover') || row.current?.querySelector(':focus-visible')) setUsed(true);
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
      <Button
        ref={undo}
        variant="quiet"
        size="small"
        className="-mr-2"
        aria-describedby={text}
        onClick={onUndo}
      >
        {t('cart.undo')}
      </Button>
    </li>
  );
}

interface CartLineProps {
  line: LineItem;
  bill: Order['bill'];
  problem: string | undefined;
  /** The line was just restored by a button that is gone now, so focus moves here. */
  returned: boolean;
  /** The first line, whose image is in the first view. */
  first: boolean;
  onQuantity: (quantity: number) => void;
  onRemove: () => void;
  /** Opens the choices of the line. */
  choosing: Choosing;
}

/** How the choices of a line are changed: `open` shows them; `likely` are the handlers of a button that will. */
export interface Choosing {
  open: (line: LineItem) => void;
  likely: (line: LineItem) => { onPointerEnter: () => void; onFocus: () => void };
}

/** The element that receives focus if this line blocks checkout. */
export const lineNoticeId = (id: string) => `line-${id}`;

function CartLine({ line, bill, problem, returned, first, onQuantity, onRemove, choosing }: CartLineProps) {
  const t = useT();
  const problemId = useId();
  const row = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (returned) focusQuietly(row.current);
  }, [returned]);
  const { productName: product } = line;
  return (
    <li
      ref={row}
      aria-label={product}
      className="grid grid-cols-[5.5rem_1fr] gap-x-4 py-6 product:grid-cols-[8rem_1fr] product:gap-x-6"
    >
      <Link href={urls.product(line.product)} tabIndex={-1} aria-hidden className="self-start">
        {line.image ? (
          <Picture
            image={line.image}
            sizes="(min-width: 48rem) 8rem, 5.5rem"
            alt=""
            shape="square"
            priority={first}
          />
        ) : (
          <span className="block aspect-square rounded-sm bg-surface-inset" />
        )}
      </Link>
      <div className="flex min-w-0 flex-col gap-3">
        <div className="flex items-start justify-between gap-4">
          <LineProduct line={line} currency={bill.currency} />
          <LinePrice line={line} bill={bill} className="whitespace-nowrap font-semibold leading-snug" />
        </div>
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
          <QuantityStepper
            value={line.quantity}
            onChange={onQuantity}
            className="[&>button]:size-10 [&>input]:h-10"
            label={t('cart.line.quantityOf', { product })}
            errorId={problem && problemId}
          />
          <LineActions {...{ line, choosing, onRemove }} />
        </div>
        <LineNotice line={line} onQuantity={onQuantity} />
        {problem && <LineProblem id={problemId}>{problem}</LineProblem>}
      </div>
    </li>
  );
}

function LineActions({ line, choosing, onRemove }: Pick<CartLineProps, 'line' | 'choosing' | 'onRemove'>) {
  const t = useT();
  const { productName: product } = line;
  return (
    <span className="-mx-2 flex">
      {(line.modifiers.length > 0 || line.note || line.unavailable) && (
        <Button
          label={t('cart.line.change')}
          variant="quiet"
          size="small"
          className="min-h-11"
          {...choosing.likely(line)}
          aria-haspopup="dialog"
          aria-label={t('cart.line.changeNamed', { product })}
          onClick={() => choosing.open(line)}
        />
      )}
      <Button
        label={t('cart.line.remove')}
        variant="quiet"
        size="small"
        className="min-h-11"
        onClick={onRemove}
        aria-label={t('cart.line.removeNamed', { product })}
      />
    </span>
  );
}

interface PricedIn {
  line: LineItem;
  currency: string;
}

function LineProduct({ line, currency }: PricedIn) {
  const t = useT();
  return (
    <div className="min-w-0">
      <h2 className="text-pretty font-sans text-base leading-snug">
        <Link href={urls.product(line.product)} className="no-underline hover:underline">
          {line.productName}
        </Link>
      </h2>
      <ChosenText line={line} className="text-ink-soft text-sm" />
      <UnitPrice line={line} currency={currency} />
      {line.inStoreOnly && (
        <p className="mt-1 flex items-start gap-1.5 text-ink-soft text-sm">
          <Icon name="cup" size={18} className="mt-0.5" />
          {t('cart.line.inStoreOnly')}
        </p>
      )}
    </div>
  );
}

function UnitPrice({ line, currency }: PricedIn) {
  const { unitPrice: price, listPrice, quantity } = line;
  const t = useT();
  if (quantity === 1 && listPrice === null) return null;
  return (
    <p className="flex items-baseline gap-1.5 text-sm">
      <Price priceInfo={{ price, listPrice, currency, from: false }} />
      {quantity > 1 && <span className="text-ink-soft">{t('cart.line.each')}</span>}
    </p>
  );
}

function LineNotice({ line, onQuantity }: Pick<CartLineProps, 'line' | 'onQuantity'>) {
  const t = useT();
  const status = lineStatus(line);
  const { productName: product } = line;
  if (line.unavailable) {
    return (
      <div id={lineNoticeId(line.id)} tabIndex={-1}>
        <LineProblem>{line.unavailable}</LineProblem>
      </div>
    );
  }
  if (status.kind === 'fine')
    return line.backorder ? <p className="text-ink-soft text-sm">{t('cart.backorder')}</p> : null;
  if (status.kind === 'scarce')
    return <p className="font-semibold text-sm">{t('product.onlyLeft', { count: status.left })}</p>;
  return (
    <div id={lineNoticeId(line.id)} tabIndex={-1} className="flex flex-wrap items-center gap-x-4 gap-y-1">
      {status.kind === 'tooFew' ? (
        <>
          <LineProblem>{t('rule.outOfStockFew', { product, count: status.left })}</LineProblem>
          <Button variant="secondary" size="small" onClick={() => onQuantity(status.left)}>
            {t('cart.line.takeWhatIsLeft', { count: status.left })}
          </Button>
        </>
      ) : (
        <LineProblem>
          {t(status.kind === 'failed' ? 'cart.line.failed' : 'rule.outOfStockLine', { product })}
        </LineProblem>
      )}
    </div>
  );
}

function LineProblem({ id, children }: { id?: string; children: ReactNode }) {
  return (
    <p className={fieldErrorClass} role="alert" id={id}>
      <Icon name="warning" size={18} className="mt-[0.15em]" />
      <span>{children}</span>
    </p>
  );
}

/** A removed line, stored so that it can be restored; `after` is the id of the line that it followed. */
interface RemovedLine {
  line: LineItem;
  after: string | null;
  problem?: string;
}

export function useCartLines(order: Order | undefined, cartStore: CartStore) {
  const t = useT();
  const [problems, setProblems] = useState<Record<string, string>>({});
  const [removed, setRemoved] = useState<RemovedLine[]>([]);
  const [returned, setReturned] = useState<string>();

  const say = (id: string, problem: string | undefined) =>
    setProblems(({ [id]: _, ...others }) => (problem ? { ...others, [id]: problem } : others));
  const forget = (id: string) => setRemoved((lines) => lines.filter(({ line }) => line.id !== id));

  /** A rejection may mean that the cart differs from the shown one, for instance because another tab changed it. */
  const refresh = () => void cartStore.read().catch(() => undefined);

  const setQuantity = (line: LineItem, quantity: number) => {
    const { quantity: wrong } = fieldTexts(quantityErrors(quantity), t);
    say(line.id, wrong);
    if (wrong) return;
    cartStore.setQuantity(line.id, quantity).catch((error: unknown) => {
      refresh();
      say(line.id, t('cart.changeFailed', { reason: errorText(error, t) }));
    });
  };

  const remove = (line: LineItem) => {
    const lines = order?.lineItems ?? [];
    const after = lines[lines.findIndex(({ id }) => id === line.id) - 1]?.id ?? null;
    say(line.id, undefined);
    setRemoved((gone) => [...gone.filter((other) => other.line.id !== line.id), { line, after }]);
    cartStore.remove(line.id).catch((error: unknown) => {
      refresh();
      forget(line.id);
      say(line.id, t('cart.removeFailed', { product: line.productName, reason: errorText(error, t) }));
    });
  };

  /** The line comes back as another one, which is last and has an id of its own. */
  const undo = async ({ line }: RemovedLine) => {
    const { id, productName } = line;
    try {
      const before = new Set(order?.lineItems.map((other) => other.id));
      const { lineItems } = await cartStore.add(inputOfLine(line));
      setReturned((lineItems.find((other) => !before.has(other.id)) ?? lineItems.at(-1))?.id);
      forget(id);
    } catch (error) {
      const problem = t('cart.undoFailed', { product: productName, reason: errorText(error, t) });
      setRemoved((gone) => gone.map((other) => (other.line.id === id ? { ...other, problem } : other)));
    }
  };

  return { problems, removed, returned, setQuantity, remove, undo, forget };
}

/** The status of a cart line, and whether it blocks checkout (SPEC §4, §5). */
type LineStatus =
  | { kind: 'outOfStock' | 'failed' }
  /** Fewer than requested: `left` units. */
  | { kind: 'tooFew'; left: number }
  /** Enough, but no more than `left`. */
  | { kind: 'scarce'; left: number }
  | { kind: 'fine' };

export function lineStatus(
  line: Pick<LineItem, 'inventoryProcessingStatus' | 'obtainable' | 'quantity'>,
): LineStatus {
  const { inventoryProcessingStatus: status, obtainable, quantity } = line;
  if (status === 'processingFailed') return { kind: 'failed' };
  // The units are held for this very order, so there is nothing to warn about.
  if (status === 'processing' || status === 'processed') return { kind: 'fine' };
  if (status === 'notAvailable' && obtainable === 0) return { kind: 'outOfStock' };
  if (status === 'notAvailable' || quantity > obtainable) return { kind: 'tooFew', left: obtainable };
  return obtainable <= scarceUnits ? { kind: 'scarce', left: obtainable } : { kind: 'fine' };
}

/** SPEC §4: a line that is unavailable as it was chosen, or could not be held, blocks checkout. */
export function blocksCheckout(
  line: Parameters<typeof lineStatus>[0] & Pick<LineItem, 'unavailable'>,
): boolean {
  return line.unavailable !== undefined || ['outOfStock', 'tooFew', 'failed'].includes(lineStatus(line).kind);
}

/** Whether some delivery method has all lines together. */
export function isServed({ methods }: Pick<Order, 'methods'>): boolean {
  return methods?.length !== 0;
}
