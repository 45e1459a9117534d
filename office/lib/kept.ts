/** What is typed, kept in the browser under a name: for the person who typed it, shared by all tabs. */
import { useSyncExternalStore } from 'react';
import { useMe } from './me.tsx';

const listeners = new Set<() => void>();
/** What this tab has read or changed, by its name in the browser's storage. */
const known = new Map<string, unknown>();
/** What is changed and not yet written there. */
const unwritten = new Set<string>();
/** Writing each press of a key would take longer than the key, ms. */
const writeAfterMs = 200;

function write(): void {
  for (const key of unwritten) {
    const value = known.get(key) ?? null;
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, JSON.stringify(value));
  }
  unwritten.clear();
}

/** Another tab has written. */
function readAgain({ key }: StorageEvent): void {
  if (key === null) known.clear();
  else known.delete(key);
  for (const listener of listeners) listener();
}

if (typeof document !== 'undefined') {
  addEventListener('storage', readAgain);
  addEventListener('pagehide', write);
  document.addEventListener('visibilitychange', write);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

function valueAt<T>(key: string): T | null {
  if (!known.has(key)) known.set(key, JSON.parse(localStorage.getItem(key) ?? 'null'));
  // Written under this name alone, by whoever names its type.
  return known.get(key) as T | null;
}

/** Makes of what is kept what is to be kept; nothing: it is kept no longer. */
export type Keep<T> = (next: (value: T | null) => T | null | undefined) => void;

export function useKept<T>(name: readonly string[]): [T | null, Keep<T>] {
  const { email } = useMe();
  const key = ['office-draft', email, ...name].join(' ');
  const value = useSyncExternalStore(subscribe, () => valueAt<T>(key));
  const keep: Keep<T> = (next) => {
    known.set(key, next(valueAt<T>(key)) ?? null);
    if (unwritten.size === 0) setTimeout(write, writeAfterMs);
    unwritten.add(key);
    for (const listener of listeners) listener();
  };
  return [value, keep];
}
