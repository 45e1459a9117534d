/** Runs the changes of a merchant: each is a transaction that also writes what it changed into the journal and the feed of the office. */
import type { Difference } from '#contract/rules/patch.ts';
import type { Kind } from '#contract/staff/messages.ts';
import type { Database, Trx } from '#db/database.ts';
import type { Actor } from '#server/platform/actors.ts';
import { type FieldChange, keptFields } from './documents.ts';
import {
  addChangesToFeed,
  addToJournal,
  backsOf,
  type JournalEntry,
  type JournalQuery,
  type JournalRow,
  readJournal,
} from './journal.repository.ts';

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
    return db.transaction(async (trx) => {
      const notes: JournalRow[] = [];
      let isNoted = false;
      const result = await work({
        trx,
        actor,
        note(kind, id, fields, back = []) {
          isNoted = true;
          if (fields?.length === 0) return;
          const kept = { kind, id, fields: fields ? JSON.stringify(keptFields(fields)) : null };
          notes.push(back.length === 0 ? kept : { ...kept, back: JSON.stringify(back) });
        },
      });
      if (!isNoted) throw new Error(`The change "${action}" notes nothing for the journal`);
      if (notes.length > 0) {
        const at = now();
        await addToJournal(db, trx, { at, actor, action }, notes);
        await addChangesToFeed(trx, at, notes);
      }
      return result;
    });
  }

  return {
    run,
    by:
      (actor: Actor, action: string): RunChange =>
      (work) =>
        run(actor, action, work),
    /** Entries of the journal, newest first. */
    journal: (query: JournalQuery): Promise<JournalEntry[]> => readJournal(db.read, query),
    /** How the documents of these entries were before, by the numbers of the entries. */
    backs: (nos: readonly number[]): Promise<Map<number, Difference[]>> => backsOf(db.read, nos),
  };
}
