/** Choosing modifiers, and the sheet over a menu or the cart in which it is done. */
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useId, useRef, useState } from 'react';
import { inLocale, type Locale } from '#contract/locales.ts';
import {
  type ChosenModifier,
  canonicalSelections,
  chooseModifiers,
  defaultSelections,
  groupsById,
  type ModifiedProduct,
  type Selection,
} from '#contract/rules/modifiers.ts';
import type { PriceInfo, Product } from '#contract/schemas/catalogue.ts';
import type { LastChoice, ModifierGroup, ModifierSelection } from '#contract/schemas/modifiers.ts';
import type { CartItem, LineItem } from '#contract/schemas/order.ts';
import { Button, IconButton } from '#ui/button.tsx';
import { cx } from '#ui/cx.ts';
import { useModal } from '#ui/dialog.tsx';
import { errorText, type FieldTexts, fieldErrorsOf, fieldTexts } from '#ui/errors.ts';
import { focusFirstInvalid } from '#ui/field.tsx';
import { formatMoney } from '#ui/format.ts';
import { useLocale, useT } from '#ui/i18n.tsx';
import { SkeletonText } from '#ui/layout.tsx';
import { ModifierFields } from '#ui/modifier-fields.tsx';
import { Notice } from '#ui/notice.tsx';
import { announce } from '#ui/page.tsx';
import { QuantityStepper } from '#ui/quantity-stepper.tsx';
import { type ApiClient, useApi } from '#web/lib/api.ts';
import { Picture } from '#web/ui/picture.tsx';
import { Price } from '#web/ui/price.tsx';
import { productQuery } from './queries.ts';
import { choiceIn, chooseFrom, OptionPicker, pairsOf, priceOf, skuOf } from './selection.tsx';

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

/** Milliseconds until the sheet opens without its content. */
const patienceMs = 500;
/** A sheet that opened without its content has its height already, so that nothing moves when the content comes. */
const waitingClass = 'h-[80dvh] max-product:h-[92dvh]';

/** A product as the customer likes it: options, modifiers, note and quantity, and the button that orders it so. */
export function ModifierSheet({ open, ...props }: ModifierSheetProps) {
  const { productId, onClose } = props;
  const t = useT();
  const title = useId();
  const api = useApi();
  const { data: product, error } = useQuery(productQuery(api, productId));
  // Waited for, so that nothing moves when it comes.
  const { data: last, isPending } = useQuery(lastChoiceQuery(api, productId));
  const loaded = error !== null || (product !== undefined && !isPending);
  const [opensEmpty, setOpensEmpty] = useState(false);
  useEffect(() => {
    if (loaded) return;
    const timer = setTimeout(() => setOpensEmpty(true), patienceMs);
    return () => clearTimeout(timer);
  }, [loaded]);
  const modal = useModal(open && (loaded || opensEmpty), onClose);
  return (
    <dialog {...modal} className={cx(sheetClass, opensEmpty && waitingClass)} aria-labelledby={title}>
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
  const modifiers = useModifiers({
    productId: product.id,
    groups: modifierGroups,
    optionPairs,
    storeId,
    from: line,
  });
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
        {specification.options.length > 0 && (
          <OptionPicker product={product} choice={choice} onChange={setChoice} />
        )}
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
        <Button
          type="submit"
          className="flex-1 whitespace-nowrap px-3"
          busy={busy}
          aria-disabled={soldOut || undefined}
        >
          {soldOut ? t('card.soldOut') : t(changes ? 'modifiers.save' : 'modifiers.add', { amount })}
        </Button>
      </div>
    </footer>
  );
}

/** What a line, or a customer's last order, was made of. */
export interface EarlierChoice {
  modifiers: readonly Selection[];
  note: string;
}

interface ModifiersOptions extends ModifiedProduct<ModifierGroup> {
  productId: string;
  /** What it begins with; the defaults without. */
  from?: EarlierChoice | undefined;
}

/** The modifiers and the note of a line while they are chosen, in a form that has `ref`; judged and priced at every change. */
export function useModifiers({ productId, from, ...product }: ModifiersOptions) {
  const t = useT();
  const locale = useLocale();
  const api = useApi();
  const client = useQueryClient();
  const ref = useRef<HTMLFormElement>(null);
  const [selections, setSelections] = useState<readonly Selection[]>(() =>
    from ? offeredOf(product, from.modifiers) : defaultSelections(product),
  );
  const [note, setNote] = useState(from?.note ?? '');
  const [tried, setTried] = useState(false);
  const [rejected, setRejected] = useState<FieldTexts>({});
  const { price, errors } = chooseModifiers(product, selections, locale);
  // What is missing is said once somebody tries to order it; what is too much, at once.
  const shown = Object.entries(errors).filter(
    ([, error]) => tried || (typeof error === 'object' && error.key === 'rule.modifiersTooMany'),
  );
  const select = (next: readonly Selection[]) => {
    setSelections(next);
    setRejected({});
  };
  const point = () => void requestAnimationFrame(() => focusFirstInvalid(ref.current));

  /** Sends what was chosen. Null if it is not complete, or the shop rejected a choice: the form says so at its place. */
  const send = async <T,>(
    call: (chosen: { modifiers: ModifierSelection[]; note: string }) => Promise<T>,
  ): Promise<T | null> => {
    setTried(true);
    if (Object.keys(errors).length > 0) {
      point();
      return null;
    }
    try {
      return await call({ modifiers: canonicalSelections(selections), note: note.trim() });
    } catch (error) {
      const texts = fieldErrorsOf(error);
      setRejected(texts);
      // A price or a modifier may have changed since the product was loaded.
      await client.invalidateQueries({ queryKey: productQuery(api, productId).queryKey });
      if (!Object.keys(texts).some((path) => /^(?:modifiers|note)\b/.test(path))) throw error;
      point();
      return null;
    }
  };
  return {
    ref,
    product,
    selections,
    price,
    note,
    setNote,
    select,
    errors: { ...fieldTexts(Object.fromEntries(shown), t), ...rejected },
    send,
    take: (choice: EarlierChoice) => {
      select(offeredOf(product, choice.modifiers));
      setNote(choice.note);
    },
  };
}

type Modifiers = ReturnType<typeof useModifiers>;

/** The names of modifiers, with those of what they opened. */
function namesOf(chosen: readonly ChosenModifier<ModifierGroup>[], locale: Locale): string[] {
  return chosen.flatMap(({ modifier, modifiers }) => [
    inLocale(modifier.nameContent, locale),
    ...namesOf(modifiers, locale),
  ]);
}

/** What is still offered of an earlier choice. */
export function offeredOf(
  product: ModifiedProduct<ModifierGroup>,
  choices: readonly Selection[],
  groups: readonly ModifierGroup[] = product.groups.filter(({ opened }) => !opened),
): Selection[] {
  return groups.flatMap(({ id, modifiers }) =>
    modifiers.flatMap((modifier) => {
      const choice = choices.find((each) => each.group === id && each.modifier === modifier.id);
      if (!choice) return [];
      const opened = groupsById(product.groups, modifier.opens);
      const { quantity = 1 } = choice;
      return [
        {
          group: id,
          modifier: modifier.id,
          quantity,
          modifiers: offeredOf(product, choice.modifiers ?? [], opened),
        },
      ];
    }),
  );
}

/** What the customer chose when they last ordered a product. Removed with the rest of their data when they sign out. */
export function lastChoiceQuery(api: ApiClient, product: string) {
  return queryOptions({
    queryKey: ['own', 'lastChoice', product],
    queryFn: ({ signal }) => api.call('lastChoice', { query: { product }, signal }),
    staleTime: 0,
    retry: false,
  });
}

interface SameAsLastTimeProps {
  modifiers: Modifiers;
  last: LastChoice;
  /** Chooses the options of the product as well. */
  onTake: (last: LastChoice) => void;
  className?: string;
}

/** Chooses what the customer chose when they last ordered the product; nothing if that is no longer offered. */
export function SameAsLastTime({ modifiers, last, onTake, className }: SameAsLastTimeProps) {
  const t = useT();
  const locale = useLocale();
  const { product, take } = modifiers;
  const { chosen, errors } = chooseModifiers(product, offeredOf(product, last.modifiers), locale);
  const choices = [...namesOf(chosen, locale), ...(last.note ? [last.note] : [])].join(t('ui.listSeparator'));
  if (choices === '' || Object.keys(errors).length > 0) return null;
  return (
    <Button
      variant="secondary"
      size="small"
      className={className}
      onClick={() => {
        take(last);
        onTake(last);
        announce(t('modifiers.lastTime.now', { choices }));
      }}
    >
      {t('modifiers.lastTime')}
      <span className="sr-only">
        {t('ui.listSeparator')}
        {choices}
      </span>
    </Button>
  );
}
