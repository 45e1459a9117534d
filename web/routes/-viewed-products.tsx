import { useQueries } from '@tanstack/react-query';
import { useHydrated } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import type { Product, ProductSummary } from '#contract/schemas/catalogue.ts';
import { useT } from '#ui/i18n.tsx';
import { Section } from '#ui/layout.tsx';
import { CardGrid } from '#web/features/catalogue/product-card.tsx';
import { productQuery } from '#web/features/product/queries.ts';
import { useApi } from '#web/lib/api.ts';
import { viewedProducts } from '#web/lib/device-list.ts';
import { ProductGridSkeleton } from '#web/ui/product-grid.tsx';

/** Without those that are gone; `otherwise` if there are none, and in the server's page, because only the browser knows them. */
export function ViewedProducts({ otherwise }: { otherwise: ReactNode }) {
  return useHydrated() ? <KnownProducts otherwise={otherwise} /> : otherwise;
}

function KnownProducts({ otherwise }: { otherwise: ReactNode }) {
  const t = useT();
  const api = useApi();
  const [ids] = useState(viewedProducts.read);
  const found = useQueries({ queries: ids.map((id) => productQuery(api, id)) });
  const products = found.flatMap(({ data }) => (data ? [cardOf(data)] : []));
  const loading = found.some(({ isPending }) => isPending);
  if (!loading && products.length === 0) return otherwise;
  return (
    <Section title={t('recent.products')} className="pt-0!">
      {loading ? (
        <ProductGridSkeleton count={ids.length} mobileRow />
      ) : (
        <CardGrid products={products} mobileRow />
      )}
    </Section>
  );
}

function cardOf(product: Product): ProductSummary {
  const swatches = product.specification.options.flatMap(({ values }) =>
    values.flatMap(({ value, valueContent, color, image }) =>
      color === null ? [] : [{ value, valueContent, color, image }],
    ),
  );
  return { ...product, swatches };
}
