import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useHydrated } from '@tanstack/react-router';
import { useEffect, useState, useSyncExternalStore } from 'react';
import type { CartItem, Order } from '#contract/schemas/order.ts';
import { useApi } from '#web/lib/api.ts';
import type { CartStore } from './cart-store.ts';
import { cartKey, cartStore, myCartQuery } from './queries.ts';

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
export function useAddToCart(): { add: (input: CartItem) => Promise<Order>; pending: boolean; storeId: string | null } {
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
