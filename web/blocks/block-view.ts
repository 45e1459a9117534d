/** What a page knows of the component of a block. */
import type { ComponentType } from 'react';
import type { BlockOf, BlockType } from '#contract/schemas/blocks.ts';
import type { ImageInfo } from '#contract/schemas/common.ts';
import type { LazyView } from '#web/lib/lazy-with-preload.tsx';

export interface BlockProps<T extends BlockType> {
  block: BlockOf<T>;
  /** The block opens the page, so its pictures are on the first screen and load at once. */
  first: boolean;
}

export interface BlockView<T extends BlockType> {
  view: ComponentType<BlockProps<T>> | LazyView<BlockProps<T>>;
  /** The picture that a link preview of the page shows. */
  previewPicture?(block: BlockOf<T>): ImageInfo | undefined;
}
