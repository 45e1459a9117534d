import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { inLocale } from '#contract/locales.ts';
import type { Order } from '#contract/schemas/order.ts';
import { announce } from '#ui/announce.tsx';
import { IconButton } from '#ui/button.tsx';
import { errorText } from '#ui/errors.ts';
import { FieldError } from '#ui/field.tsx';
import { useLocale, useT } from '#ui/i18n.tsx';
import { Link } from '#ui/link.tsx';
import { useApi } from '#web/lib/api.ts';
import { urls } from '#web/lib/urls.ts';
import { Picture } from '#web/ui/picture.tsx';
import { Price } from '#web/ui/price.tsx';
import { productQuery, relatedQuery } from './queries.ts';
import type { AddToCart } from './use-buying.ts';

interface RelatedOfferProps {
  /** The product whose related products are offered. */
  productId: string;
  /** The cart as it is: nothing in it is offered. */
  order: Order;
  cart: AddToCart;
  /** Called with the cart after the offer was added. */
  onAdded: (order: Order) => void;
}

/** One related product that is not in the cart yet. One without options can be added here; others have a page to choose on. */
export function RelatedOffer({ productId, order, cart, onAdded }: RelatedOfferProps) {
  const t = useT();
  const locale = useLocale();
  const api = useApi();
  const errorId = useId();
  const [problem, setProblem] = useState<string>();
  const related = useQuery(relatedQuery(api, productId)).data?.find(
    ({ id, inventory, inStoreOnly }) =>
      inventory.quantity > 0 && !inStoreOnly && !order.lineItems.some(({ product }) => product === id),
  );
  const whole = useQuery({ ...productQuery(api, related?.id ?? ''), enabled: related !== undefined }).data;
  if (!related) return null;
  const name = inLocale(related.nameContent, locale);
  const sku = whole?.specification.options.length === 0 ? whole.skus.find(({ inStock }) => inStock) : undefined;
  const add = async () => {
    if (!sku || cart.pending) return;
    try {
      const item = { sku: sku.sku, product: related.id, productName: related.productName, optionPairs: '', quantity: 1 };
      onAdded(await cart.add(item));
      setProblem(undefined);
      announce(t('product.added.said', { count: 1, name }));
    } catch (error) {
      setProblem(errorText(error, t));
    }
  };
  const [image] = related.mediaInfo.imageInfos;
  return (
    <section className="border-line border-t pt-5">
      <h3>{t('product.related')}</h3>
      <div className="mt-3 flex items-center gap-4">
        {image && (
          <div className="w-18 flex-none">
            <Picture image={image} shape="square" sizes="5rem" alt="" />
          </div>
        )}
        <p className="grow leading-normal">
          <Link href={urls.product(related.id)} className="block hover:underline">
            {name}
          </Link>
          <Price priceInfo={related.priceInfo} />
        </p>
        {sku && (
          <IconButton
            icon="plus"
            label={t('product.added.add', { name })}
            aria-describedby={problem && errorId}
            aria-disabled={cart.pending}
            onClick={() => void add()}
          />
        )}
      </div>
      <FieldError id={errorId}>{problem}</FieldError>
    </section>
  );
}
