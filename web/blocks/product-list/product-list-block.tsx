import { CardGrid } from '#web/features/catalogue/card-grid.tsx';
import { useT } from '#web/i18n/i18n.tsx';
import { Link } from '#web/lib/link.tsx';
import { Frame, Section } from '#web/ui/layout.tsx';
import type { BlockProps } from '../registry.ts';
import { collectionUrl } from './collection-url.ts';

/** SPEC §2, §3: products of a collection, and the way to all of them. Empty, it is left out. */
export function ProductListBlock({ block: { title, uiAttribute, products }, first }: BlockProps<'productList'>) {
  const t = useT();
  if (products.length === 0) return null;
  return (
    <Frame>
      <Section
        title={title}
        more={
          <Link
            href={collectionUrl(uiAttribute)}
            className="text-action"
            aria-label={title ? t('block.seeMoreOf', { name: title }) : undefined}
          >
            {t('block.seeMore')}
          </Link>
        }
      >
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
