/** The parts of a product's page below its first view, in one file that loads when one of them is near the window. */
import { lazyOnView } from '#web/lib/lazy-view.tsx';

const load = () => import('./below-fold.tsx');

export const ProductFolds = lazyOnView(async () => (await load()).ProductFolds, 'more');
export const ProductMore = lazyOnView(async () => (await load()).ProductMore, 'more');
export const ProductPicture = lazyOnView(async () => (await load()).ProductPicture, 'more');

/** Loads all of them, so that they render at once. */
export const preloadBelowFold = () => Promise.all([ProductFolds, ProductMore, ProductPicture].map(({ preload }) => preload()));
