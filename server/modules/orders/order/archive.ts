/**
 * Orders of another shop. They are over: nothing was paid for them here, so nothing is due and nothing can be refunded, and no step of
 * theirs is taken back. A `#` before the number, which no order of this shop has, tells them apart.
 */
import type { Reader } from '#db/database.ts';
import { addNote, notesOf } from '#db/notes.ts';
import type { Change } from '#server/modules/changes/index.ts';
import { type ImportedOrder, insertImported } from './import.ts';
import { deleteOrder, findOrder, numbersTaken } from './orders.repository.ts';

export interface WrittenOrder {
  id: string;
  /** The last before it is changed here, such as by an erasure. */
  version: number;
  notes: number;
}

/** Such as `#1001`, by the name that the other shop gave it. */
export const archivedNumber = (name: string) => `#${name.replace(/^#+/, '').toUpperCase()}`;

export type OrderArchive = ReturnType<typeof createOrderArchive>;

export function createOrderArchive({ now }: { now: () => number }) {
  return {
    /** Those that are there, also as orders of this shop: its own export may come back. */
    async known(reader: Reader, numbers: readonly string[]): Promise<ReadonlySet<string>> {
      const own = (number: string) => number.slice(1);
      const taken = new Set(await numbersTaken(reader, [...numbers, ...numbers.map(own)]));
      return new Set(numbers.filter((number) => taken.has(number) || taken.has(own(number))));
    },

    /** `text` is a note for the staff, or ''. Null if the number is taken. */
    async add({ trx, note }: Change, order: ImportedOrder, text: string): Promise<WrittenOrder | null> {
      if (!(await insertImported(trx, order))) return null;
      if (text !== '') await addNote(trx, 'order', order.id, { actor: null, text, at: now() });
      note('order', order.number);
      return { id: order.id, version: order.states.length + 1, notes: text === '' ? 0 : 1 };
    },

    /** False if somebody has changed it since, or written about it. */
    async remove({ trx, note }: Change, { id, version, notes }: WrittenOrder): Promise<boolean> {
      const order = await findOrder(trx, id);
      if (!order || order.version !== version || (await notesOf(trx, 'order', id)).length > notes) return false;
      await deleteOrder(trx, id);
      note('order', order.number ?? '');
      return true;
    },
  };
}
