/** Stores the email of a password reset for this tab, from one screen to the next; it is never part of a URL. */
import { clearTab, readTab, writeTab } from '#web/lib/tab-storage.ts';

const key = 'forgotten';

export function saveResetEmail(email: string): void {
  writeTab(key, email);
}

export function readResetEmail(): string {
  const kept = readTab(key);
  return typeof kept === 'string' ? kept : '';
}

export function clearResetEmail(): void {
  clearTab(key);
}
