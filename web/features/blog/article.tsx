import { useContext, useEffect, useState } from 'react';
import { inLocale } from '#contract/locales.ts';
import type { ArticlePart } from '#contract/schemas/blog.ts';
import type { ProductSummary } from '#contract/schemas/catalogue.ts';
import type { ImageInfo } from '#contract/schemas/common.ts';
import { LinkButton } from '#ui/button.tsx';
import { cx } from '#ui/cx.ts';
import { useLocale, useT } from '#ui/i18n.tsx';
import { Link } from '#ui/link.tsx';
import { CardAction } from '#web/lib/card-action.ts';
import { urls } from '#web/lib/urls.ts';
import { Picture } from '#web/ui/picture.tsx';
import { Price } from '#web/ui/price.tsx';
import { RichText } from '#web/ui/rich-text.tsx';

export function Article({ parts }: { parts: readonly ArticlePart[] }) {
  return (
    <div className="article">
      {parts.map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of an article have no identity and never change order
        <Part key={index} part={part} />
      ))}
    </div>
  );
}

const pictureSizes = '(min-width: 60rem) 800px, 92vw';
/** Wide images extend beyond the text if there is room. */
const wideClass = 'menu:-mx-24';
const captionClass = 'mt-3 text-[length:var(--text-sm)] text-ink-soft';
const quoteClass = 'text-pretty font-serif text-xl/[1.4] zh:break-keep zh:leading-[1.6]';

function Part({ part }: { part: ArticlePart }) {
  switch (part.type) {
    case 'paragraph':
      return <p>{part.text}</p>;
    case 'heading':
      return part.level === 2 ? <h2>{part.text}</h2> : <h3>{part.text}</h3>;
    case 'image':
      return (
        <figure className={cx('my-12', isWide(part.image) && wideClass)}>
          <Picture image={part.image} alt={part.alt} sizes={pictureSizes} className="max-h-192" />
          {part.caption && <figcaption className={captionClass}>{part.caption}</figcaption>}
        </figure>
      );
    case 'list': {
      const List = part.ordered ? 'ol' : 'ul';
      return (
        <List className={cx('pl-[1.5em]', part.ordered ? 'list-decimal' : 'list-disc')}>
          {part.items.map((item, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: as above
            <li key={index}>{item}</li>
          ))}
        </List>
      );
    }
    case 'quote':
      return (
        <figure className="my-12 border-action border-l-2 pl-6">
          <blockquote className={quoteClass}>
            <p>{part.text}</p>
          </blockquote>
          {part.source && <figcaption className={captionClass}>{part.source}</figcaption>}
        </figure>
      );
    case 'html':
      return <RichText html={part.html} />;
    case 'product':
      return <ProductPart product={part.product} />;
  }
}

/** Landscape images are wider than the text; others would fill the screen. */
function isWide({ width, height }: ImageInfo): boolean {
  return width / height >= 1.3;
}

const boxClass = 'my-8 grid grid-cols-[6rem_minmax(0,1fr)] items-center gap-4 product:grid-cols-[6rem_minmax(0,1fr)_auto]';

function ProductPart({ product }: { product: ProductSummary }) {
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
  if (product.inStoreOnly) return <p className="whitespace-pre-line text-ink-soft text-sm">{product.note}</p>;
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
