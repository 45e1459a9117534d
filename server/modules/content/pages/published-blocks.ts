/** What the blocks of all pages name: addresses that forms may write to, feeds that may be read, films. */
import type { BlockType, StoredBlock, StoredBlockOf } from '#contract/schemas/blocks.ts';
import type { Database } from '#db/database.ts';
import { cachedByCatalogueVersion } from '#server/platform/cached-by-version.ts';
import { allBlocks } from './content.repository.ts';
import { validateBlocks } from './validate-blocks.ts';

export interface PublishedBlocks {
  /** The blocks of a type on all pages, as of the catalogue version. */
  ofType<T extends BlockType>(type: T): Promise<StoredBlockOf<T>[]>;
}

export function createPublishedBlocks({ db }: { db: Database }): PublishedBlocks {
  const load = cachedByCatalogueVersion(db, async () => {
    const pages = await allBlocks(db.catalogue);
    return pages.flatMap((blocks): StoredBlock[] => validateBlocks(parsed(blocks)).blocks);
  });
  return {
    async ofType<T extends BlockType>(type: T) {
      return (await load()).filter((block): block is StoredBlockOf<T> => block.type === type);
    },
  };
}

/** The blocks of a page's row. What is no list has none. */
export function parsed(text: string): unknown[] {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}
