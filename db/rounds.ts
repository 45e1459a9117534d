/**
 * Runs rounds of queries on one connection at a time, each for all callers that wait for one. No caller gets a round that began before
 * its call, so what it reads is never older than the call.
 *
 * The first round begins at the end of a turn of the event loop, so that requests that arrived in one turn share it. Requests that
 * arrive during a round share the next, which is sent before the callers of the present one go on: the database works meanwhile.
 */

/** A connection that is lent. */
export interface RoundClient {
  release(broken?: boolean): void;
}

export interface Rounds<C, R> {
  connect(): Promise<C>;
  /** Sends its queries before it first waits. If it rejects, the connection is closed. */
  run(client: C): Promise<R>;
}

/** After so many rounds the connection goes back to its pool, which may have another one to give by then. */
const mostRounds = 1000;

/** Returns a function that waits for a round that begins after the call. */
export function createRounds<C extends RoundClient, R>({ connect, run }: Rounds<C, R>): () => Promise<R> {
  let waiting: PromiseWithResolvers<R> | null = null;
  let busy = false;

  function takeWaiting(): PromiseWithResolvers<R> | null {
    const callers = waiting;
    waiting = null;
    return callers;
  }

  /** Runs rounds as long as callers wait for them. A round that fails fails for its callers and ends the connection. */
  async function runOn(client: C): Promise<void> {
    let callers = takeWaiting();
    let round = callers && run(client);
    for (let count = 1; callers && round; count += 1) {
      const { resolve, reject } = callers;
      try {
        const result = await round;
        callers = count < mostRounds ? takeWaiting() : null;
        round = callers && run(client);
        resolve(result);
      } catch (error) {
        reject(error);
        client.release(true);
        return;
      }
    }
    client.release();
  }

  async function work(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    try {
      await runOn(await connect());
    } catch (error) {
      takeWaiting()?.reject(error);
    }
    busy = false;
    if (waiting) start();
  }

  function start(): void {
    busy = true;
    void work();
  }

  return () => {
    waiting ??= Promise.withResolvers<R>();
    const { promise } = waiting;
    if (!busy) start();
    return promise;
  };
}
