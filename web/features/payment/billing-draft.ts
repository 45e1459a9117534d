/** Stores the billing address while it is typed, for this tab, until the order is placed or the customer signs out. */
import { clearTab, readTab, writeTab } from '#web/lib/tab-storage.ts';

const key = 'billing';

/** The stored values; unvalidated, since they come from the browser's storage. */
export function loadBilling(): unknown {
  return readTab(key);
}

export function saveBilling(address: object): void {
  writeTab(key, address);
}

export function clearBilling(): void {
  clearTab(key);
}
