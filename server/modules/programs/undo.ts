/** What takes an entry of the journal back: the call of the office that does it, as somebody would press it there. */
import { type DocumentName, documentCallNames, documentNames } from '#contract/staff/document-names.ts';
import type { StaffEndpointName } from '#contract/staff/endpoints.ts';
import type { ChangesService, JournalEntry } from '#server/modules/changes/index.ts';

export interface Step {
  name: StaffEndpointName;
  arguments: Record<string, unknown>;
}

/** Steps of orders that the desk takes back. */
const moves = /^orders (?:ready|shipped|completed|collected)$/;
const isDocument = (kind: string): kind is DocumentName =>
  (documentNames as readonly string[]).includes(kind);

/** Whether an entry has a way back, if nothing has followed it. */
export const canUndo = ({ kind, action }: Pick<JournalEntry, 'kind' | 'action'>): boolean =>
  kind === 'product'
    ? action !== 'products bulk'
    : isDocument(kind) || (kind === 'order' && moves.test(action));

/** Whether there was something before an entry: what it added is removed, and not taken back. */
export const hasBefore = async (
  changes: ChangesService,
  { kind, id, no }: Pick<JournalEntry, 'kind' | 'id' | 'no'>,
): Promise<boolean> =>
  kind === 'order' || (await changes.journal({ kind, id, before: no, most: 1 })).length > 0;

/** @returns the step, or why there is none: a key of a message */
export async function undoOf(
  changes: ChangesService,
  no: number,
  versionOf: (order: string) => Promise<number | null>,
): Promise<Step | 'staff.undo.none' | 'staff.undo.followed' | 'staff.undo.first'> {
  const [entry] = await changes.journal({ before: no + 1, most: 1 });
  if (entry?.no !== no || !canUndo(entry)) return 'staff.undo.none';
  const { kind, id } = entry;
  const [latest, before] = await changes.journal({ kind, id, most: 2 });
  if (latest?.no !== no) return 'staff.undo.followed';
  if (kind === 'order') {
    const version = await versionOf(id);
    return version === null
      ? 'staff.undo.none'
      : { name: 'undoMove', arguments: { number: id, body: { version } } };
  }
  if (!before) return 'staff.undo.first';
  const body = { revision: before.no, seen: no };
  return isDocument(kind)
    ? { name: documentCallNames(kind).restore as StaffEndpointName, arguments: { id, body } }
    : { name: 'restoreProduct', arguments: { product: id, body } };
}
