import { useRouter } from '@tanstack/react-router';
import { memo, type ReactNode, type RefObject, useContext, useEffect, useState } from 'react';
import { inLocale } from '#contract/locales.ts';
import type { ProductSummary } from '#contract/schemas/catalogue.ts';
import type { ImageInfo } from '#contract/schemas/common.ts';
import { useLocale, useT } from '#ui/i18n.tsx';
import { Link } from '#ui/link.tsx';
import { savesData } from '#ui/page.tsx';
import { CardAction } from '#web/lib/card-action.ts';
import { useReturnFocus } from '#web/lib/return-focus.ts';
import { urls } from '#web/lib/urls.ts';
import { Picture, pageSizes } from '#web/ui/picture.tsx';
import { Badges, Price } from '#web/ui/price.tsx';
import { type GridShape, gridSizes, ProductGrid } from '#web/ui/product-grid.tsx';
import { Swatch } from '#web/ui/swatches.tsx';

interface ProductCardProps {
  product: ProductSummary;
  sizes: string;
  priority?: boolean;
}

/** The name's link covers the card. The second image, a colour's, and the button that adds load with a mouse's hover only. */
export const ProductCard = memo(function ProductCard({ product, sizes, priority = false }: ProductCardProps) {
  const t = useT();
  const Action = useContext(CardAction);
  const [near, setNear] = useState(false);
  const [colour, setColour] = useState<ImageInfo | null>(null);
  const [first, second] = product.mediaInfo.imageInfos;
  const over = colour ?? (product.swatches.length > 0 ? undefined : second);
  const soldOut = product.inventory.quantity === 0;
  const note = soldOut ? t('card.soldOut') : product.note;
  return (
    <article
      className="product-card"
      data-item={product.id}
      onPointerEnter={({ pointerType }) => setNear(pointerType === 'mouse')}
      onFocus={() => setNear(true)}
    >
      <div className="product-card-picture">
        {first && <Picture image={first} shape="square" sizes={sizes} alt="" priority={priority} />}
        {near && over && (
          <Picture
            key={over.imageURL}
            image={over}
            shape="square"
            sizes={sizes}
            alt=""
            className={colour ? 'absolute inset-0' : 'product-card-second'}
          />
        )}
        <Badges badges={product.badges} />
        {near && Action && product.sku && !soldOut && <Action product={product} sku={product.sku} />}
      </div>
      <div className="product-card-text">
        <h3 className="product-card-heading">
          <Link href={urls.product(product.id)} className="product-card-name">
            {inLocale(product.nameContent, useLocale())}
          </Link>
        </h3>
        {product.fact && <span className="text-ink-soft text-sm/[1.4]">{product.fact}</span>}
        <Price priceInfo={product.priceInfo} />
        {note && <span className="whitespace-pre-line text-ink-soft text-sm/[1.4]">{note}</span>}
        <CardSwatches product={product} onLook={setColour} />
      </div>
    </article>
  );
});

/** With more colours than these, the choice is no longer quick. */
const most = 4;

interface CardSwatchesProps {
  product: ProductSummary;
  onLook: (image: ImageInfo | null) => void;
}

/** With a mouse, each shows its image and links to the product in that colour. Too small for fingers, and too many tab stops for keyboards. */
function CardSwatches({ product: { id, swatches }, onLook }: CardSwatchesProps) {
  const t = useT();
  const locale = useLocale();
  if (swatches.length < 2) return null;
  return (
    <div
      className="-ml-1.5 flex items-center pointer-coarse:pointer-events-none"
      onPointerLeave={() => onLook(null)}
    >
      <span className="sr-only">{t('ui.colours', { count: swatches.length })}</span>
      {swatches.slice(0, most).map(({ value, valueContent, color, image }) => (
        <Link
          key={value}
          href={urls.product(id, { swatch: value })}
          tabIndex={-1}
          aria-hidden
          title={inLocale(valueContent, locale)}
          className="relative z-1 grid size-7 place-items-center"
          onPointerEnter={() => onLook(image)}
        >
          <Swatch color={color} />
        </Link>
      ))}
      {swatches.length > most && (
        <small aria-hidden className="ml-1 text-ink-soft">
          +{swatches.length - most}
        </small>
      )}
    </div>
  );
}

/** The part of a card that becomes part of the product's page in a view transition. */
const carried = '.product-card-picture';

interface CardGridProps extends GridShape {
  products: ProductSummary[];
  /** The first card is on the first screen. Its image then loads before those beside it. */
  priority?: boolean;
  featured?: boolean;
}

/** Of the large card, which is higher than wide, and whose image is square. */
const featuredSizes = pageSizes(0.58, '(min-width: 48rem) 59vw, 82vw');

export function CardGrid({ products, priority = false, featured = false, ...shape }: CardGridProps) {
  const sizes = gridSizes(shape);
  return (
    <ReturningGrid {...shape} className={featured ? 'featured-grid' : undefined}>
      {products.map((product, index) => (
        <li key={product.id}>
          <ProductCard
            product={product}
            sizes={featured && index === 0 ? featuredSizes : sizes}
            priority={priority && index === 0}
          />
        </li>
      ))}
    </ReturningGrid>
  );
}

export function ReturningGrid({
  children,
  ...shape
}: GridShape & { className?: string | undefined; children: ReactNode }) {
  const list = useReturnFocus<HTMLUListElement>(carried);
  useOpeningAtOnce(list);
  return (
    <ProductGrid {...shape} ref={list}>
      {children}
    </ProductGrid>
  );
}

/** Once the browser is idle, what opens a card at once is loaded, and the code of a product's page. Without it a card is a link. */
function useOpeningAtOnce(list: RefObject<HTMLElement | null>): void {
  const router = useRouter();
  useEffect(() => {
    if (savesData()) return;
    let end: (() => void) | undefined;
    const load = async () => {
      const { openAtOnce } = await import('./stand-in.ts');
      if (list.current) end = openAtOnce(router, list.current);
      await router.loadRouteChunk(router.routesById['/product/$id']);
    };
    // Not every browser says when it is idle.
    const { requestIdleCallback: whenIdle = setTimeout } = globalThis;
    whenIdle(() => void load().catch(() => {}));
    return () => end?.();
  }, [router, list]);
}
