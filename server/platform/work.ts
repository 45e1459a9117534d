/** What a call costs besides what it names: how many lines of carts it read, however deep the function that reads them. */
import { AsyncLocalStorage } from 'node:async_hooks';

const underWay = new AsyncLocalStorage<{ lines: number }>();

/** Outside `countLines` it does nothing. */
export function recordLines(lines: number): void {
  const work = underWay.getStore();
  if (work) work.lines += lines;
}

/** Tells `onEnd` of the lines that `run` read, also if it fails. */
export async function countLines<T>(run: () => Promise<T>, onEnd: (lines: number) => void): Promise<T> {
  const work = { lines: 0 };
  try {
    return await underWay.run(work, run);
  } finally {
    onEnd(work.lines);
  }
}
