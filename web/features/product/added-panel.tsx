import { useEffect, useRef } from 'react';
import { inLocale } from '#contract/locales.ts';
import type { PriceInfo, Product } from '#contract/schemas/catalogue.ts';
import type { ImageInfo } from '#contract/schemas/common.ts';
import { useLocale, useT } from '#web/i18n/i18n.tsx';
import { formatMoney } from '#web/lib/format.ts';
import { urls } from '#web/lib/urls.ts';
import { announce } from '#web/ui/announce.ts';
import { Button, IconButton } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { LinkButton } from '#web/ui/link-button.tsx';
import { Picture } from '#web/ui/picture.tsx';
import { type Choice, labelOf } from './selection.ts';
import type { Outcome } from './use-buying.ts';

interface AddedPanelProps {
  product: Product;
  choice: Choice;
  price: PriceInfo;
  picture: ImageInfo | undefined;
  outcome: Outcome;
  onClose: () => void;
}

/**
 * The item just added to the cart, with links to the cart and the checkout. It lies beside the page, not over it: focus stays
 * on the pressed button, and the panel is the next tab stop.
 */
export function AddedPanel({ product, choice, price, picture, outcome, onClose }: AddedPanelProps) {
  const t = useT();
  const locale = useLocale();
  const name = inLocale(product.nameContent, locale);
  const options = labelOf(product.specification.options, choice, locale, t);
  const added = outcome.kind === 'added' ? outcome : null;
  const said = added && t('product.added.said', { count: added.quantity, name: options ? `${name}, ${options}` : name });
  const last = useRef<Outcome | null>(null);
  useEffect(() => {
    // Adding the same item again is announced as well.
    if (said && last.current !== outcome) announce(said);
    last.current = outcome;
  }, [said, outcome]);
  if (!added) return null;
  return (
    <section className="added-panel" aria-label={t('product.added')} onKeyDown={({ key }) => key === 'Escape' && onClose()}>
      <header className="flex items-center justify-between">
        <h2 className="flex items-center gap-2 text-lg">
          <Icon name="check" size={20} className="text-action" />
          {t('product.added')}
        </h2>
        <IconButton icon="close" size="small" label={t('ui.close')} onClick={onClose} />
      </header>
      <div className="mt-3 flex gap-4">
        {picture && (
          <div className="w-20 flex-none">
            <Picture image={picture} shape="square" sizes="5rem" alt="" />
          </div>
        )}
        <p className="leading-normal">
          <span className="font-semibold">{name}</span>
          {options && <span className="block text-ink-soft">{options}</span>}
          <span className="block tabular-nums">
            {added.quantity} × {formatMoney(price.price, locale, price.currency)}
          </span>
        </p>
      </div>
      <div className="mt-4 flex gap-3">
        <LinkButton href={urls.cart()} size="small" className="flex-1">
          {t('product.goToCart')}
        </LinkButton>
        <Button variant="secondary" size="small" className="flex-1" onClick={onClose}>
          {t('product.goOn')}
        </Button>
      </div>
    </section>
  );
}
