/** How far the demo's past is, in the database. Without what makes it, so that each start can ask. */
import { advanceCounter, clearMark, counterValue, isMarked } from '#db/counters.ts';
import type { Database, Reader, Trx } from '#db/database.ts';

/** Counts the slices that are made, and one; no row: nothing is to be made. */
const slices = 'demoPast';
/** When the past ends, epoch ms. */
const end = 'demoPastUntil';

/** Says, together with the last of the demo, that the shop gets a past that ends at `at` (epoch ms). */
export async function wantPast(trx: Trx, at: number): Promise<void> {
  await advanceCounter(trx, slices);
  await advanceCounter(trx, end, at);
}

/** What is not made yet is not made any more. */
export async function endPast(trx: Trx): Promise<void> {
  for (const name of [slices, end]) await clearMark(trx, name);
}

export const isPastWanted = ({ read }: Pick<Database, 'read'>): Promise<boolean> => isMarked(read, slices);

/** The slice that is next, from 0, and when the past ends; null if nothing is to be made. */
export async function nextSlice(reader: Reader): Promise<{ slice: number; until: number } | null> {
  const next = await counterValue(reader, slices);
  return next === 0 ? null : { slice: next - 1, until: await counterValue(reader, end) };
}

/** In the transaction of a slice. False if another process has made it. */
export async function takeSlice(trx: Trx, slice: number): Promise<boolean> {
  return (await advanceCounter(trx, slices)) === slice + 2;
}
