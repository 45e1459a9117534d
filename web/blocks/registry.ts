/**
 * Which component shows a block. The contract's union of blocks decides the keys: a block without a
 * component is a compile error. Adding one: docs/how-to.
 */
import type { ComponentType } from 'react';
import type { BlockOf, BlockType } from '#contract/schemas/blocks.ts';
import { BlogBlock } from './blog/blog-block.tsx';
import { ButtonsBlock } from './buttons/buttons-block.tsx';
import { FormBlock } from './form/form-block.tsx';
import { ImageInfoBlock } from './image-info/image-info-block.tsx';
import { ImageSliderBlock } from './image-slider/image-slider-block.tsx';
import { InstagramFeedBlock } from './instagram-feed/instagram-feed-block.tsx';
import { ProductListBlock } from './product-list/product-list-block.tsx';
import { RssFeedBlock } from './rss-feed/rss-feed-block.tsx';
import { TextBlock } from './text/text-block.tsx';
import { VideoBlock } from './video/video-block.tsx';

export interface BlockProps<T extends BlockType> {
  block: BlockOf<T>;
  /** It opens the page: its pictures are on the first screen. */
  first: boolean;
}

export const registry: { readonly [T in BlockType]: ComponentType<BlockProps<T>> } = {
  imageSlider: ImageSliderBlock,
  imageInfo: ImageInfoBlock,
  text: TextBlock,
  buttons: ButtonsBlock,
  productList: ProductListBlock,
  form: FormBlock,
  video: VideoBlock,
  rssFeed: RssFeedBlock,
  instagramFeed: InstagramFeedBlock,
  blog: BlogBlock,
};
