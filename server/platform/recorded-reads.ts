/** Records which topics an answer shows while it is made, however deep the function that reads them. */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { ChangeLog } from '#db/change-tracker.ts';

interface Scope {
  topics: Set<string>;
  /** What has changed was read, or is being read, since the scope began. */
  refreshed: Promise<void> | 'done' | null;
}

const scopes = new AsyncLocalStorage<Scope>();

/** Notes that whatever is being made shows these topics. Outside `collectReads` it does nothing. */
export function recordReads(...topics: readonly string[]): void {
  recordAll(topics);
}

/** Like `recordReads`, for many topics: every answer from the cache calls it. */
export function recordAll(topics: readonly string[]): void {
  const scope = scopes.getStore();
  if (scope) for (const topic of topics) scope.topics.add(topic);
}

/**
 * Runs `work` and returns the topics that it read as well. They are not recorded for a surrounding `collectReads`. `refreshed`:
 * what has changed was read just before.
 */
export async function collectReads<T>(work: () => Promise<T>, refreshed = false): Promise<{ value: T; topics: string[] }> {
  const before = scopes.getStore()?.refreshed ?? null;
  const scope: Scope = { topics: new Set(), refreshed: refreshed ? 'done' : before };
  const value = await scopes.run(scope, work);
  return { value, topics: [...scope.topics] };
}

/**
 * Learns of every change committed before the call, or before the present scope began: an answer asks once, however many reads it is
 * made of. Returns undefined if no waiting is needed.
 */
export function refreshOnce(changes: ChangeLog): Promise<void> | undefined {
  const scope = scopes.getStore();
  if (!scope) return changes.refresh();
  scope.refreshed ??= changes.refresh() ?? 'done';
  return scope.refreshed === 'done' ? undefined : scope.refreshed;
}
