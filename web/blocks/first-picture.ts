import type { Block } from '#contract/schemas/blocks.ts';
import type { ImageInfo } from '#contract/schemas/common.ts';
import { viewOf } from './load-blocks.ts';

/** The image for link previews of a content page. Undefined if no block has one. */
export function firstPicture(blocks: readonly Block[]): ImageInfo | undefined {
  for (const block of blocks) {
    const picture = viewOf(block)?.previewPicture?.(block);
    if (picture) return picture;
  }
  return undefined;
}
