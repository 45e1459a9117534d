/** Removal: takes stores, products, brands, categories, tags, pages and posts out of the shop. */
export { RemovalError, type RemovalKind, removalKinds } from './removal.service.ts';
