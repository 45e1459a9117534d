import type { BlockProps } from '#web/blocks/block-view.ts';
import { SeeMore } from '#web/blocks/see-more.tsx';
import { CardGrid } from '#web/features/catalogue/card-grid.tsx';
import { useT } from '#web/i18n/i18n.tsx';
import { urls } from '#web/lib/urls.ts';
import { Frame, Section } from '#web/ui/layout.tsx';
import type { ProductListAttribute } from './definition.ts';

/** SPEC §2, §3: products of a collection, and the way to all of them. Empty, it is left out. */
export function ProductListBlock({ block: { title, uiAttribute, products }, first }: BlockProps<'productList'>) {
  const t = useT();
  if (products.length === 0) return null;
  return (
    <Frame>
      <Section title={title} unseenTitle={t('block.products')} more={<SeeMore href={collectionUrl(uiAttribute)} title={title} />}>
        <CardGrid
          products={products}
          perRow={uiAttribute.numberPerRow}
          perMobileRow={uiAttribute.numberPerMobileRow}
          priority={first ? uiAttribute.numberPerRow : 0}
        />
      </Section>
    </Frame>
  );
}

type Collection = Pick<ProductListAttribute, 'collectiontype' | 'collectionname'>;

/** SPEC §2: where 'see more' of a product list leads, by its collection type (SPEC §9). */
export function collectionUrl({ collectiontype, collectionname }: Collection): string {
  switch (collectiontype) {
    case 'tag':
      return urls.tag(collectionname);
    case 'brand':
      return urls.brand(collectionname);
    case 'category':
      return urls.category(collectionname);
    case 'clearance':
      return urls.clearance();
    case 'newArrival':
      return urls.productList({ newArrival: true });
  }
}
