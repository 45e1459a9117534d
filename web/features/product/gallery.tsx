import { type RefObject, useEffect, useRef, useState } from 'react';
import type { ImageInfo } from '#contract/schemas/common.ts';
import { useT } from '#web/i18n/i18n.tsx';
import { prefersReducedMotion } from '#web/lib/media-query.ts';
import { IconButton } from '#web/ui/button.tsx';
import { Picture } from '#web/ui/picture.tsx';
import { Zoom } from './zoom.tsx';

interface GalleryProps {
  name: string;
  images: ImageInfo[];
  /** The image of the chosen colour; when it changes, the gallery scrolls to it. */
  chosen: ImageInfo | undefined;
}

const sizes = '(min-width: 84rem) 44rem, (min-width: 48rem) 52vw, 100vw';

/**
 * The images of a product to swipe through, with thumbnails and a zoom. The browser's own scrolling does the swiping. The image
 * of the colour chosen at first comes first, so that it is right without scripts.
 */
export function Gallery({ name, images, chosen }: GalleryProps) {
  const t = useT();
  const [shown] = useState(() => [...images].sort((a, b) => Number(isSame(b, chosen)) - Number(isSame(a, chosen))));
  const track = useRef<HTMLUListElement>(null);
  const at = usePictureInView(track, shown.length);
  const [zoomed, setZoomed] = useState(false);
  const go = (index: number, smoothly = true) => {
    const { current } = track;
    current?.scrollTo({
      left: index * current.clientWidth,
      behavior: smoothly && !prefersReducedMotion() ? 'smooth' : 'instant',
    });
  };

  const first = useRef(true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a change of the option scrolls the gallery
  useEffect(() => {
    const index = shown.findIndex((image) => isSame(image, chosen));
    if (!first.current && index >= 0) go(index);
    first.current = false;
  }, [chosen?.imageURL]);

  return (
    <div className="gallery">
      <div className="relative">
        <ul
          ref={track}
          className="gallery-track"
          tabIndex={shown.length > 1 ? 0 : undefined}
          aria-label={t('product.gallery', { name })}
        >
          {shown.map((image, index) => (
            <li key={image.imageURL} className={index === at ? 'carried' : undefined}>
              {/* biome-ignore lint/a11y/useKeyWithClickEvents: the button above it does the same by keyboard */}
              {/* biome-ignore lint/a11y/noStaticElementInteractions: as above */}
              <div className="cursor-zoom-in" onClick={() => setZoomed(true)}>
                <Picture
                  image={image}
                  shape="square"
                  sizes={sizes}
                  alt={
                    image.alt ?? (index === 0 ? name : t('product.gallery.picture', { number: index + 1, count: shown.length }))
                  }
                  priority={index === 0}
                />
              </div>
            </li>
          ))}
        </ul>
        <IconButton
          icon="zoom"
          label={t('product.zoom')}
          className="absolute right-3 bottom-3 bg-paper/88"
          onClick={() => setZoomed(true)}
        />
        {shown.length > 1 && (
          <p className="absolute bottom-3 left-3 rounded-full bg-paper/88 px-3 py-0.5 text-sm tabular-nums" aria-hidden>
            {at + 1} / {shown.length}
          </p>
        )}
      </div>
      {shown.length > 1 && <Thumbnails images={shown} current={at} onPick={go} />}
      <Zoom name={name} images={shown} start={at} open={zoomed} onClose={() => setZoomed(false)} />
    </div>
  );
}

interface ThumbnailsProps {
  images: ImageInfo[];
  /** The index of the image in view. */
  current: number;
  onPick: (index: number) => void;
}

/** A button with a small image for each image of the gallery. */
function Thumbnails({ images, current, onPick }: ThumbnailsProps) {
  const t = useT();
  return (
    <ul className="mt-3 flex flex-wrap gap-2 max-product:hidden">
      {images.map((image, index) => (
        <li key={image.imageURL}>
          <button
            type="button"
            className="block w-18 overflow-hidden rounded-sm border-2 border-transparent aria-[current=true]:border-action"
            aria-label={t('product.gallery.show', { number: index + 1 })}
            aria-current={index === current}
            onClick={() => onPick(index)}
          >
            <Picture image={image} shape="square" sizes="5rem" alt="" />
          </button>
        </li>
      ))}
    </ul>
  );
}

function isSame(image: ImageInfo, other: ImageInfo | undefined): boolean {
  return image.imageURL === other?.imageURL;
}

/** The image at which scrolling came to rest. */
function usePictureInView(track: RefObject<HTMLUListElement | null>, count: number): number {
  const [at, setAt] = useState(0);
  useEffect(() => {
    const { current } = track;
    if (!current || count < 2) return;
    const look = () => setAt(Math.min(count - 1, Math.round(current.scrollLeft / current.clientWidth)));
    current.addEventListener('scroll', look, { passive: true });
    return () => current.removeEventListener('scroll', look);
  }, [track, count]);
  return at;
}
