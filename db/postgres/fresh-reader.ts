/**
 * Shares one query among all who ask while another is under way. Nobody gets an answer to a query
 * that was sent before they asked, so it is never older than the asking.
 */
export function freshReader<T>(query: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | null = null;
  let next: Promise<T> | null = null;

  function start(): Promise<T> {
    const mine = query().finally(() => {
      if (running === mine) running = null;
    });
    running = mine;
    return mine;
  }

  return () => {
    if (!running) return start();
    next ??= running
      .catch(() => {})
      .then(() => {
        next = null;
        return start();
      });
    return next;
  };
}
