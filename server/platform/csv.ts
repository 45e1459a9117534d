/** Writes tables as CSV in pieces: a table of any length takes no more memory than a piece of it. */
import { setImmediate } from 'node:timers/promises';
import { byteOrderMark, csvText, type Row } from '#contract/csv.ts';

export async function* csvOf(
  header: readonly string[],
  pieces: AsyncIterable<readonly Row[]>,
): AsyncGenerator<string> {
  yield byteOrderMark + csvText([header]);
  for await (const rows of pieces) {
    yield csvText(rows);
    // Shoppers are answered between the pieces.
    await setImmediate();
  }
}
