import type { SocialPhoto } from '#contract/schemas/feeds.ts';
import { useLocale, useT } from '#web/i18n/i18n.tsx';
import { formatDate } from '#web/lib/format.ts';
import { Link } from '#web/lib/link.tsx';
import { isExternal } from '#web/lib/urls.ts';
import { Icon } from '#web/ui/icon.tsx';
import { Frame, Section } from '#web/ui/layout.tsx';
import { Picture } from '#web/ui/picture.tsx';
import { gridSizes, ProductGrid } from '#web/ui/product-grid.tsx';
import type { BlockProps } from '../registry.ts';

const perMobileRow = 3;

/** Photographs close together; each leads to where it was posted, or to what it shows. Without any, the block is left out. */
export function InstagramFeedBlock({ block: { title, uiInstagramFeed, photos } }: BlockProps<'instagramFeed'>) {
  if (photos.length === 0) return null;
  const shape = { perRow: uiInstagramFeed.numberPerRow, perMobileRow };
  return (
    <Frame>
      <Section title={title}>
        <ProductGrid {...shape} className="photo-grid">
          {photos.map((photo) => (
            <li key={photo.id}>
              <Photo photo={photo} sizes={gridSizes(shape)} />
            </li>
          ))}
        </ProductGrid>
      </Section>
    </Frame>
  );
}

/** Captions at Instagram may be whole letters. */
const longestAlt = 160;

function Photo({ photo, sizes }: { photo: SocialPhoto; sizes: string }) {
  const t = useT();
  const locale = useLocale();
  const { image, permalink, link, timestamp } = photo;
  const letters = [...photo.caption];
  const caption = letters.length > longestAlt ? `${letters.slice(0, longestAlt).join('').trimEnd()}…` : photo.caption;
  const at = Date.parse(timestamp);
  const alt =
    caption || (Number.isNaN(at) ? t('block.photo.undated') : t('block.photo', { date: formatDate(at, locale, 'UTC', 'date') }));
  const href = permalink ?? link;
  const leaves = isExternal(href);
  const picture = <Picture image={image} alt={alt} shape="square" sizes={sizes} />;
  if (!href) return picture;
  return (
    <Link href={href} className="photo">
      {picture}
      {caption && (
        <span className="photo-caption" aria-hidden="true">
          {caption}
        </span>
      )}
      {leaves && (
        <span className="photo-out">
          <Icon name="external" size={16} />
          <span className="sr-only"> {t('link.external')}</span>
        </span>
      )}
    </Link>
  );
}
