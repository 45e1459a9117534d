import { useT } from '#ui/i18n.tsx';
import { Section } from '#ui/layout.tsx';
import { BlockFrame, type BlockProps } from '#web/blocks/block-view.tsx';
import { CardGrid } from '#web/features/catalogue/product-card.tsx';
import { urls } from '#web/lib/urls.ts';
import { SeeMore } from '#web/ui/product-grid.tsx';
import type { ProductListAttribute } from './definition.ts';

/** SPEC §2, §3: the products of a collection, with a link to all of them. Hidden if there are none. */
export function ProductListBlock({
  block: { title, uiAttribute, products, layout, mobileRow },
  first,
}: BlockProps<'productList'>) {
  const t = useT();
  if (products.length === 0) return null;
  return (
    <BlockFrame>
      <Section
        title={title}
        unseenTitle={t('block.products')}
        more={<SeeMore href={collectionUrl(uiAttribute)} title={title} />}
      >
        <CardGrid
          products={products}
          perRow={uiAttribute.numberPerRow}
          perMobileRow={uiAttribute.numberPerMobileRow}
          priority={first}
          featured={layout === 'featured'}
          mobileRow={mobileRow ?? false}
        />
      </Section>
    </BlockFrame>
  );
}

type Collection = Pick<ProductListAttribute, 'collectiontype' | 'collectionname'>;

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
