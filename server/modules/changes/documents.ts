/**
 * What the journal keeps of the fields that a change sets, and saving documents that several people edit. The journal already says which fields of a thing changed, so the revision of a document
 * is the number of its newest entry there.
 */
import { shown } from '#contract/problems.ts';
import { differences, edited, isEqual, valueAt } from '#contract/rules/patch.ts';
import type { Patch } from '#contract/staff/endpoint.ts';
import type { Reader, Trx } from '#db/database.ts';
import { AppError } from '#server/platform/errors.ts';
import { fieldsSince, type Subject } from './journal.repository.ts';

/** Read it before the document: one that is newer than its revision is only asked about once too often. */
export async function revisionOf(reader: Reader, subject: Subject): Promise<number> {
  return (await fieldsSince(reader, subject, null)).revision;
}

/**
 * The stored document with what somebody changed. `current` was read in this transaction, under the lock of those who write it.
 * @throws {AppError} CONFLICT with both values of each field that somebody else has changed since the patch's revision
 */
export async function patched<T>(trx: Trx, subject: Subject, current: T, { revision, edits }: Patch): Promise<T> {
  const { fields } = await fieldsSince(trx, subject, revision);
  const isChanged = (field: string) =>
    fields === null || fields.some((each) => `${each}.`.startsWith(`${field}.`) || `${field}.`.startsWith(`${each}.`));
  const conflicts = edits.filter(({ path, to }) => isChanged(path.join('.')) && !isEqual(valueAt(current, path), to));
  if (conflicts.length === 0) return edited(current, edits);
  const errors = conflicts.map(({ path, to }) => {
    const values = { mine: shown(to), theirs: shown(valueAt(current, path)) };
    return [path.join('.'), { key: 'office.document.conflict' as const, values }] as const;
  });
  throw new AppError('CONFLICT', { errorKey: 'office.document.changed', errors: Object.fromEntries(errors) });
}

/** A field that changed. Without values if they are private or long. */
export interface FieldChange {
  /** Dotted: `shopName.zh`. */
  field: string;
  /** Left out if there was none. */
  from?: unknown;
  to?: unknown;
}

/** The fields of `after` whose values differ from those of `before`, those of objects and of named entries within them included. */
export function changedFields(before: unknown, after: unknown): FieldChange[] {
  return differences(before, after).map(({ path, from, to }) => ({ field: path.join('.'), from, to }));
}

/** Names of fields whose values are a person's, or open a door. */
const privateField =
  /e-?mail|phone|first_?name|last_?name|contact|recipient|address|street|post_?code|secret|password|token|reason|note$/i;
/** An email address within any text. */
const emailText = /[^\s@"]@[^\s@"]/;
/** The longest value that is kept, in characters of its JSON. */
const longestValue = 200;

/** The change as it may be kept for good: the journal is never rewritten, not even for a person who asks to be forgotten. */
export function keptFields(changes: readonly FieldChange[]): FieldChange[] {
  return changes.map(({ field, from, to }) => {
    const isKept = [from, to].every((value) => {
      const text = JSON.stringify(value) ?? '';
      return text.length <= longestValue && !emailText.test(text);
    });
    return isKept && !privateField.test(field) ? { field, from, to } : { field };
  });
}
