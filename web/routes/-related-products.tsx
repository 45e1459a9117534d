import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import type { Product } from '#contract/schemas/catalogue.ts';
import { useT } from '#ui/i18n.tsx';
import { Section } from '#ui/layout.tsx';
import { useCartStore } from '#web/features/cart/use-cart.ts';
import { CardGrid } from '#web/features/catalogue/card-grid.tsx';
import { relatedQuery } from '#web/features/product/queries.ts';
import { chooseFrom } from '#web/features/product/selection.ts';
import { SetOffer, useProductSet } from '#web/features/product/set-offer.tsx';
import { useApi } from '#web/lib/api.ts';
import { ProductGridSkeleton } from '#web/ui/product-grid.tsx';

/** One row on a desktop, two on a phone. */
const relatedShown = 4;

/** Products that go with a product: first as a set with it, then others, each for itself. */
export function RelatedProducts({ product }: { product: Product }) {
  const t = useT();
  const api = useApi();
  const cart = useCartStore();
  const asked = useSearch({ strict: false }) as Record<string, unknown>;
  const { data, isError } = useQuery(relatedQuery(api, product.id));
  const set = useProductSet(product, chooseFrom(product, asked));
  const shown = set.pieces.map(({ id }) => id);
  const others = isError ? [] : set.isPending ? undefined : data?.filter(({ id }) => !shown.includes(id));
  return (
    <>
      <SetOffer set={set} addSet={(body) => cart.change(() => api.call('addSetToCart', { body }))} />
      {others?.length !== 0 && (
        <Section title={t('product.related')}>
          {others ? <CardGrid products={others.slice(0, relatedShown)} /> : <ProductGridSkeleton count={relatedShown} />}
        </Section>
      )}
    </>
  );
}
