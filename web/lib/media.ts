/** Addresses of a picture at the widths the server makes. */
import { mediaPath, mediaWidths } from '#contract/media.ts';
import type { ImageInfo } from '#contract/schemas/common.ts';

/** The address of a picture `width` pixels wide; an address that is not of this shop's pictures stays as it is. */
export function mediaUrl(imageURL: string, width: number): string {
  const name = mediaPath.exec(imageURL)?.[2];
  return name === undefined ? imageURL : `/media/${width}/${name}`;
}

/**
 * The `srcset` of a picture: every width the server makes up to the original's, and never above it.
 * An original between two steps is offered at the step below; one under the smallest step as it is.
 */
export function srcSet(image: Pick<ImageInfo, 'imageURL' | 'width'>): string {
  const widths = mediaWidths.filter((width) => width <= image.width);
  if (widths.length === 0 || !mediaPath.test(image.imageURL)) return `${image.imageURL} ${image.width}w`;
  return widths.map((width) => `${mediaUrl(image.imageURL, width)} ${width}w`).join(', ');
}

/** The picture at the largest of those widths that is no more than `width` and the original's. */
export function fittingUrl(image: Pick<ImageInfo, 'imageURL' | 'width'>, width: number): string {
  const fitting = mediaWidths.findLast((step) => step <= Math.min(width, image.width));
  return fitting ? mediaUrl(image.imageURL, fitting) : image.imageURL;
}
