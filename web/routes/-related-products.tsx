import { useQuery } from '@tanstack/react-query';
import { CardGrid } from '#web/features/catalogue/card-grid.tsx';
import { relatedQuery } from '#web/features/product/queries.ts';
import { useT } from '#web/i18n/i18n.tsx';
import { useApi } from '#web/lib/api-context.tsx';
import { Section } from '#web/ui/layout.tsx';
import { ProductGridSkeleton } from '#web/ui/product-grid.tsx';

/** One row on a desktop, two on a phone. */
const relatedShown = 4;

/** Products that go with a product. */
export function RelatedProducts({ id }: { id: string }) {
  const t = useT();
  const { data, isPending } = useQuery(relatedQuery(useApi(), id));
  if (data?.length === 0 || (!data && !isPending)) return null;
  return (
    <Section title={t('product.related')}>
      {data ? <CardGrid products={data.slice(0, relatedShown)} /> : <ProductGridSkeleton count={relatedShown} />}
    </Section>
  );
}
