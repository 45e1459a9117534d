/** Loads the image library on first use: it takes 20 MB and a tenth of a second. */
import type sharp from 'sharp';

/** The largest image that is read, in pixels. */
export const mostPixels = 50_000_000;

let loading: Promise<typeof sharp> | undefined;

export function loadSharp(): Promise<typeof sharp> {
  loading ??= import('sharp').then(({ default: loaded }) => {
    // One core per image; the number of images processed at once is limited instead.
    loaded.concurrency(1);
    // Originals are read once each, so caching them gains nothing.
    loaded.cache(false);
    // Photo formats only: vector graphics and documents can reference files and expand to any size.
    loaded.block({ operation: ['VipsForeignLoad'] });
    loaded.unblock({ operation: ['VipsForeignLoadJpeg', 'VipsForeignLoadPng', 'VipsForeignLoadWebp', 'VipsForeignLoadHeif'] });
    return loaded;
  });
  return loading;
}
