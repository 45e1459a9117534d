import { fittingUrl, srcSet } from '#contract/media.ts';
import type { ImageInfo } from '#contract/schemas/common.ts';
import { cx } from '#ui/cx.ts';

interface PictureProps {
  image: ImageInfo;
  /** The displayed width, as in `<img sizes>`: `(min-width: 48rem) 25vw, 50vw`. */
  sizes: string;
  /** Replaces the image's own alternative text. '' if the text beside it says the same. */
  alt?: string | undefined;
  /** The first image of a page: loads at once and first. All others load when they are near the window. */
  priority?: boolean;
  /** `square` and `wide` crop to 1:1 and 16:9; `natural` keeps the image's own shape. */
  shape?: 'natural' | 'square' | 'wide';
  className?: string | undefined;
}

const shapes = { natural: null, square: 'aspect-square', wide: 'aspect-video' };

/** For browsers without srcset. */
const fallbackWidth = 640;

/** An image of the shop at the width the screen needs. Its space is reserved in its average colour, so that nothing moves;
 * by that colour, `data-tone` says whether it is dark. */
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
      data-tone={isDark(image.color) ? 'dark' : undefined}
      className={cx('picture', shapes[shape], className)}
      style={{ backgroundColor: image.color }}
    />
  );
}

/** Relative luminance (WCAG 2.2) under 0.18, where black and white have the same contrast. */
export function isDark(color: string): boolean {
  const [red = 1, green = 1, blue = 1] = [1, 3, 5].map(
    (at) => (Number.parseInt(color.slice(at, at + 2), 16) / 255) ** 2.2,
  );
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue < 0.18;
}

/** From these window widths on (rem), the page is so wide (px); `picture.test.ts` compares them with the brand's tokens. */
export const pageWidths = [
  { from: 110, px: 1568 },
  { from: 88, px: 1312 },
] as const;

/** The width of `share` of the page (0 to 1) in windows wider than it, to continue with the widths in narrower ones. */
export function pageSizes(share: number, narrower: string): string {
  return [
    ...pageWidths.map(({ from, px }) => `(min-width: ${from}rem) ${Math.round(px * share)}px`),
    narrower,
  ].join(', ');
}
