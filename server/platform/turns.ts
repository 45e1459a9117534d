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

/** Runs work on the same thing one after the other. */
export function createTurnsOf() {
  const last = new Map<string, Promise<unknown>>();
  return <T>(name: string, work: () => Promise<T>): Promise<T> => {
    const turn = (last.get(name) ?? Promise.resolve()).then(work);
    const ended = turn
      .catch(() => undefined)
      .finally(() => {
        if (last.get(name) === ended) last.delete(name);
      });
    last.set(name, ended);
    return turn;
  };
}
