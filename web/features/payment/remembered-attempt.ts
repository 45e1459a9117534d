/** That this tab began to pay, and where, so that a reloaded page can continue. Other tabs do not touch the attempt. */
import type { Order } from '#contract/schemas/order.ts';
import type { ApiClient } from '#web/lib/api.ts';
import { clearTab, readTab, writeTab } from '#web/lib/tab-storage.ts';

const key = 'paying';

export function rememberAttempt(provider: string): void {
  writeTab(key, provider);
}

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
