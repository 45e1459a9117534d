/**
 * What helpers open for a test: servers, databases, fakes. A worker keeps its modules from one test file to the next, so a helper
 * cannot register a hook of its own; `close-resources.ts` closes them all at the end of each file.
 */
type Close = () => unknown;

const open = new Set<Close>();

/** Calls `close` at the end of the test file, unless the returned function has been called before. */
export function closeAtEnd(close: Close): () => void {
  open.add(close);
  return () => open.delete(close);
}

export async function closeResources(): Promise<void> {
  const closing = [...open];
  open.clear();
  await Promise.all(closing.map((close) => close()));
}
