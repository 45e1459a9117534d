import { inLocale } from '#contract/locales.ts';
import { LinkButton } from '#ui/button.tsx';
import { useLocale, useT } from '#ui/i18n.tsx';
import { Link } from '#ui/link.tsx';
import { BlockFrame, type BlockProps } from '#web/blocks/block-view.tsx';
import { urls } from '#web/lib/urls.ts';
import { Picture, pageSizes } from '#web/ui/picture.tsx';
import { Price } from '#web/ui/price.tsx';

/** One product with its picture beside the words, such as the product of the week. */
export function FeaturedProductBlock({
  block: { title, product, text },
  first,
}: BlockProps<'featuredProduct'>) {
  const t = useT();
  const name = inLocale(product.nameContent, useLocale());
  const [image] = product.mediaInfo.imageInfos;
  const words = text || product.shortDesciption;
  return (
    <BlockFrame className="section grid items-center gap-x-12 gap-y-6 product:grid-cols-2">
      {image && (
        // The name beside it leads there too.
        <Link href={urls.product(product.id)} tabIndex={-1} aria-hidden>
          <Picture
            image={image}
            alt=""
            shape="square"
            sizes={pageSizes(0.48, '(min-width: 48rem) 46vw, 92vw')}
            priority={first}
          />
        </Link>
      )}
      <div className="flex max-w-prose flex-col items-start gap-3">
        {title && <p className="text-ink-soft">{title}</p>}
        <h2>
          <Link href={urls.product(product.id)} className="hover:underline">
            {name}
          </Link>
        </h2>
        {words && <p className="whitespace-pre-line text-lg">{words}</p>}
        <p>
          <Price priceInfo={product.priceInfo} size="large" />
          {product.inventory.quantity === 0 && <span className="ml-3 text-ink-soft">{t('ui.soldOut')}</span>}
        </p>
        <LinkButton href={urls.product(product.id)} className="mt-2">
          {t('block.featuredProduct.view')}
        </LinkButton>
      </div>
    </BlockFrame>
  );
}
