/** Removal: takes stores, products, brands, categories, tags, pages and posts out of the shop. */
export type { RemovalService } from './removal.service.ts';
export { RemovalError, type RemovalKind, type RemovalReport, removalKinds } from './removal-types.ts';
