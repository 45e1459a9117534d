/**
 * That this tab began to pay, and where, so that a reloaded page can continue. Other tabs do not touch the attempt. `due`: the `dueVersion`
 * of the address, if an order is paid in place of the cart.
 */
import type { Order } from '#contract/schemas/order.ts';
import type { ApiClient } from '#web/lib/api.ts';
import { clearTab, readTab, writeTab } from '#web/lib/tab-storage.ts';

const keyOf = (due: string | undefined) => `paying${due ?? ''}`;

export function rememberAttempt(provider: string, due: string | undefined): void {
  writeTab(keyOf(due), provider);
}

export function rememberedAttempt(due?: string): string | null {
  const provider = readTab(keyOf(due));
  return typeof provider === 'string' ? provider : null;
}

export function forgetAttempt(due: string | undefined): void {
  clearTab(keyOf(due));
}

/** Ends the attempt at its provider. The order is a cart again, or placed if it was too late; with `due` something is due of it still. */
export async function abandonAttempt(api: ApiClient, due?: string): Promise<Order> {
  const order = await api.call('cancelPayment', { body: due === undefined ? {} : { dueVersion: due } });
  forgetAttempt(due);
  return order;
}
