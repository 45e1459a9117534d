/** What staff write about orders and customers: how much of it there may be. */
import type { Reader } from '#db/database.ts';
import { type About, countNotes } from '#db/notes.ts';
import { AppError } from './errors.ts';

/** More would be no page any more: each reader of an order or customer gets all of them. */
export const mostNotes = 200;

/** @throws {AppError} CONFLICT if there are as many notes of it as there may be */
export async function requireRoomForNote(reader: Reader, about: About, id: string): Promise<void> {
  if ((await countNotes(reader, about, id)) >= mostNotes)
    throw new AppError('CONFLICT', { errorKey: 'office.notes.many', values: { count: mostNotes } });
}
