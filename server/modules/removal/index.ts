export { type RemovalKind, removalKinds } from './removal.service.ts';
