import { useContext, useEffect, useState } from 'react';
import { inLocale } from '#contract/locales.ts';
import type { ProductSummary } from '#contract/schemas/catalogue.ts';
import { useLocale, useT } from '#ui/i18n.tsx';
import { Link } from '#ui/link.tsx';
import { LinkButton } from '#ui/link-button.tsx';
import { CardAction } from '#web/lib/card-action.ts';
import { urls } from '#web/lib/urls.ts';
import { Picture } from '#web/ui/picture.tsx';
import { Price } from '#web/ui/price.tsx';

const boxClass = 'my-8 grid grid-cols-[6rem_minmax(0,1fr)] items-center gap-4 product:grid-cols-[6rem_minmax(0,1fr)_auto]';

/** A product within a post: image, name, fact, price and the way to the cart. */
export function ProductPart({ product }: { product: ProductSummary }) {
  const { nameContent, fact, mediaInfo, priceInfo } = product;
  const [image] = mediaInfo.imageInfos;
  return (
    <div className={`${boxClass} rounded-lg bg-surface-inset p-4`}>
      {image ? <Picture image={image} shape="square" sizes="6rem" alt="" /> : <span />}
      <div className="leading-normal">
        <p className="font-semibold">
          <Link href={urls.product(product.id)} className="hover:underline">
            {inLocale(nameContent, useLocale())}
          </Link>
        </p>
        {fact && <p className="text-ink-soft text-sm">{fact}</p>}
        <p>
          <Price priceInfo={priceInfo} />
        </p>
      </div>
      <div className="max-product:col-start-2">
        <Way product={product} />
      </div>
    </div>
  );
}

/** Adds the product; without scripts, and if something must be chosen first, it leads to the product's page. */
function Way({ product }: { product: ProductSummary }) {
  const t = useT();
  const name = inLocale(product.nameContent, useLocale());
  const Action = useContext(CardAction);
  const [ready, setReady] = useState(false);
  useEffect(() => {
    // If it fails to load, the link stays.
    Action?.preload().then(
      () => setReady(true),
      () => {},
    );
  }, [Action]);
  if (product.inventory.quantity === 0) return <p className="text-ink-soft text-sm">{t('card.soldOut')}</p>;
  if (product.inStoreOnly) return <p className="text-ink-soft text-sm">{t('card.inStoreOnly')}</p>;
  if (product.sku && Action && ready) return <Action product={product} sku={product.sku} text={t('blog.product.add')} />;
  return (
    <LinkButton
      href={urls.product(product.id)}
      variant="secondary"
      size="small"
      {...(product.sku ? { 'aria-label': t('quickAdd.add', { name }) } : {})}
    >
      {t(product.sku ? 'blog.product.add' : 'blog.product.options')}
    </LinkButton>
  );
}
