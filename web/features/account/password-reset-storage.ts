/** Whose password is being set anew: kept for this tab from one screen to the next, never part of an address. */
import { clearTab, readTab, writeTab } from '#web/lib/tab-storage.ts';

const key = 'forgotten';

export function saveResetEmail(email: string): void {
  writeTab(key, email);
}

/** The email that a temporary password was asked for; '' where there is none. */
export function readResetEmail(): string {
  const kept = readTab(key);
  return typeof kept === 'string' ? kept : '';
}

export function clearResetEmail(): void {
  clearTab(key);
}
