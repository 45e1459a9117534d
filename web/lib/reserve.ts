/** Orders to be paid at the store. That this tab asked for one is kept until an answer has come, also for a reloaded page. */
import type { Order } from '#contract/schemas/order.ts';
import { ApiError } from '#ui/errors.ts';
import type { ApiClient } from './api.ts';
import { clearTab, readTab, writeTab } from './tab-storage.ts';

const askedKey = 'reserving';

export async function reserve(
  api: ApiClient,
  { bill: { billVersion } }: Pick<Order, 'bill'>,
): Promise<{ orderID: string }> {
  writeTab(askedKey, true);
  try {
    const placed = await api.call('reserve', { body: { billVersion } });
    clearTab(askedKey);
    return placed;
  } catch (error) {
    if (error instanceof ApiError && error.status !== 0) clearTab(askedKey);
    throw error;
  }
}

/** Instead of an empty cart, the order that it became though no answer came; null if it did not. */
export async function placedBefore(api: ApiClient, cart: Order): Promise<string | null> {
  if (readTab(askedKey) === undefined) return null;
  return (await reserve(api, cart).catch(() => null))?.orderID ?? null;
}
