/**
 * Stores that this tab began to pay, and at which provider, so that a reloaded page can continue and a customer who went
 * elsewhere gets the cart back. Other tabs do not touch the attempt.
 */
import type { Order } from '#contract/schemas/order.ts';
import type { ApiClient } from '#web/lib/api.ts';
import { clearTab, readTab, writeTab } from '#web/lib/tab-storage.ts';

const key = 'paying';

export function rememberAttempt(provider: string): void {
  writeTab(key, provider);
}

/** The provider at which this tab began to pay; null if it did not, or if the attempt has ended. */
export function rememberedAttempt(): string | null {
  const provider = readTab(key);
  return typeof provider === 'string' ? provider : null;
}

export function forgetAttempt(): void {
  clearTab(key);
}

/** Ends the attempt at its provider. The order is a cart again, or placed if it was too late. */
export async function abandonAttempt(api: ApiClient): Promise<Order> {
  const order = await api.call('cancelPayment', { body: {} });
  forgetAttempt();
  return order;
}
