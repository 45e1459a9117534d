/** SPEC §2: a product. The chosen combination of options is part of the address (`?Colour=Sea`). */
import { useSuspenseQuery } from '@tanstack/react-query';
import { createFileRoute, useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { inLocale } from '#contract/locales.ts';
import { useLocale } from '#ui/i18n.tsx';
import { useAddToCart } from '#web/features/cart/use-cart.ts';
import { categoryPath } from '#web/features/catalogue/category-crumbs.ts';
import { productJsonLd } from '#web/features/product/json-ld.ts';
import { ProductScreen, ProductSkeleton } from '#web/features/product/product-screen.tsx';
import { offerTermsQuery, productQuery, relatedQuery } from '#web/features/product/queries.ts';
import { type Choice, chooseFrom } from '#web/features/product/selection.ts';
import { ModifiedBuy, preloadBelowFold } from '#web/features/product/views-on-demand.ts';
import { orNotFound, useApi } from '#web/lib/api.ts';
import { pageHead } from '#web/lib/head.ts';
import { lazyOnView } from '#web/lib/lazy-view.tsx';
import { urls } from '#web/lib/urls.ts';
import type { RouterContext } from '#web/router.tsx';

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

const RelatedProducts = lazyOnView(async () => (await import('./-related-products.tsx')).RelatedProducts, 'more');

type Context = Pick<RouterContext, 'api' | 'queryClient'>;

async function loadProduct({ api, queryClient }: Context, id: string) {
  // A page without its terms is still a page.
  const terms = import.meta.env.SSR
    ? queryClient.query({ ...offerTermsQuery(api), staleTime: 'static' }).catch(() => undefined)
    : undefined;
  const product = orNotFound(queryClient.query({ ...productQuery(api, id), staleTime: 'static' }));
  const parts = import.meta.env.SSR && Promise.all([preloadBelowFold(), RelatedProducts.preload(), ModifiedBuy.preload()]);
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
  const locale = useLocale();
  const { data: product } = useSuspenseQuery(productQuery(useApi(), id));
  useEffect(() => {
    // Not on the first view. Without it, the product is only missing among those last viewed.
    void import('#web/lib/device-list.ts').then(
      ({ viewedProducts }) => viewedProducts.remember(id),
      () => undefined,
    );
  }, [id]);
  const choose = (choice: Choice) =>
    void navigate({ href: urls.product(id, choice), replace: true, resetScroll: false, viewTransition: false });
  return (
    <ProductScreen
      key={id}
      product={product}
      choice={chooseFrom(product, asked)}
      onChoose={choose}
      cart={useAddToCart()}
      crumbs={categoryPath(product.category, locale)}
      related={<RelatedProducts product={product} />}
    />
  );
}
