/** The component of each block. Blocks that most pages have are part of the page's code; pages load the others when they need them. */
import type { BlockType } from '#contract/schemas/blocks.ts';
import type { BlockView } from '#web/blocks/block-view.tsx';
import { lazyWithPreload } from '#web/lib/lazy-view.tsx';
import { ButtonsBlock } from './buttons/component.tsx';
import { ProductListBlock } from './product-list/component.tsx';
import { TextBlock } from './text/component.tsx';

export const components: { readonly [T in BlockType]: BlockView<T> } = {
  accordion: {
    view: lazyWithPreload(async () => (await import('./accordion/component.tsx')).AccordionBlock),
  },
  blog: { view: lazyWithPreload(async () => (await import('./blog/component.tsx')).BlogBlock) },
  buttons: { view: ButtonsBlock },
  columns: { view: lazyWithPreload(async () => (await import('./columns/component.tsx')).ColumnsBlock) },
  featuredProduct: {
    view: lazyWithPreload(
      async () => (await import('./featured-product/component.tsx')).FeaturedProductBlock,
    ),
  },
  form: { view: lazyWithPreload(async () => (await import('./form/component.tsx')).FormBlock) },
  imageInfo: {
    view: lazyWithPreload(async () => (await import('./image-info/component.tsx')).ImageInfoBlock),
    previewPicture: ({ items }) => items[0]?.image,
  },
  imageSlider: {
    view: lazyWithPreload(async () => (await import('./image-slider/component.tsx')).ImageSliderBlock),
    previewPicture: ({ slides }) => slides[0]?.image,
  },
  instagramFeed: {
    view: lazyWithPreload(async () => (await import('./instagram-feed/component.tsx')).InstagramFeedBlock),
  },
  linkTiles: {
    view: lazyWithPreload(async () => (await import('./link-tiles/component.tsx')).LinkTilesBlock),
  },
  openingHours: {
    view: lazyWithPreload(async () => (await import('./opening-hours/component.tsx')).OpeningHoursBlock),
  },
  productList: { view: ProductListBlock },
  quotation: {
    view: lazyWithPreload(async () => (await import('./quotation/component.tsx')).QuotationBlock),
  },
  rssFeed: { view: lazyWithPreload(async () => (await import('./rss-feed/component.tsx')).RssFeedBlock) },
  spacer: { view: lazyWithPreload(async () => (await import('./spacer/component.tsx')).SpacerBlock) },
  stores: { view: lazyWithPreload(async () => (await import('./stores/component.tsx')).StoresBlock) },
  tableMenu: {
    view: lazyWithPreload(async () => (await import('./table-menu/component.tsx')).TableMenuBlock),
  },
  text: { view: TextBlock },
  video: { view: lazyWithPreload(async () => (await import('./video/component.tsx')).VideoBlock) },
};
