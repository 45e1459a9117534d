import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useHydrated } from '@tanstack/react-router';
import { useEffect, useState, useSyncExternalStore } from 'react';
import type { Order } from '#contract/schemas/order.ts';
import { useApi } from '#web/lib/api-context.tsx';
import type { AddInput, CartStore } from './cart-store.ts';
import { cartStore, myCartQuery } from './queries.ts';

export function useCartStore(): CartStore {
  return cartStore(useQueryClient(), useApi());
}

/**
 * The cart as it is shown: changes appear at once, and go back when the shop refuses them. Undefined
 * while a page of the server is taken over, even if the header has fetched it already: what is rendered
 * then has to be what the server rendered.
 */
export function useCart() {
  const hydrated = useHydrated();
  const query = useQuery(myCartQuery(useApi()));
  const cartStore = useCartStore();
  const pending = useSyncExternalStore(
    (changed) => cartStore.subscribe(changed),
    () => cartStore.pending,
    () => false,
  );
  // A choice still resting when the page is left goes out now.
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
 * Puts a product in the cart. `add` resolves with the cart as it then is, or rejects with the shop's
 * refusal (`ApiError`); `pending` is true until then.
 */
export function useAddToCart(): { add: (input: AddInput) => Promise<Order>; pending: boolean } {
  const cartStore = useCartStore();
  const [open, setOpen] = useState(0);
  const add = async (input: AddInput) => {
    setOpen((count) => count + 1);
    try {
      return await cartStore.add(input);
    } finally {
      setOpen((count) => count - 1);
    }
  };
  return { add, pending: open > 0 };
}
