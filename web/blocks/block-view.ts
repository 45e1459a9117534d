import type { ComponentType } from 'react';
import type { BlockOf, BlockType } from '#contract/schemas/blocks.ts';
import type { ImageInfo } from '#contract/schemas/common.ts';
import type { LazyView } from '#web/lib/lazy-view.tsx';

export interface BlockProps<T extends BlockType> {
  block: BlockOf<T>;
  /** The block is the first of the page, so its images load at once. */
  first: boolean;
}

export interface BlockView<T extends BlockType> {
  view: ComponentType<BlockProps<T>> | LazyView<BlockProps<T>>;
  previewPicture?(block: BlockOf<T>): ImageInfo | undefined;
}
