/**
 * Which component shows a block. The contract's union of blocks decides the keys: a block without a
 * component is a compile error. Adding one: docs/how-to.
 *
 * What most pages are made of comes with their code; the others where a page has them.
 */
import type { ComponentType } from 'react';
import type { Block, BlockOf, BlockType } from '#contract/schemas/blocks.ts';
import { type LazyView, lazyWithPreload } from '#web/lib/lazy-with-preload.tsx';
import { ButtonsBlock } from './buttons/buttons-block.tsx';
import { ImageInfoBlock } from './image-info/image-info-block.tsx';
import { ProductListBlock } from './product-list/product-list-block.tsx';
import { TextBlock } from './text/text-block.tsx';

export interface BlockProps<T extends BlockType> {
  block: BlockOf<T>;
  /** It opens the page: its pictures are on the first screen. */
  first: boolean;
}

export const registry: { readonly [T in BlockType]: ComponentType<BlockProps<T>> | LazyView<BlockProps<T>> } = {
  imageSlider: lazyWithPreload(async () => (await import('./image-slider/image-slider-block.tsx')).ImageSliderBlock),
  imageInfo: ImageInfoBlock,
  text: TextBlock,
  buttons: ButtonsBlock,
  productList: ProductListBlock,
  form: lazyWithPreload(async () => (await import('./form/form-block.tsx')).FormBlock),
  video: lazyWithPreload(async () => (await import('./video/video-block.tsx')).VideoBlock),
  rssFeed: lazyWithPreload(async () => (await import('./rss-feed/rss-feed-block.tsx')).RssFeedBlock),
  instagramFeed: lazyWithPreload(async () => (await import('./instagram-feed/instagram-feed-block.tsx')).InstagramFeedBlock),
  blog: lazyWithPreload(async () => (await import('./blog/blog-block.tsx')).BlogBlock),
};

/** Brings the code of a page's blocks. To be awaited before the page is shown. */
export async function loadBlocks(blocks: readonly Block[]): Promise<void> {
  await Promise.all(
    [...new Set(blocks.map(({ type }) => type))].map((type) => {
      // A block of a newer shop than this page's program is left out.
      const view = registry[type] as (typeof registry)[BlockType] | undefined;
      return view && 'preload' in view ? view.preload() : undefined;
    }),
  );
}
