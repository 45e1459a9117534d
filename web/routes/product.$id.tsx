/** SPEC §2: a product. The chosen combination of options is part of the address (`?Colour=Sea`). */
import { useSuspenseQuery } from '@tanstack/react-query';
import { createFileRoute, useHydrated, useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { ProductLead } from '#brand/browser.ts';
import { inLocale } from '#contract/locales.ts';
import type { Inventory, Product } from '#contract/schemas/catalogue.ts';
import { Accordion } from '#ui/accordion.tsx';
import { useLocale, useT } from '#ui/i18n.tsx';
import { Icon, type IconPath } from '#ui/icon.tsx';
import { Breadcrumbs, Frame, Skeleton, SkeletonText } from '#ui/layout.tsx';
import { Link } from '#ui/link.tsx';
import { Notice } from '#ui/notice.tsx';
import { useAddToCart } from '#web/features/cart/use-cart.ts';
import { categoryPath } from '#web/features/catalogue/category-crumbs.ts';
import { BuyBox } from '#web/features/product/buy-box.tsx';
import { Gallery } from '#web/features/product/gallery.tsx';
import { productJsonLd } from '#web/features/product/json-ld.ts';
import { offerTermsQuery, productQuery, relatedQuery } from '#web/features/product/queries.ts';
import {
  type Choice,
  chooseFrom,
  OptionPicker,
  pictureOf,
  priceOf,
} from '#web/features/product/selection.tsx';
import { StockLine, storesId, useStock } from '#web/features/product/stock-line.tsx';
import {
  Alternatives,
  ModifiedBuy,
  ProductFolds,
  ProductMore,
  preloadBelowFold,
} from '#web/features/product/views-on-demand.ts';
import { orNotFound, useApi } from '#web/lib/api.ts';
import { pageHead } from '#web/lib/head.ts';
import { lazyOnView, lazyWithPreload } from '#web/lib/lazy-view.tsx';
import { urls } from '#web/lib/urls.ts';
import type { RouterContext } from '#web/router.tsx';
import { Badge, Price } from '#web/ui/price.tsx';

export const Route = createFileRoute('/product/$id')({
  loader: async ({ context, params: { id } }) => {
    await loadProduct(context, id);
    loadTheRest(context, id);
  },
  head: ({ match, matches, params: { id } }) => {
    const { api, locale, origin, queryClient } = match.context;
    const product = queryClient.getQueryData(productQuery(api, id).queryKey);
    if (!product) return pageHead(matches, undefined);
    return pageHead(matches, {
      title: product.seoTitle ?? inLocale(product.nameContent, locale),
      bareTitle: product.seoTitle !== undefined,
      description: product.seoDescription ?? product.shortDesciption,
      image: product.mediaInfo.imageInfos[0],
      openGraphType: 'product',
      jsonLd: import.meta.env.SSR
        ? productJsonLd(product, {
            crumbs: categoryPath(product.category, locale),
            terms: queryClient.getQueryData(offerTermsQuery(api).queryKey),
            place: { origin, locale },
          })
        : undefined,
    });
  },
  component: ProductPage,
  pendingComponent: ProductSkeleton,
});

const RelatedProducts = lazyOnView(
  async () => (await import('./-related-products.tsx')).RelatedProducts,
  'more',
);

type Context = Pick<RouterContext, 'api' | 'queryClient'>;

async function loadProduct({ api, queryClient }: Context, id: string) {
  // A page without its terms is still a page.
  const terms = import.meta.env.SSR
    ? queryClient.query({ ...offerTermsQuery(api), staleTime: 'static' }).catch(() => undefined)
    : undefined;
  const product = orNotFound(queryClient.query({ ...productQuery(api, id), staleTime: 'static' }));
  const parts =
    import.meta.env.SSR &&
    Promise.all([preloadBelowFold(), RelatedProducts.preload(), ModifiedBuy.preload()]);
  await Promise.all([product, terms, parts]);
  // In the browser a product that has modifiers is shown with them.
  if ((await product).modifierGroups) await ModifiedBuy.preload();
}

/** Content further down loads later; the server leaves it to the browser. */
function loadTheRest({ api, queryClient }: Context, id: string) {
  if (import.meta.env.SSR) return;
  void queryClient.query({ ...relatedQuery(api, id), staleTime: 'static' }).catch(() => undefined);
  // Both are requested again when they are needed.
  void Promise.all([preloadBelowFold(), RelatedProducts.preload()]).catch(() => undefined);
}

function ProductPage() {
  const { id } = Route.useParams();
  const asked = Route.useSearch() as Record<string, unknown>;
  const navigate = useNavigate();
  const { data: product } = useSuspenseQuery(productQuery(useApi(), id));
  useEffect(() => {
    // Not on the first view. Without it, the product is only missing among those last viewed.
    void import('#web/lib/device-list.ts').then(
      ({ viewedProducts }) => viewedProducts.remember(id),
      () => undefined,
    );
  }, [id]);
  const choose = (choice: Choice) =>
    void navigate({
      href: urls.product(id, choice),
      replace: true,
      resetScroll: false,
      viewTransition: false,
    });
  return <ProductScreen key={id} product={product} choice={chooseFrom(product, asked)} onChoose={choose} />;
}

/** A product: on a phone, image, name, price, options, stock and the cart button fit without scrolling. */
function ProductScreen({
  product,
  choice,
  onChoose,
}: {
  product: Product;
  choice: Choice;
  onChoose: (choice: Choice) => void;
}) {
  const { options } = product.specification;
  const locale = useLocale();
  const name = inLocale(product.nameContent, locale);
  const cart = useAddToCart();
  const stock = useStock(product, choice);
  const Buy = product.modifierGroups?.length ? ModifiedBuy : BuyBox;
  const price = stock.live?.priceInfo ?? priceOf(product, choice);
  return (
    <>
      <Frame className="pt-4">
        <Breadcrumbs items={[...categoryPath(product.category, locale), { label: name }]} />
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
            <ProductLead product={product} />
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
        <RelatedProducts product={product} />
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
function ProductSkeleton() {
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

const PromiseRows = lazyWithPreload(
  async () => (await import('#web/features/product/promise-rows.tsx')).PromiseRows,
  'more',
  placeholder,
);

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
const StoreList = lazyWithPreload(
  async () => (await import('#web/features/product/promise-rows.tsx')).StoreList,
  'more',
  storeLines,
);

/** The stock of each store. The line has its final height while it loads. */
function StoreStock({ live }: { live: Inventory | undefined }) {
  const t = useT();
  const stores = live?.inventoryStoreInfos ?? [];
  const having = stores.filter(({ number }) => number > 0).length;
  const summary =
    having > 0
      ? t('product.stores.have', { count: having })
      : t(live ? 'product.stores.none' : 'product.stores');
  return (
    <Accordion summary={summary}>
      {/* A link to content of a closed fold opens it. */}
      <div id={storesId} className="scroll-mt-28">
        {live ? <StoreList live={live} /> : storeLines}
      </div>
    </Accordion>
  );
}
