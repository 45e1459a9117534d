/** Whose password is being set anew: kept for this tab from one screen to the next, never part of an address. */
import { clearTab, readTab, writeTab } from '#web/lib/tab-storage.ts';

const key = 'forgotten';

export function keepForgotten(email: string): void {
  writeTab(key, email);
}

/** The email that a temporary password was asked for; '' where there is none. */
export function readForgotten(): string {
  const kept = readTab(key);
  return typeof kept === 'string' ? kept : '';
}

export function clearForgotten(): void {
  clearTab(key);
}
