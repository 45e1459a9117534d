/**
 * That this tab began to pay, and by which provider: so that a reloaded page can go on with it, and a
 * shopper who went elsewhere gets the cart back. Other tabs leave the attempt alone.
 */
import type { Order } from '#contract/schemas/order.ts';
import type { ApiClient } from '#web/lib/api.ts';
import { clearTab, readTab, writeTab } from '#web/lib/tab-storage.ts';

const key = 'paying';

export function rememberAttempt(provider: string): void {
  writeTab(key, provider);
}

/** The provider by which this tab began to pay; null where it did not, or where that has ended. */
export function rememberedAttempt(): string | null {
  const kept = readTab(key);
  return typeof kept === 'string' ? kept : null;
}

/**
 * Where Stripe has brought back here a shopper whom it had sent elsewhere: the address without what it
 * added, which is a secret, and neither to be shared nor bookmarked. Null where it has not. The tab need
 * not be the one that began: banks' apps open their own.
 */
export function addressAfterReturn(): string | null {
  if (typeof location === 'undefined') return null;
  const { pathname, search } = location;
  const parameters = new URLSearchParams(search);
  if (!parameters.has('payment_intent_client_secret')) return null;
  if (rememberedAttempt() === null) rememberAttempt('Stripe');
  for (const name of ['payment_intent', 'payment_intent_client_secret', 'redirect_status']) parameters.delete(name);
  return pathname + (parameters.size > 0 ? `?${parameters}` : '');
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
