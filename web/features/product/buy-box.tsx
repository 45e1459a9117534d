import { useId, useRef, useState } from 'react';
import { quantityErrors, scarceUnits } from '#contract/rules/quantity.ts';
import type { PriceInfo, Product } from '#contract/schemas/catalogue.ts';
import type { ImageInfo } from '#contract/schemas/common.ts';
import type { CartItem, Order } from '#contract/schemas/order.ts';
import { Button } from '#ui/button.tsx';
import { ApiError, errorText, fieldErrorsOf, fieldTexts } from '#ui/errors.ts';
import { FieldError } from '#ui/field.tsx';
import { useT } from '#ui/i18n.tsx';
import { Notice } from '#ui/notice.tsx';
import { QuantityStepper, quantityRange } from '#ui/quantity-stepper.tsx';
import { lazyWithPreload, whenLikely } from '#web/lib/lazy-view.tsx';
import { type Choice, pairsOf } from './selection.tsx';
import type { Stock } from './stock-line.tsx';

const BuyOutcome = lazyWithPreload(async () => (await import('./added-panel.tsx')).BuyOutcome, 'more');

export interface BuyBoxProps {
  product: Product;
  choice: Choice;
  price: PriceInfo;
  picture: ImageInfo | undefined;
  stock: Stock;
  cart: AddToCart;
  add?: Add;
  label?: (quantity: number) => string;
}

/** On phones a bar at the lower edge. The button is enabled in every state: if nothing can be added, it says why. */
export function BuyBox({ product, choice, price, picture, stock, cart, add = cart.add, label }: BuyBoxProps) {
  const t = useT();
  const errorId = useId();
  const row = useRef<HTMLDivElement>(null);
  const { quantity, range, setQuantity, buy, outcome, dismiss } = useBuying(product, choice, stock, add);
  const gone = stock.status !== 'InStock';
  const quantityError = outcome.kind === 'quantity' ? outcome.text : undefined;
  // Once used it stays, so that a window closes as it opened and returns the focus.
  const [covered, setCovered] = useState(false);
  if (!covered && (outcome.kind === 'added' || outcome.kind === 'unavailable')) setCovered(true);
  const press = async () => {
    await buy();
    // The quantity field is marked invalid by now and takes the focus.
    requestAnimationFrame(() => row.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
  };
  return (
    <div className="buy-bar" ref={row}>
      {covered && <BuyOutcome {...{ product, choice, price, picture, outcome, cart }} onClose={dismiss} />}
      {outcome.kind === 'failed' && (
        <Notice tone="bad" className="mb-3" onClose={dismiss}>
          {outcome.text}
        </Notice>
      )}
      <div className="flex gap-3">
        {!gone && (
          <QuantityStepper
            name="quantity"
            value={quantity}
            onChange={setQuantity}
            range={range}
            errorId={quantityError && errorId}
          />
        )}
        <Button
          className="flex-1 whitespace-nowrap px-3"
          {...(gone ? {} : { icon: 'bag' as const })}
          busy={cart.pending}
          done={outcome.kind === 'added'}
          aria-disabled={gone || undefined}
          {...whenLikely(BuyOutcome)}
          type="submit"
          onClick={(event) => {
            event.preventDefault();
            void press();
          }}
        >
          {gone
            ? t(stock.status === 'OutOfStock' ? 'card.soldOut' : 'product.notAvailable')
            : (label?.(quantity) ?? t('product.add'))}
        </Button>
      </div>
      <div role="alert">
        <FieldError id={errorId}>{quantityError}</FieldError>
      </div>
    </div>
  );
}

export interface AddToCart {
  add(input: CartItem): Promise<Order>;
  pending: boolean;
  storeId: string | null;
}

/** Adds to the cart; null if the customer has been told elsewhere why not. */
export type Add = (input: CartItem) => Promise<Order | null>;

/** The result of the last press of "Add to cart". `unavailable` is SPEC §8's alert. */
export type Outcome =
  | { kind: 'none' }
  | { kind: 'added'; quantity: number; order: Order }
  | { kind: 'unavailable' }
  | { kind: 'quantity'; text: string }
  | { kind: 'failed'; text: string };

/** The quantity, the call that adds to the cart, and its messages. Changing the choice clears them (SPEC §4). */
function useBuying(product: Product, choice: Choice, stock: Stock, add: Add) {
  const t = useT();
  const pairs = pairsOf(choice);
  const [wanted, setQuantity] = useState(1);
  const left = stock.live?.obtainable ?? 0;
  // A page that says how many are left lets no more be chosen.
  const range = left > 0 && left <= scarceUnits ? { ...quantityRange, max: left } : quantityRange;
  const quantity = Math.min(wanted, range.max);
  const [said, setSaid] = useState<{ about: string; outcome: Outcome }>({
    about: pairs,
    outcome: { kind: 'none' },
  });
  const outcome: Outcome = said.about === pairs ? said.outcome : { kind: 'none' };
  const say = (next: Outcome) => setSaid({ about: pairs, outcome: next });

  const buy = async () => {
    const wrong = fieldTexts(quantityErrors(quantity), t).quantity;
    if (wrong) return say({ kind: 'quantity', text: wrong });
    if (stock.status !== 'InStock' || !stock.sku) return say({ kind: 'unavailable' });
    try {
      const item = {
        sku: stock.sku,
        product: product.id,
        productName: product.productName,
        optionPairs: pairs,
        quantity,
      };
      const order = await add(item);
      say(order ? { kind: 'added', quantity, order } : { kind: 'none' });
    } catch (error) {
      say(outcomeOf(error));
    }
  };

  const outcomeOf = (error: unknown): Outcome => {
    const text = fieldErrorsOf(error).quantity;
    if (text) return { kind: 'quantity', text };
    if (error instanceof ApiError && (error.status === 409 || error.status === 404))
      return { kind: 'unavailable' };
    return { kind: 'failed', text: errorText(error, t) };
  };

  return {
    quantity,
    range,
    setQuantity: (next: number) => {
      setQuantity(next);
      say({ kind: 'none' });
    },
    buy,
    outcome,
    dismiss: () => say({ kind: 'none' }),
  };
}
