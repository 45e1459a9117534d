/**
 * Stores that this tab began to pay, and at which provider, so that a reloaded page can continue and a customer who went
 * elsewhere gets the cart back. Other tabs do not touch the attempt.
 */
import type { Order } from '#contract/schemas/order.ts';
import type { ApiClient } from '#web/lib/api.ts';
import { clearTab, readTab, writeTab } from '#web/lib/tab-storage.ts';
import { gateways } from './providers/registry.ts';

const key = 'paying';

export function rememberAttempt(provider: string): void {
  writeTab(key, provider);
}

/** The provider at which this tab began to pay; null if it did not, or if the attempt has ended. */
export function rememberedAttempt(): string | null {
  const provider = readTab(key);
  return typeof provider === 'string' ? provider : null;
}

/**
 * The address of this page without the parameters that a provider added when the customer returned from another site: they are
 * secret and must not be shared or bookmarked. Null if the customer does not return. The tab may differ from the one that
 * began, because banking apps open their own.
 */
export function addressAfterReturn(): string | null {
  if (typeof location === 'undefined') return null;
  const { pathname, search } = location;
  const parameters = new URLSearchParams(search);
  const returned = gateways.find(({ returnParameters: added }) => added && parameters.has(added.secret));
  if (!returned?.returnParameters) return null;
  if (rememberedAttempt() === null) rememberAttempt(returned.provider);
  for (const name of returned.returnParameters.all) parameters.delete(name);
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
