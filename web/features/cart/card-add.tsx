import { useState } from 'react';
import { inLocale } from '#contract/locales.ts';
import { useLocale, useT } from '#web/i18n/i18n.tsx';
import { errorText } from '#web/lib/api-errors.ts';
import type { CardActionProps } from '#web/lib/card-action.ts';
import { announce } from '#web/ui/announce.ts';
import { Icon } from '#web/ui/icon.tsx';
import { useAddToCart } from './use-cart.ts';

/** Adds a product without options to the cart. For pointers only: it appears when a mouse is over the card. */
export function CardAdd({ product, sku }: CardActionProps) {
  const t = useT();
  const name = inLocale(product.nameContent, useLocale());
  const cart = useAddToCart();
  const [added, setAdded] = useState(false);
  const add = async () => {
    if (cart.pending) return;
    try {
      await cart.add({ sku, product: product.id, productName: product.nameContent.en, optionPairs: '', quantity: 1 });
      setAdded(true);
      announce(t('quickAdd.added', { name }));
    } catch (error) {
      announce(errorText(error, t));
    }
  };
  const label = t('quickAdd.add', { name });
  return (
    <button
      type="button"
      tabIndex={-1}
      aria-label={label}
      title={label}
      aria-busy={cart.pending}
      onClick={() => void add()}
      className="absolute right-2 bottom-2 z-1 grid size-9 place-items-center rounded-md bg-photo-paper text-photo-ink shadow-lift pointer-coarse:hidden"
    >
      <Icon name={added ? 'check' : 'plus'} size={20} />
    </button>
  );
}
