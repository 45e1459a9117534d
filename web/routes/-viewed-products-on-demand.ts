/** The products viewed last in a file of their own, for carts: they show them only when they are empty. */
import { lazyWithPreload } from '#web/lib/lazy-with-preload.tsx';

export const ViewedProducts = lazyWithPreload(async () => (await import('./-viewed-products.tsx')).ViewedProducts);
