/** New arrivals in a file of their own, for lists: they show them only when a search finds nothing. */
import { lazyWithPreload } from '#web/lib/lazy-with-preload.tsx';

export const NewProducts = lazyWithPreload(async () => (await import('./new-products.tsx')).NewProducts);
