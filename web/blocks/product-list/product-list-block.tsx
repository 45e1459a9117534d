import { CardGrid } from '#web/features/catalogue/card-grid.tsx';
import { useT } from '#web/i18n/i18n.tsx';
import { Frame, Section } from '#web/ui/layout.tsx';
import type { BlockProps } from '../registry.ts';
import { SeeMore } from '../see-more.tsx';
import { collectionUrl } from './collection-url.ts';

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
