import { useId, useRef, useState } from 'react';
import type { PriceInfo, Product } from '#contract/schemas/catalogue.ts';
import type { ImageInfo } from '#contract/schemas/common.ts';
import { Button } from '#ui/button.tsx';
import { FieldError } from '#ui/field.tsx';
import { useT } from '#ui/i18n.tsx';
import { Notice } from '#ui/notice.tsx';
import { QuantityStepper } from '#ui/quantity-stepper.tsx';
import { lazyWithPreload, whenLikely } from '#web/lib/lazy-view.tsx';
import type { Choice } from './selection.ts';
import type { Stock } from './stock-line.tsx';
import { type Add, type AddToCart, useBuying } from './use-buying.ts';

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
