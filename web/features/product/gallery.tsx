import { type UIEvent, useEffect, useRef, useState } from 'react';
import { pictureIcon } from '#brand/browser.ts';
import { inLocale } from '#contract/locales.ts';
import type { Product } from '#contract/schemas/catalogue.ts';
import type { ImageInfo } from '#contract/schemas/common.ts';
import { IconButton } from '#ui/button.tsx';
import { cx } from '#ui/cx.ts';
import { useLocale, useT } from '#ui/i18n.tsx';
import { Icon, type IconPath } from '#ui/icon.tsx';
import { prefersReducedMotion } from '#ui/page.tsx';
import { lazyWithPreload, whenLikely } from '#web/lib/lazy-view.tsx';
import { Picture } from '#web/ui/picture.tsx';
import { type Choice, choiceOfPicture, galleryOf, labelOf, pictureOf, skuOf } from './selection.tsx';
import { ProductPicture } from './views-on-demand.ts';
import type { ZoomDialogProps } from './zoom-view.tsx';

interface GalleryProps {
  product: Product;
  choice: Choice;
  onChoose: (choice: Choice) => void;
}

/** 0.56 of the page, as `pageSizes` writes it, which would cost the first view more than these words. */
const sizes = '(min-width: 110rem) 878px, (min-width: 88rem) 735px, (min-width: 48rem) 52vw, 100vw';

/** The image in view and the choice are one: an image of a value chooses it, and a choice scrolls to its image, which comes first. */
export function Gallery({ product, choice, onChoose }: GalleryProps) {
  const t = useT();
  const name = inLocale(product.nameContent, useLocale());
  const [images] = useState(() => galleryOf(product, choice));
  /** The brand's picture is the last one. */
  const icon = pictureIcon(product);
  const count = images.length + (icon ? 1 : 0);
  const [track, scrolling, current, onPick] = useSwiping(images, product, choice, onChoose);
  const [open, setOpen] = useState(false);
  const opener = { ...whenLikely(ZoomDialog), onClick: () => setOpen(true) };

  return (
    <div className="gallery">
      <div className="relative">
        <ul
          className="gallery-track"
          ref={track}
          {...scrolling}
          tabIndex={count > 1 ? 0 : undefined}
          aria-label={t('product.gallery', { name })}
          // The router restores a place by this name, which is right only for the same order of images.
          data-scroll-restoration-id={images[0]?.imageURL}
        >
          {images.map((image, index) => (
            <li key={image.imageURL} className={index === current ? 'carried' : undefined}>
              <div className="cursor-zoom-in" {...opener}>
                <Picture
                  image={image}
                  shape="square"
                  sizes={sizes}
                  alt={
                    image.alt ??
                    (index === 0 ? name : t('product.gallery.picture', { number: index + 1, count }))
                  }
                  priority={index === 0}
                />
              </div>
            </li>
          ))}
          {icon && (
            <li>
              <ProductPicture product={product} />
            </li>
          )}
        </ul>
        {images.length > 0 && (
          <IconButton
            icon="zoom"
            label={t('product.zoom')}
            className="absolute right-3 bottom-3 bg-photo-paper/88 text-photo-ink"
            {...opener}
          />
        )}
      </div>
      {count > 1 && <Thumbnails {...{ product, choice, images, icon, current, onPick }} />}
      <Zoom {...{ name, track, images, current, open }} onClose={() => setOpen(false)} />
    </div>
  );
}

/** Keeps the image in view and the choice the same. */
function useSwiping(
  images: readonly ImageInfo[],
  product: Product,
  choice: Choice,
  onChoose: GalleryProps['onChoose'],
) {
  const ref = useRef<HTMLUListElement>(null);
  /** Scrolling that a choice began chooses nothing. */
  const led = useRef(false);
  const [at, setAt] = useState(0);
  const go = (index: number) => {
    const { current } = ref;
    const left = index * (current?.clientWidth ?? 0);
    if (!current || left === current.scrollLeft) return;
    led.current = true;
    current.scrollTo({ left, behavior: prefersReducedMotion() ? 'instant' : 'smooth' });
  };
  const pick = (index: number) => {
    const image = images[index];
    const next = image && choiceOfPicture(product, choice, image);
    if (next && next !== choice) onChoose(next);
  };

  const chosen = pictureOf(product, choice)?.imageURL;
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a change of the option scrolls the gallery
  useEffect(() => {
    const index = images.findIndex((image) => image.imageURL === chosen);
    if (index >= 0) go(index);
  }, [chosen]);

  const indexAt = ({ currentTarget: list }: UIEvent) => Math.round(list.scrollLeft / list.clientWidth);
  const handlers = {
    onScroll: (event: UIEvent) => setAt(indexAt(event)),
    onScrollEnd: (event: UIEvent) => {
      if (!led.current) pick(indexAt(event));
      led.current = false;
    },
  };
  const show = (index: number) => {
    pick(index);
    go(index);
  };
  return [ref, handlers, at, show] as const;
}

interface ThumbnailsProps extends Pick<GalleryProps, 'product' | 'choice'> {
  images: ImageInfo[];
  icon: IconPath | null;
  current: number;
  onPick: (index: number) => void;
}

const thumbClass =
  'block w-18 overflow-hidden rounded-sm border-2 border-transparent aria-[current=true]:border-action';

/** A button with a small image for each image of the gallery. That of an option value bears the value's name and state. */
function Thumbnails({ product, choice, images, icon, current, onPick }: ThumbnailsProps) {
  const t = useT();
  const locale = useLocale();
  const { options } = product.specification;
  return (
    <ul className="mt-3 flex flex-wrap gap-2 max-product:hidden">
      {images.map((image, index) => {
        const value = choiceOfPicture(product, choice, image);
        const soldOut = value && !skuOf(product, value)?.inStock;
        const label = value
          ? labelOf(options, value, locale, t)
          : t('product.gallery.show', { number: index + 1 });
        return (
          <li key={image.imageURL}>
            <button
              type="button"
              className={cx(thumbClass, soldOut && 'border-edge border-dashed')}
              aria-label={soldOut ? `${label} (${t('ui.soldOut')})` : label}
              aria-current={index === current}
              onClick={() => onPick(index)}
            >
              <Picture image={image} shape="square" sizes="5rem" alt="" />
            </button>
          </li>
        );
      })}
      {icon && (
        <li>
          <button
            type="button"
            className={cx(thumbClass, 'grid aspect-square place-items-center bg-surface-inset')}
            aria-label={t('product.gallery.show', { number: images.length + 1 })}
            aria-current={current === images.length}
            onClick={() => onPick(images.length)}
          >
            <Icon name={icon} />
          </button>
        </li>
      )}
    </ul>
  );
}

const ZoomDialog = lazyWithPreload(async () => (await import('./zoom-view.tsx')).ZoomDialog, 'more');

/** The images in full screen, from the first time that they are opened: it then closes as it opened and returns the focus. */
function Zoom(props: ZoomDialogProps) {
  const [used, setUsed] = useState(false);
  if (props.open && !used) setUsed(true);
  return used && <ZoomDialog {...props} />;
}
