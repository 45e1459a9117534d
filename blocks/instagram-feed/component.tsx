import type { SocialPhoto } from '#contract/schemas/feeds.ts';
import { formatDate } from '#ui/format.ts';
import { useLocale, useT } from '#ui/i18n.tsx';
import { Icon } from '#ui/icon.tsx';
import { Section } from '#ui/layout.tsx';
import { isExternal, Link } from '#ui/link.tsx';
import { BlockFrame, type BlockProps } from '#web/blocks/block-view.tsx';
import { Picture } from '#web/ui/picture.tsx';
import { gridSizes, ProductGrid } from '#web/ui/product-grid.tsx';

const perMobileRow = 3;

/** The caption appears on hover and focus; screen readers get it as the image's text. */
const captionClass =
  'absolute inset-x-0 bottom-0 bg-photo-paper/92 px-4 py-3 text-photo-ink text-sm opacity-0 transition-opacity group-hover/photo:opacity-100 group-focus-visible/photo:opacity-100 max-product:hidden';

export function InstagramFeedBlock({
  block: { title, uiInstagramFeed, photos },
}: BlockProps<'instagramFeed'>) {
  if (photos.length === 0) return null;
  const shape = { perRow: uiInstagramFeed.numberPerRow, perMobileRow };
  return (
    <BlockFrame>
      <Section title={title}>
        <ProductGrid {...shape} className="gap-1! product:gap-2!">
          {photos.map((photo) => (
            <li key={photo.id}>
              <Photo photo={photo} sizes={gridSizes(shape)} />
            </li>
          ))}
        </ProductGrid>
      </Section>
    </BlockFrame>
  );
}

/** Instagram captions can be very long. */
const longestAlt = 160;

function Photo({ photo, sizes }: { photo: SocialPhoto; sizes: string }) {
  const t = useT();
  const locale = useLocale();
  const { image, permalink, link, timestamp } = photo;
  const letters = [...photo.caption];
  const caption =
    letters.length > longestAlt ? `${letters.slice(0, longestAlt).join('').trimEnd()}…` : photo.caption;
  const at = Date.parse(timestamp);
  const alt =
    caption ||
    (Number.isNaN(at)
      ? t('block.photo.undated')
      : t('block.photo', { date: formatDate(at, locale, 'UTC', 'date') }));
  const href = permalink ?? link;
  const leaves = isExternal(href);
  const picture = <Picture image={image} alt={alt} shape="square" sizes={sizes} />;
  if (!href) return picture;
  return (
    <Link href={href} className="group/photo relative block overflow-hidden">
      {picture}
      {caption && (
        <span className={captionClass} aria-hidden="true">
          {caption}
        </span>
      )}
      {leaves && (
        <span className="absolute top-2 right-2 flex rounded-full bg-photo-paper p-1 text-photo-ink">
          <Icon name="external" size={16} />
          <span className="sr-only"> {t('link.external')}</span>
        </span>
      )}
    </Link>
  );
}
