import { useId, useRef } from 'react';
import type { PriceInfo, Product } from '#contract/schemas/catalogue.ts';
import type { ImageInfo } from '#contract/schemas/common.ts';
import { useT } from '#web/i18n/i18n.tsx';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { FieldError } from '#web/ui/field.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { QuantityStepper } from '#web/ui/quantity-stepper.tsx';
import { AddedPanel } from './added-panel.tsx';
import type { Choice } from './selection.ts';
import type { Buying } from './use-buying.ts';
import type { Stock } from './use-stock.ts';

interface BuyBoxProps {
  product: Product;
  choice: Choice;
  price: PriceInfo;
  picture: ImageInfo | undefined;
  stock: Stock;
  buying: Buying;
}

/**
 * Quantity and "Add to cart"; on phones a bar at the lower edge, so that it is always within reach. The button is enabled in
 * every state: if nothing can be added, it says why.
 */
export function BuyBox({ product, choice, price, picture, stock, buying }: BuyBoxProps) {
  const t = useT();
  const errorId = useId();
  const row = useRef<HTMLDivElement>(null);
  const { quantity, setQuantity, buy, pending, outcome, dismiss } = buying;
  const gone = stock.status !== 'InStock';
  const quantityError = outcome.kind === 'quantity' ? outcome.text : undefined;
  const press = async () => {
    await buy();
    // The quantity field is marked invalid by now and takes the focus.
    requestAnimationFrame(() => row.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
  };
  return (
    <div className="buy-bar" ref={row}>
      <AddedPanel {...{ product, choice, price, picture, outcome }} onClose={dismiss} />
      {outcome.kind === 'failed' && (
        <Notice tone="bad" className="mb-3" onClose={dismiss}>
          {outcome.text}
        </Notice>
      )}
      <div className="flex gap-3">
        {!gone && <QuantityStepper value={quantity} onChange={setQuantity} errorId={quantityError && errorId} />}
        <Button
          className="flex-1 whitespace-nowrap px-3"
          {...(gone ? {} : { icon: 'bag' as const })}
          busy={pending}
          aria-disabled={gone || undefined}
          onClick={() => void press()}
        >
          {t(gone ? (stock.status === 'OutOfStock' ? 'card.soldOut' : 'product.notAvailable') : 'product.add')}
        </Button>
      </div>
      <div role="alert">
        <FieldError id={errorId}>{quantityError}</FieldError>
      </div>
      <Dialog
        open={outcome.kind === 'unavailable'}
        onClose={dismiss}
        role="alertdialog"
        title={t('product.oops')}
        actions={<Button onClick={dismiss}>{t('product.ok')}</Button>}
      >
        <p>{t('product.unavailable')}</p>
      </Dialog>
    </div>
  );
}
