/**
 * Callers that arrive while a query runs share the next one: a result is never older than the call. `gathers`: a query is sent at
 * the end of a turn of the event loop, so that requests that arrived in one turn share it; otherwise the first would start a
 * query of its own, and the others would wait for two.
 */
export function freshReader<T>(
  query: () => Promise<T>,
  { gathers = false }: { gathers?: boolean } = {},
): () => Promise<T> {
  let running: Promise<T> | null = null;
  let next: Promise<T> | null = null;

  function start(): Promise<T> {
    next = null;
    const mine = query().finally(() => {
      if (running === mine) running = null;
    });
    running = mine;
    return mine;
  }

  async function startLater(): Promise<T> {
    if (running) await running.catch(() => {});
    if (gathers) await new Promise((resolve) => setImmediate(resolve));
    return start();
  }

  return () => {
    if (!running && !gathers) return start();
    next ??= startLater();
    return next;
  };
}
