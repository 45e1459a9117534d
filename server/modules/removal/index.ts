export { RemovalError, type RemovalKind, removalKinds } from './removal.service.ts';
