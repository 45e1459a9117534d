/** The picture library, loaded with the first picture that is made: it takes 20 MB and a tenth of a second. */
import type sharp from 'sharp';

/** Pixels of the largest picture that is read. */
export const mostPixels = 50_000_000;

let loading: Promise<typeof sharp> | undefined;

export function loadSharp(): Promise<typeof sharp> {
  loading ??= import('sharp').then(({ default: loaded }) => {
    // One picture on one core: the makers' number is what is limited.
    loaded.concurrency(1);
    // Originals are read once each, so keeping them open or in memory gains nothing.
    loaded.cache(false);
    // Only what photographs come in: drawings and documents can name files, and unfold to any size.
    loaded.block({ operation: ['VipsForeignLoad'] });
    loaded.unblock({ operation: ['VipsForeignLoadJpeg', 'VipsForeignLoadPng', 'VipsForeignLoadWebp', 'VipsForeignLoadHeif'] });
    return loaded;
  });
  return loading;
}
