/** The one way in which a merchant's data changes, and the journal of what changed. */
export type { Change, ChangesService, JournalEntry, RunChange } from './changes.service.ts';
export { patched, revisionOf } from './documents.ts';
export { changedFields, type FieldChange } from './fields.ts';
