/** The billing address that is being typed: kept for this tab until the order is placed or its shopper signs off. */
import { clearTab, readTab, writeTab } from '#web/lib/tab-storage.ts';

const key = 'billing';

/** What was typed; anything, since the browser kept it. */
export function loadBilling(): unknown {
  return readTab(key);
}

export function saveBilling(address: object): void {
  writeTab(key, address);
}

export function clearBilling(): void {
  clearTab(key);
}
