import { useState } from 'react';
import { inLocale } from '#contract/locales.ts';
import { Button } from '#ui/button.tsx';
import { errorText } from '#ui/errors.ts';
import { useLocale, useT } from '#ui/i18n.tsx';
import { Icon } from '#ui/icon.tsx';
import { announce } from '#ui/page.tsx';
import type { CardActionProps } from '#web/lib/card-action.ts';
import { useAddToCart } from './use-cart.ts';

type Result = { kind: 'none' | 'added' } | { kind: 'failed'; text: string };

export function CardAdd({ product, sku, text }: CardActionProps) {
  const t = useT();
  const name = inLocale(product.nameContent, useLocale());
  const cart = useAddToCart();
  const [result, setResult] = useState<Result>({ kind: 'none' });
  const add = async () => {
    if (cart.pending) return;
    try {
      await cart.add({
        sku,
        product: product.id,
        productName: product.productName,
        optionPairs: '',
        quantity: 1,
      });
      setResult({ kind: 'added' });
      announce(t('quickAdd.added', { name }));
    } catch (error) {
      setResult({ kind: 'failed', text: errorText(error, t) });
      announce(errorText(error, t));
    }
  };
  const label = t('quickAdd.add', { name });
  const added = result.kind === 'added';
  if (text)
    return (
      <>
        <Button
          variant="secondary"
          size="small"
          aria-label={label}
          busy={cart.pending}
          done={added}
          onClick={() => void add()}
        >
          {text}
        </Button>
        {result.kind === 'failed' && <p className="mt-2 text-clay text-sm">{result.text}</p>}
      </>
    );
  // It appears when a mouse is over the card.
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
