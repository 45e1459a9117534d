import { lazyWithPreload } from '#web/lib/lazy-with-preload.tsx';

/** The bar and the chips of a list. Their links work before their code has loaded, so the first view does without it. */
export const ListControls = lazyWithPreload(async () => (await import('./filter-bar.tsx')).ListControls);
