import { setImmediate } from 'node:timers/promises';

export type Turns = ReturnType<typeof createTurns>;

/** Runs work that takes the thread for long one at a time. Other requests are answered between two. */
export function createTurns() {
  let last: Promise<unknown> = Promise.resolve();
  return <T>(work: () => Promise<T>): Promise<T> => {
    const turn = last.then(() => setImmediate()).then(work);
    last = turn.catch(() => undefined);
    return turn;
  };
}
