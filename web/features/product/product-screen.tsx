import { useHydrated } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';
import { inLocale } from '#contract/locales.ts';
import type { Inventory, Product } from '#contract/schemas/catalogue.ts';
import { Accordion } from '#ui/accordion.tsx';
import { useLocale, useT } from '#ui/i18n.tsx';
import { Icon, type IconPath } from '#ui/icon.tsx';
import { Breadcrumbs, type Crumb, Frame, Skeleton, SkeletonText } from '#ui/layout.tsx';
import { Link } from '#ui/link.tsx';
import { Notice } from '#ui/notice.tsx';
import { lazyWithPreload } from '#web/lib/lazy-view.tsx';
import { urls } from '#web/lib/urls.ts';
import { Badge, Price } from '#web/ui/price.tsx';
import { BuyBox } from './buy-box.tsx';
import { Gallery } from './gallery.tsx';
import { OptionPicker } from './option-picker.tsx';
import { type Choice, pictureOf, priceOf } from './selection.ts';
import { StockLine, storesId, useStock } from './stock-line.tsx';
import type { AddToCart } from './use-buying.ts';
import { Alternatives, ModifiedBuy, ProductFolds, ProductMore } from './views-on-demand.ts';

interface ProductScreenProps {
  product: Product;
  choice: Choice;
  onChoose: (choice: Choice) => void;
  cart: AddToCart;
  crumbs: Crumb[];
  related: ReactNode;
}

/** A product: on a phone, image, name, price, options, stock and the cart button fit without scrolling. */
export function ProductScreen({ product, choice, onChoose, cart, crumbs, related }: ProductScreenProps) {
  const { options } = product.specification;
  const name = inLocale(product.nameContent, useLocale());
  const stock = useStock(product, choice);
  const Buy = product.modifierGroups?.length ? ModifiedBuy : BuyBox;
  const price = stock.live?.priceInfo ?? priceOf(product, choice);
  return (
    <>
      <Frame className="pt-4">
        <Breadcrumbs items={[...crumbs, { label: name }]} />
        <div className="product-top">
          <Gallery product={product} choice={choice} onChoose={onChoose} />
          <div className="product-buy">
            <ProductHeading {...{ product, name, price }} />
            {options.length > 0 && (
              <div className="flex flex-col gap-4">
                <OptionPicker product={product} choice={choice} onChange={onChoose} />
              </div>
            )}
            <div className="flex flex-col gap-1">
              <StockLine stock={stock} inStoreOnly={product.inStoreOnly} />
              {product.served && <p>{product.served.text}</p>}
              {!product.inStoreOnly && (
                <Promises
                  live={stock.live}
                  ships={stock.status === 'InStock' && !stock.backorder && stock.live?.shippable !== 0}
                />
              )}
              {product.returns && <ReturnsLine returns={product.returns} />}
            </div>
            <Buy
              {...{ product, choice, price, stock, cart, onChoose }}
              picture={pictureOf(product, choice) ?? product.mediaInfo.imageInfos[0]}
            />
            {stock.status !== 'InStock' && <Alternatives product={product} choice={choice} />}
            <p className="max-w-text">{product.shortDesciption}</p>
            {product.howToGet && (
              <Notice icon="cup" silent>
                {product.howToGet}
              </Notice>
            )}
            <div>
              <StoreStock live={stock.live} />
              <ProductFolds product={product} />
            </div>
          </div>
        </div>
      </Frame>
      <ProductMore product={product} />
      <Frame id="related" className="scroll-mt-28">
        {related}
      </Frame>
    </>
  );
}

interface ProductHeadingProps {
  product: Product;
  name: string;
  price: ReturnType<typeof priceOf>;
}

function ProductHeading({ product: { brand, badges }, name, price }: ProductHeadingProps) {
  return (
    <header>
      <p className="flex items-center gap-3 text-ink-soft text-sm">
        <Link href={urls.brand(brand.name)} className="-my-1 py-1 hover:text-ink">
          {inLocale(brand.nameContent, useLocale())}
        </Link>
        {badges.map((badge) => (
          <Badge key={badge} badge={badge} />
        ))}
      </p>
      <h1 tabIndex={-1} className="mt-1">
        {name}
      </h1>
      <p className="mt-2">
        <Price priceInfo={{ ...price, from: false }} size="large" />
      </p>
    </header>
  );
}

const returnIcon: IconPath = 'M9 14l-4-4l4-4M5 10h9a5 5 0 0 1 0 10h-3';

/** What the shop says about returns, and where it says more. */
function ReturnsLine({ returns: { textContent, link } }: { returns: NonNullable<Product['returns']> }) {
  return (
    <p className="flex gap-2 text-sm">
      <Icon name={returnIcon} size={18} className="mt-0.5 text-ink-soft" />
      <Link href={link} className="link -my-1 py-1">
        {inLocale(textContent, useLocale())}
      </Link>
    </p>
  );
}

/** Placeholders for a product page, in its final shape. */
export function ProductSkeleton() {
  return (
    <Frame className="pt-4">
      <SkeletonText lines={1} className="max-w-56 text-sm" />
      <div className="product-top">
        <div className="gallery">
          <Skeleton className="aspect-square" />
        </div>
        <div className="product-buy">
          <SkeletonText lines={1} className="max-w-24 text-sm" />
          <SkeletonText lines={1} className="max-w-80 text-2xl" />
          <SkeletonText lines={1} className="max-w-24 text-xl" />
          <Skeleton className="h-12" />
          <SkeletonText lines={4} />
        </div>
      </div>
    </Frame>
  );
}

/** The rows in their final height, which no page contains: what they say is asked for by the browser. */
const placeholder = (
  <>
    <p className="flex min-h-[2lh] gap-2 text-sm">
      <Icon name="truck" size={18} className="mt-0.5 text-ink-soft" />
      <SkeletonText lines={2} className="w-56" />
    </p>
    <p className="flex min-h-[2lh] gap-2 text-ink-soft text-sm wide:min-h-[1lh]">
      <Icon name="store" size={18} className="mt-0.5" />
      <SkeletonText lines={1} className="w-56" />
    </p>
  </>
);

const PromiseRows = lazyWithPreload(async () => (await import('./promise-rows.tsx')).PromiseRows, 'more', placeholder);

/** When a product arrives, and where it can be picked up. The code loads after the first view, as its answers do. */
function Promises(props: { live: Inventory | undefined; ships: boolean }) {
  const hydrated = useHydrated();
  useEffect(() => {
    // If it fails to load now, it is requested again as soon as the rows render.
    PromiseRows.preload().catch(() => {});
  }, []);
  return hydrated ? <PromiseRows {...props} /> : placeholder;
}

const storeLines = <SkeletonText lines={4} />;

/** In the file of the rows above, which has loaded by the time that stock has. */
const StoreList = lazyWithPreload(async () => (await import('./promise-rows.tsx')).StoreList, 'more', storeLines);

/** The stock of each store. The line has its final height while it loads. */
function StoreStock({ live }: { live: Inventory | undefined }) {
  const t = useT();
  const stores = live?.inventoryStoreInfos ?? [];
  const having = stores.filter(({ number }) => number > 0).length;
  const summary = having > 0 ? t('product.stores.have', { count: having }) : t(live ? 'product.stores.none' : 'product.stores');
  return (
    <Accordion summary={summary}>
      {/* A link to content of a closed fold opens it. */}
      <div id={storesId} className="scroll-mt-28">
        {live ? <StoreList live={live} /> : storeLines}
      </div>
    </Accordion>
  );
}
