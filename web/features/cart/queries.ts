import { type QueryClient, queryOptions } from '@tanstack/react-query';
import type { Order } from '#contract/schemas/order.ts';
import type { ApiClient } from '#web/lib/api.ts';
import { CartStore } from './cart-store.ts';

export const cartKey = ['cart'] as const;

/**
 * The session's cart. Only a page that is rendered for its visitor contains it: elsewhere it is requested after the page has loaded.
 * It is requested again whenever the customer returns to this tab, since another tab may have changed it.
 */
export function myCartQuery(api: ApiClient) {
  return queryOptions({
    queryKey: cartKey,
    queryFn: ({ client }) => cartStore(client, api).read(),
    staleTime: 10_000,
    refetchOnWindowFocus: 'always',
  });
}

const cartStores = new WeakMap<QueryClient, CartStore>();

/** The cart store of a page, through which every change of the cart goes. */
export function cartStore(client: QueryClient, api: ApiClient): CartStore {
  const known = cartStores.get(client);
  if (known) return known;
  const cartStore = new CartStore(
    {
      calls: {
        read: () => api.call('myCart'),
        add: ({ sku, ...body }) => api.call('addToCart', { params: { itemName: sku }, body: { sku, ...body } }),
        setQuantity: (line, quantity) => api.call('updateCartLine', { params: { line }, body: { quantity } }),
        remove: (line) => api.call('deleteCartLine', { body: { line } }),
        comment: (value) => api.call('updateCustomerComment', { body: { value } }),
      },
      show: (order) => client.setQueryData(cartKey, order),
    },
    client.getQueryData<Order>(cartKey),
  );
  cartStores.set(client, cartStore);
  return cartStore;
}

/** Drops the cart after it became the order `orderId`, so that no late answer shows it again, and loads the new, empty one. */
export async function startNewCart(client: QueryClient, api: ApiClient, orderId: string | null): Promise<void> {
  cartStore(client, api).reset(orderId);
  await client.resetQueries({ queryKey: cartKey });
}

/** Reloads the cart after the session changed owner: the shown cart belonged to another session, or has been merged. */
export async function renewCart(client: QueryClient, api: ApiClient): Promise<void> {
  cartStore(client, api).forget();
  await client.resetQueries({ queryKey: cartKey });
}
