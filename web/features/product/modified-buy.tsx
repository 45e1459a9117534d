import { useQuery } from '@tanstack/react-query';
import { useHydrated } from '@tanstack/react-router';
import { cartForm } from '#contract/limits.ts';
import { formatMoney } from '#ui/format.ts';
import { useLocale, useT } from '#ui/i18n.tsx';
import { ModifierFields } from '#ui/modifier-fields.tsx';
import { useApi } from '#web/lib/api.ts';
import { BuyBox, type BuyBoxProps } from './buy-box.tsx';
import { lastChoiceQuery, SameAsLastTime, useModifiers } from './modifiers.tsx';
import { type Choice, choiceIn, chooseFrom, pairsOf } from './selection.tsx';

export interface ModifiedBuyProps extends BuyBoxProps {
  onChoose: (choice: Choice) => void;
}

/** What a product with modifiers asks for on its page, and the button that adds it to the cart so; without scripts, the form does. */
export function ModifiedBuy({ onChoose, ...props }: ModifiedBuyProps) {
  const { product, choice, price, stock, cart } = props;
  const last = useQuery(lastChoiceQuery(useApi(), product.id)).data;
  const t = useT();
  const locale = useLocale();
  // The cart is not known to the server's page.
  const hydrated = useHydrated();
  const modifiers = useModifiers({
    productId: product.id,
    groups: product.modifierGroups ?? [],
    optionPairs: pairsOf(choice),
    storeId: hydrated ? cart.storeId : null,
  });
  const unitPrice = price.price + modifiers.price;
  const whole = {
    ...price,
    price: unitPrice,
    listPrice: price.listPrice && price.listPrice + modifiers.price,
  };
  return (
    <form
      ref={modifiers.ref}
      method="post"
      action={`${cartForm}?lang=${locale}`}
      className="flex flex-col gap-6"
    >
      <input type="hidden" name="sku" value={stock.sku ?? ''} />
      <input type="hidden" name="product" value={product.id} />
      <div className="flex min-h-11 flex-wrap items-center justify-between gap-x-4">
        <h2 className="text-lg">{t('modifiers.title')}</h2>
        {last && (
          <SameAsLastTime
            {...{ modifiers, last }}
            onTake={({ optionPairs }) => onChoose(chooseFrom(product, choiceIn(optionPairs)))}
          />
        )}
      </div>
      <ModifierFields modifiers={modifiers} price={price} />
      <BuyBox
        {...props}
        price={whole}
        add={(item) => modifiers.send((chosen) => cart.add({ ...item, ...chosen, unitPrice }))}
        label={(quantity) =>
          t('modifiers.add', { amount: formatMoney(unitPrice * quantity, locale, price.currency) })
        }
      />
    </form>
  );
}
