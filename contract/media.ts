/** Addresses of a picture at the widths the server makes. */
import type { ImageInfo } from './schemas/common.ts';

/** Pictures are served at these widths (pixels) and no others, so that each is made once. */
export const mediaWidths = [64, 160, 320, 480, 640, 800, 1000, 1280, 1600, 1920] as const;
export type MediaWidth = (typeof mediaWidths)[number];

/** `/media/<width>/<name>`, where the name carries the content's hash. */
export const mediaPath = /^\/media\/(\d+)\/([^/]+)$/;

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
