import { fittingUrl, srcSet } from '#contract/media.ts';
import type { ImageInfo } from '#contract/schemas/common.ts';
import { cx } from './cx.ts';

export interface PictureProps {
  image: ImageInfo;
  /** How wide it is shown, as in `<img sizes>`: `(min-width: 48rem) 25vw, 50vw`. */
  sizes: string;
  /** Replaces the picture's own text. '' where the words beside it say the same. */
  alt?: string | undefined;
  /** The first picture of a page: fetched at once and first. All others wait until they are near. */
  priority?: boolean;
  /** `square` and `wide` crop to 1:1 and 16:9; `natural` keeps the picture's own shape. */
  shape?: 'natural' | 'square' | 'wide';
  className?: string | undefined;
}

const shapes = { natural: null, square: 'aspect-square', wide: 'aspect-video' };

/** For browsers that know no srcset. */
const fallbackWidth = 640;

/**
 * A picture of the shop at the width the screen needs. Its place is kept before it comes, in its
 * average colour, so that nothing moves.
 */
export function Picture({ image, sizes, alt, priority = false, shape = 'natural', className }: PictureProps) {
  return (
    <img
      src={fittingUrl(image, fallbackWidth)}
      srcSet={srcSet(image)}
      sizes={sizes}
      width={image.width}
      height={image.height}
      alt={alt ?? image.alt ?? ''}
      loading={priority ? 'eager' : 'lazy'}
      fetchPriority={priority ? 'high' : 'auto'}
      decoding={priority ? 'sync' : 'async'}
      className={cx('picture', shapes[shape], className)}
      style={{ backgroundColor: image.color }}
    />
  );
}
