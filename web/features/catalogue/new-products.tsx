import { useQuery } from '@tanstack/react-query';
import { useT } from '#ui/i18n.tsx';
import { Section } from '#ui/layout.tsx';
import { useApi } from '#web/lib/api.ts';
import { urls } from '#web/lib/urls.ts';
import { SeeMore } from '#web/ui/product-grid.tsx';
import { CardGrid } from './product-card.tsx';
import { newProductsQuery } from './queries.ts';

/** New arrivals, for pages that have nothing else to show. Hidden if there are none. */
export function NewProducts() {
  const t = useT();
  const { data } = useQuery(newProductsQuery(useApi()));
  if (!data?.products.length) return null;
  const title = t('list.title.new');
  return (
    <Section
      title={title}
      more={<SeeMore href={urls.productList({ newArrival: true })} title={title} />}
      className="pt-0!"
    >
      <CardGrid products={data.products} mobileRow />
    </Section>
  );
}
