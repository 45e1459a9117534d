import { type QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useHydrated } from '@tanstack/react-router';
import { useEffect, useState, useSyncExternalStore } from 'react';
import type { CartItem, Order } from '#contract/schemas/order.ts';
import { type ApiClient, useApi } from '#web/lib/api.ts';
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
function cartStore(client: QueryClient, api: ApiClient): CartStore {
  const known = cartStores.get(client);
  if (known) return known;
  const cartStore = new CartStore(
    {
      calls: {
        read: () => api.call('myCart'),
        add: ({ sku, ...body }) =>
          api.call('addToCart', { params: { itemName: sku }, body: { sku, ...body } }),
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
export async function startNewCart(
  client: QueryClient,
  api: ApiClient,
  orderId: string | null,
): Promise<void> {
  cartStore(client, api).reset(orderId);
  await client.resetQueries({ queryKey: cartKey });
}

/** Reloads the cart after the session changed owner: the shown cart belonged to another session, or has been merged. */
export async function renewCart(client: QueryClient, api: ApiClient): Promise<void> {
  cartStore(client, api).forget();
  await client.resetQueries({ queryKey: cartKey });
}

export function useCartStore(): CartStore {
  return cartStore(useQueryClient(), useApi());
}

/**
 * The cart as shown: changes appear at once, and are reverted if the shop rejects them. Undefined during hydration of
 * a page that is the same for everybody, even if the header has already loaded the cart, because the first render must match the
 * server's.
 */
export function useCart() {
  const api = useApi();
  const hydrated = useHydrated() || api.visitor;
  const query = useQuery(myCartQuery(api));
  const cartStore = useCartStore();
  const pending = useSyncExternalStore(
    (changed) => cartStore.subscribe(changed),
    () => cartStore.pending,
    () => false,
  );
  // A quantity that is still waiting to be sent is sent when the page is left.
  useEffect(() => {
    const flush = () => cartStore.flush();
    addEventListener('pagehide', flush);
    return () => {
      removeEventListener('pagehide', flush);
      flush();
    };
  }, [cartStore]);
  const order = hydrated ? query.data : undefined;
  return { order, error: hydrated ? query.error : null, retry: query.refetch, cartStore, pending };
}

/**
 * Adds a product to the cart. `add` resolves with the new cart, or rejects with the shop's `ApiError`; `pending` is true until
 * then. `storeId` is the store that the cart is for, if that is known.
 */
export function useAddToCart(): {
  add: (input: CartItem) => Promise<Order>;
  pending: boolean;
  storeId: string | null;
} {
  const cartStore = useCartStore();
  const [open, setOpen] = useState(0);
  const add = async (input: CartItem) => {
    setOpen((count) => count + 1);
    try {
      return await cartStore.add(input);
    } finally {
      setOpen((count) => count - 1);
    }
  };
  const storeId = useQueryClient().getQueryData<Order>(cartKey)?.localStoreName ?? null;
  return { add, pending: open > 0, storeId };
}
