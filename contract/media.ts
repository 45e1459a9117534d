import type { ImageInfo } from './schemas/common.ts';

/** Px; each file is produced once. */
export const mediaWidths = [64, 160, 320, 480, 640, 800, 1000, 1280, 1600, 1920] as const;
export type MediaWidth = (typeof mediaWidths)[number];

/** `/media/<width>/<name>`, where the name carries the content's hash. */
export const mediaPath = /^\/media\/(\d+)\/([^/]+)$/;

/** An image's plain file name, without a path. */
export const pictureName = /^[A-Za-z0-9][A-Za-z0-9._-]*\.(?:jpe?g|png|webp|avif)$/i;

/** An address outside `/media/` is returned unchanged. */
export function mediaUrl(imageURL: string, width: number): string {
  const name = mediaPath.exec(imageURL)?.[2];
  return name === undefined ? imageURL : `/media/${width}/${name}`;
}

/** If the original is narrower than the smallest width, it is the only candidate. */
export function srcSet(image: Pick<ImageInfo, 'imageURL' | 'width'>): string {
  const widths = mediaWidths.filter((width) => width <= image.width);
  if (widths.length === 0 || !mediaPath.test(image.imageURL)) return `${image.imageURL} ${image.width}w`;
  return widths.map((width) => `${mediaUrl(image.imageURL, width)} ${width}w`).join(', ');
}

/** At the largest available width that exceeds neither `width` nor the original. */
export function fittingUrl(image: Pick<ImageInfo, 'imageURL' | 'width'>, width: number): string {
  const fitting = mediaWidths.findLast((step) => step <= Math.min(width, image.width));
  return fitting ? mediaUrl(image.imageURL, fitting) : image.imageURL;
}
