import type { Block } from '#contract/schemas/blocks.ts';
import type { ImageInfo } from '#contract/schemas/common.ts';

/** The picture that a link preview shows of a content page. */
export function firstPicture(blocks: readonly Block[]): ImageInfo | undefined {
  for (const block of blocks) {
    if (block.type === 'imageSlider' && block.slides[0]) return block.slides[0].image;
    if (block.type === 'imageInfo' && block.items[0]) return block.items[0].image;
  }
  return undefined;
}
