/** The one way in which a merchant's data changes, and the journal of what changed. */

export {
  addBulkChange,
  type BulkChangeRow,
  type BulkRow,
  bulkChangeById,
  bulkOutcomes,
  bulkProblems,
  bulkRowsBelow,
  dropBulkRows,
  isBulkChangeSince,
  latestBulkChanges,
  moveBulkChange,
  type NewBulkRow,
  putBulkRows,
} from './bulk-changes.repository.ts';
export type { BulkChanges, BulkKind, BulkOutcome } from './bulk-changes.ts';
export type { Change, ChangesService, JournalEntry, RunChange } from './changes.service.ts';
export {
  changedFields,
  type FieldChange,
  keptFields,
  patched,
  requireSeen,
  revisionOf,
} from './changes.service.ts';
export {
  confirming,
  contentAt,
  createDocuments,
  type DocumentKind,
  type Documents,
  isBeside,
  noteDocument,
  permissionOf,
  type Rest,
  serveDocuments,
} from './documents.ts';
export { createDraftLinks, type DraftLinks, type SharedDraft } from './draft-links.ts';
export {
  type Draft,
  draftIds,
  draftsLinked,
  dropDraft,
  dropDraftWithLinks,
  findDraft,
  leaveDraft,
  listDrafts,
  writtenOf,
} from './drafts.repository.ts';
export type { Editable, EditableKind } from './editable-kinds.ts';
export { changedSince, type EntryWithWayBack } from './journal.repository.ts';
export {
  createPublishing,
  type DraftedKind,
  type Publishing,
  publicationOf,
  servePublishing,
} from './publishing.ts';
export { createStaleTexts, type StaleTexts } from './stale-texts.ts';
