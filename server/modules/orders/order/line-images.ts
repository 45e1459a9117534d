/** The images of order lines, read once until they change. */
import type { ImageInfo } from '#contract/schemas/common.ts';
import type { Database, Reader } from '#db/database.ts';
import type { MediaService } from '#server/modules/media/index.ts';
import { recordReads } from '#server/platform/recorded-reads.ts';
import { topics } from '#server/platform/topics.ts';
import type { OrderLine } from './order.ts';

/** Far more than the images of a shop's products, at some hundred bytes each. */
const mostKept = 5000;

/**
 * Returns a reader of the images of lines by file name, null for one that was never imported. Read the settings before: what has
 * changed is then known.
 */
export function createImageReader({ changes }: Pick<Database, 'changes'>, media: Pick<MediaService, 'images'>) {
  const kept = new Map<string, { moment: number; image: ImageInfo | null }>();

  function known(file: string): ImageInfo | null | undefined {
    const found = kept.get(file);
    return found && !changes.changedSince(found.moment, [topics.image(file)]) ? found.image : undefined;
  }

  return async (
    reader: Reader,
    lines: readonly Pick<OrderLine, 'image'>[],
  ): Promise<ReadonlyMap<string, ImageInfo | null | undefined>> => {
    const files = lines.flatMap(({ image }) => image ?? []);
    recordReads(...files.map(topics.image));
    const images = new Map(files.map((file) => [file, known(file)]));
    const missing = files.filter((file) => images.get(file) === undefined);
    if (missing.length > 0) {
      const { moment } = changes;
      const found = await media.images(missing, reader);
      if (kept.size > mostKept) kept.clear();
      for (const file of missing) {
        const image = found.get(file) ?? null;
        images.set(file, image);
        kept.set(file, { moment, image });
      }
    }
    return images;
  };
}
