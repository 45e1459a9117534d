/** The page blocks by type, one line each. The exported name is the `type` of the block. */
export { blog } from './blog/definition.ts';
export { buttons } from './buttons/definition.ts';
export { form } from './form/definition.ts';
export { imageInfo } from './image-info/definition.ts';
export { imageSlider } from './image-slider/definition.ts';
export { instagramFeed } from './instagram-feed/definition.ts';
export { linkTiles } from './link-tiles/definition.ts';
export { productList } from './product-list/definition.ts';
export { rssFeed } from './rss-feed/definition.ts';
export { stores } from './stores/definition.ts';
export { text } from './text/definition.ts';
export { video } from './video/definition.ts';
