import { inLocale } from '#contract/locales.ts';
import type { ProductSummary } from '#contract/schemas/catalogue.ts';
import type { ImageInfo } from '#contract/schemas/common.ts';
import { useLocale, useT } from '#ui/i18n.tsx';
import { Link } from '#ui/link.tsx';
import { urls } from '#web/lib/urls.ts';
import { Swatch } from '#web/ui/swatches.tsx';

/** With more colours than these, the choice is no longer quick. */
const most = 4;

interface CardSwatchesProps {
  product: ProductSummary;
  /** Called with the colour under the pointer, or null when the pointer leaves. */
  onLook: (image: ImageInfo | null) => void;
}

/**
 * The colours of a product. With a mouse, each shows its image and links to the product in that colour. They are too small for
 * fingers and would add too many tab stops, so touch and keyboard users have the card's link only.
 */
export function CardSwatches({ product: { id, swatches }, onLook }: CardSwatchesProps) {
  const t = useT();
  const locale = useLocale();
  if (swatches.length < 2) return null;
  return (
    <div className="-ml-1.5 flex items-center pointer-coarse:pointer-events-none" onPointerLeave={() => onLook(null)}>
      <span className="sr-only">{t('ui.colours', { count: swatches.length })}</span>
      {swatches.slice(0, most).map(({ value, valueContent, color, image }) => (
        <Link
          key={value}
          href={urls.product(id, { swatch: value })}
          tabIndex={-1}
          aria-hidden
          title={inLocale(valueContent, locale)}
          className="relative z-1 grid size-7 place-items-center"
          onPointerEnter={() => onLook(image)}
        >
          <Swatch color={color} />
        </Link>
      ))}
      {swatches.length > most && (
        <small aria-hidden className="ml-1 text-ink-soft">
          +{swatches.length - most}
        </small>
      )}
    </div>
  );
}
