import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { inLocale } from '#contract/locales.ts';
import type { PriceInfo, Product } from '#contract/schemas/catalogue.ts';
import type { LastChoice } from '#contract/schemas/modifiers.ts';
import type { CartItem, LineItem } from '#contract/schemas/order.ts';
import { Button, IconButton } from '#ui/button.tsx';
import { useModal } from '#ui/dialog.tsx';
import { errorText } from '#ui/errors.ts';
import { formatMoney } from '#ui/format.ts';
import { useLocale, useT } from '#ui/i18n.tsx';
import { SkeletonText } from '#ui/layout.tsx';
import { ModifierFields } from '#ui/modifier-fields.tsx';
import { Notice } from '#ui/notice.tsx';
import { QuantityStepper } from '#ui/quantity-stepper.tsx';
import { useApi } from '#web/lib/api.ts';
import { Picture } from '#web/ui/picture.tsx';
import { Price } from '#web/ui/price.tsx';
import { OptionPicker } from '../option-picker.tsx';
import { productQuery } from '../queries.ts';
import { choiceIn, chooseFrom, pairsOf, priceOf, skuOf } from '../selection.ts';
import { lastChoiceQuery, SameAsLastTime, useModifiers } from './use-modifiers.tsx';

interface ModifierSheetProps {
  open: boolean;
  productId: string;
  /** The line of the cart that is changed; without it, one is added. */
  line?: LineItem | undefined;
  /** The store that the cart is for; null while that is open. */
  storeId: string | null;
  /** Rejects with the shop's error. */
  save: (item: Required<CartItem>) => Promise<unknown>;
  onClose: () => void;
}

/** Over the page below on a phone; in the middle of wider windows. */
const sheetClass =
  'modal dialog max-product:mx-0 max-product:mb-0 max-product:w-full max-product:max-w-none max-product:max-h-[92dvh] max-product:rounded-b-none max-product:[--closed-at:0_100%] max-product:[--closed-opacity:1]';

/** A product as the customer likes it: options, modifiers, note and quantity, and the button that orders it so. */
export function ModifierSheet({ open, ...props }: ModifierSheetProps) {
  const { productId, onClose } = props;
  const t = useT();
  const title = useId();
  const modal = useModal(open, onClose);
  const api = useApi();
  const { data: product, error } = useQuery(productQuery(api, productId));
  // Waited for, so that nothing moves when it comes.
  const { data: last, isPending } = useQuery(lastChoiceQuery(api, productId));
  return (
    <dialog {...modal} className={sheetClass} aria-labelledby={title}>
      <div className="flex min-h-80 flex-col">
        <header className="sticky top-0 z-10 flex items-center gap-4 border-line border-b bg-raised py-3 pr-3 pl-5">
          {product ? <SheetHead product={product} id={title} /> : <SkeletonText lines={2} className="grow" />}
          <IconButton icon="close" label={t('ui.close')} onClick={onClose} />
        </header>
        {product && !isPending && <SheetForm {...props} product={product} last={last} />}
        {error && !product && (
          <Notice tone="bad" className="m-5">
            {errorText(error, t)}
          </Notice>
        )}
      </div>
    </dialog>
  );
}

function SheetHead({ product, id }: { product: Product; id: string }) {
  const locale = useLocale();
  const image = product.mediaInfo.imageInfos[0];
  return (
    <>
      {image && (
        <span className="w-14 flex-none">
          <Picture image={image} sizes="3.5rem" alt="" shape="square" />
        </span>
      )}
      <div className="min-w-0 grow leading-snug">
        <h2 id={id} className="text-lg">
          {inLocale(product.nameContent, locale)}
        </h2>
        <Price priceInfo={product.priceInfo} className="text-ink-soft text-sm" />
      </div>
    </>
  );
}

interface SheetFormProps extends Omit<ModifierSheetProps, 'open' | 'productId'> {
  product: Product;
  last: LastChoice | null | undefined;
}

function SheetForm({ product, last, line, storeId, save, onClose }: SheetFormProps) {
  const t = useT();
  const { specification, modifierGroups = [], productName } = product;
  const [choice, setChoice] = useState(() => chooseFrom(product, choiceIn(line?.optionPairs ?? '')));
  const [quantity, setQuantity] = useState(line?.quantity ?? 1);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const optionPairs = pairsOf(choice);
  const sku = skuOf(product, choice);
  const price = priceOf(product, choice);
  const modifiers = useModifiers({ productId: product.id, groups: modifierGroups, optionPairs, storeId, from: line });
  const unitPrice = price.price + modifiers.price;
  const submit = async () => {
    if (busy || !sku?.inStock) return;
    setBusy(true);
    setProblem(undefined);
    const item = { sku: sku.sku, product: product.id, productName, optionPairs, quantity, unitPrice };
    try {
      const saved = await modifiers.send((chosen) => save({ ...item, ...chosen }));
      if (saved) onClose();
    } catch (error) {
      setProblem(errorText(error, t));
    } finally {
      setBusy(false);
    }
  };
  return (
    <form
      ref={modifiers.ref}
      noValidate
      className="flex grow flex-col"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <div className="flex grow flex-col gap-7 px-5 py-5">
        {!line && last && (
          <SameAsLastTime
            {...{ modifiers, last }}
            onTake={(same) => setChoice(chooseFrom(product, choiceIn(same.optionPairs)))}
            className="self-start"
          />
        )}
        {specification.options.length > 0 && <OptionPicker product={product} choice={choice} onChange={setChoice} />}
        <ModifierFields modifiers={modifiers} price={price} />
      </div>
      <SheetFoot
        {...{ quantity, setQuantity, busy, problem }}
        price={{ ...price, price: unitPrice }}
        soldOut={!sku?.inStock}
        changes={line !== undefined}
      />
    </form>
  );
}

interface SheetFootProps {
  quantity: number;
  setQuantity: (quantity: number) => void;
  /** Of a unit, with modifiers. */
  price: PriceInfo;
  soldOut: boolean;
  changes: boolean;
  busy: boolean;
  problem: string | undefined;
}

function SheetFoot({ quantity, setQuantity, price, soldOut, changes, busy, problem }: SheetFootProps) {
  const t = useT();
  const amount = formatMoney(price.price * quantity, useLocale(), price.currency);
  return (
    <footer className="sticky bottom-0 z-10 border-line border-t bg-raised px-5 pt-3 pb-[max(0.75rem,env(safe-area-inset-bottom))]">
      {problem && (
        <Notice tone="bad" className="mb-3">
          {problem}
        </Notice>
      )}
      <div className="flex gap-3">
        <QuantityStepper value={quantity} onChange={(next) => setQuantity(Math.max(next, 1))} />
        <Button type="submit" className="flex-1 whitespace-nowrap px-3" busy={busy} aria-disabled={soldOut || undefined}>
          {soldOut ? t('card.soldOut') : t(changes ? 'modifiers.save' : 'modifiers.add', { amount })}
        </Button>
      </div>
    </footer>
  );
}
