/** The parts of a product's page below its first view, in one file that loads when one of them is near the window. */
import { lazyOnView, lazyWithPreload } from '#web/lib/lazy-view.tsx';

const load = () => import('./below-fold.tsx');

export const ProductFolds = lazyOnView(async () => (await load()).ProductFolds, 'more');
export const ProductMore = lazyOnView(async () => (await load()).ProductMore, 'more');
export const Alternatives = lazyWithPreload(async () => (await load()).Alternatives, 'more');
export const ProductPicture = lazyOnView(async () => (await load()).ProductPicture, 'more');

export const preloadBelowFold = () =>
  Promise.all([ProductFolds, ProductMore, Alternatives, ProductPicture].map(({ preload }) => preload()));

/** What is asked when a product with modifiers is ordered; in a file of its own, for products that have none. */
export const ModifiedBuy = lazyWithPreload(
  async () => (await import('./modified-buy.tsx')).ModifiedBuy,
  'more',
);
