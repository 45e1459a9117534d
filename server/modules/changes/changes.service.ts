/** Runs the changes of a merchant: each is a transaction that also writes what it changed into the journal and the feed of the office. */
import { shown } from '#contract/problems.ts';
import { type Difference, differences, edited, isEqual, valuesAt } from '#contract/rules/patch.ts';
import type { Patch } from '#contract/staff/endpoint.ts';
import type { Kind } from '#contract/staff/messages.ts';
import { actIn } from '#db/before-commit.ts';
import type { Database, Reader, Trx } from '#db/database.ts';
import { type Actor, actorText } from '#server/platform/actors.ts';
import { AppError } from '#server/platform/errors.ts';
import { transactOnce } from '#server/platform/request-keys/request-keys.ts';
import { type Foreseen, foresee, isTrialled } from '#server/platform/trials.ts';
import type { EditableKind } from './editable-kinds.ts';
import {
  addChangesToFeed,
  addToJournal,
  backsOf,
  fieldsSince,
  type JournalEntry,
  type JournalQuery,
  type JournalRow,
  journalAfter,
  readJournal,
  type Subject,
} from './journal.repository.ts';

/**
 * Of a document that several people edit: the number of the newest entry of the journal about it, which says what fields changed.
 * Read it before the document: one that is newer than its revision is only asked about once too often.
 */
export async function revisionOf(reader: Reader, subject: Subject): Promise<number> {
  return (await fieldsSince(reader, subject, null)).revision;
}

/** For what changes a document as a whole, so that nothing others saved meanwhile goes unseen. @throws {AppError} CONFLICT */
export async function requireSeen(trx: Trx, subject: Subject, seen: number): Promise<void> {
  if ((await revisionOf(trx, subject)) !== seen)
    throw new AppError('CONFLICT', { errorKey: 'office.document.changed' });
}

/**
 * The stored document with what somebody changed. `current` was read in this transaction, under the lock of those who write it.
 * @throws {AppError} CONFLICT with both values of each field that somebody else has changed since the patch's revision
 */
export async function patched<T>(
  trx: Trx,
  subject: Subject,
  current: T,
  { revision, edits }: Patch,
): Promise<T> {
  const { fields } = await fieldsSince(trx, subject, revision);
  const isChanged = fields === null ? () => true : touchedBy(fields);
  const touched = edits.filter(({ path }) => isChanged(path.join('.')));
  const theirs = valuesAt(
    current,
    touched.map(({ path }) => path),
  );
  const conflicts = touched.flatMap(({ path, to }, index) =>
    isEqual(theirs[index], to) ? [] : [{ path, to, there: theirs[index] }],
  );
  if (conflicts.length === 0) return edited(current, edits);
  const errors = conflicts.map(({ path, to, there }) => {
    const values = { mine: shown(to), theirs: shown(there) };
    return [path.join('.'), { key: 'office.document.conflict' as const, values }] as const;
  });
  throw new AppError('CONFLICT', { errorKey: 'office.document.changed', errors: Object.fromEntries(errors) });
}

/** Whether a field is one of these, lies within one, or has one within it. */
function touchedBy(fields: readonly string[]): (field: string) => boolean {
  const prefixesOf = (field: string) =>
    [...field.matchAll(/\.|$/g)].map(({ index }) => field.slice(0, index));
  const [exact, around] = [new Set(fields), new Set(fields.flatMap(prefixesOf))];
  return (field) => around.has(field) || prefixesOf(field).some((each) => exact.has(each));
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

/** Names of fields whose values are a person's, or open a door, as the address of a webhook with its token does. */
const privateField =
  /^url$|e-?mail|phone|first_?name|last_?name|contact|recipient|address|street|post_?code|secret|password|token|reason|note$/i;
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

export type { JournalEntry } from './journal.repository.ts';

/** A change under way. Operations of merchants take it instead of a transaction. */
export interface Change {
  readonly trx: Trx;
  readonly actor: Actor;
  /**
   * Notes for the journal that something changed, by its kind and id: `product`, `river-mug`. With `fields`, only what they name
   * changed; if they are empty nothing did, and no entry is written. With `back`, which leads from the changed document to the one
   * before, that can be restored.
   */
  note(kind: Kind, id: string, fields?: readonly FieldChange[], back?: readonly Difference[]): void;
}

/** Runs changes of one actor and action, for operations that do more than one transaction. */
export type RunChange = <T>(work: (change: Change) => Promise<T>) => Promise<T>;

export type ChangesService = ReturnType<typeof createChangesService>;

export function createChangesService({ db, now }: { db: Database; now: () => number }) {
  /**
   * Runs `work` in a transaction, and writes what it notes into the journal with it.
   * @param action what is done: the words of a command, such as `coupon end`
   * @throws {Error} for work that notes nothing; nothing has changed then
   */
  function run<T>(actor: Actor, action: string, work: (change: Change) => Promise<T>): Promise<T> {
    return transactOnce(db, async (trx) => {
      const notes: JournalRow[] = [];
      const foreseen: Foreseen[] = [];
      let isNoted = false;
      actIn(trx, actorText(actor), actor.kind === 'staff' ? actor.mostRefund : null);
      const result = await work({
        trx,
        actor,
        note(kind, id, fields, back = []) {
          isNoted = true;
          if (fields?.length === 0) return;
          foreseen.push({ action, kind, id, fields: fields ?? null });
          const kept = { kind, id, fields: fields ? JSON.stringify(keptFields(fields)) : null };
          notes.push(back.length === 0 ? kept : { ...kept, back: JSON.stringify(back) });
        },
      });
      if (!isNoted) throw new Error(`The change "${action}" notes nothing for the journal`);
      if (notes.length > 0) {
        const at = now();
        if (isTrialled())
          for (const each of foreseen)
            if (each.fields === null)
              each.was = await revisionOf(trx, { kind: each.kind as Kind, ids: [each.id] });
        const entries = await addToJournal(db, trx, { at, actor, action }, notes);
        await addChangesToFeed(trx, at, notes);
        foresee(trx, foreseen, { entries });
      } else foresee(trx, []);
      return result;
    });
  }

  const offered: EditableKind[] = [];

  return {
    run,
    /** What modules let others edit, whatever it is: for the texts of the shop in other languages. */
    offer: (kind: EditableKind): void => void offered.push(kind),
    offered: (): readonly EditableKind[] => offered,
    by:
      (actor: Actor, action: string): RunChange =>
      (work) =>
        run(actor, action, work),
    /** Entries of the journal about these kinds after one, oldest first, each with what leads back over it. */
    after: (no: number, of: readonly Kind[], most: number) => journalAfter(db.read, no, of, most),
    /** Entries of the journal, newest first. */
    journal: (query: JournalQuery): Promise<JournalEntry[]> => readJournal(db.read, query),
    /** How the documents of these entries were before, by the numbers of the entries. */
    backs: (nos: readonly number[]): Promise<Map<number, Difference[]>> => backsOf(db.read, nos),
  };
}
