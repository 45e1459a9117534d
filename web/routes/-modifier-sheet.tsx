/** The sheet in which a product is ordered as the customer likes it, with the cart: for the menu of a table, and for lines of the cart. */
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { LineItem } from '#contract/schemas/order.ts';
import { useCartStore } from '#web/features/cart/use-cart.ts';
import { productQuery } from '#web/features/product/queries.ts';
import { useApi } from '#web/lib/api.ts';
import { lazyWithPreload } from '#web/lib/lazy-view.tsx';

const Sheet = lazyWithPreload(
  async () => (await import('#web/features/product/modifiers.tsx')).ModifierSheet,
  'more',
);

export const preloadModifierSheet = () => Sheet.preload().catch(() => undefined);

interface Asked {
  productId: string;
  line?: LineItem | undefined;
}

export function useModifierSheet(storeId: string | null, onAdded?: (productName: string) => void) {
  const api = useApi();
  const client = useQueryClient();
  const cartStore = useCartStore();
  const [asked, setAsked] = useState<Asked & { turn: number }>();
  const [open, setOpen] = useState(false);
  const ask = (next: Asked) => {
    // A new one each time, which begins with what the product or the line is by then.
    setAsked((last) => ({ ...next, turn: (last?.turn ?? 0) + 1 }));
    setOpen(true);
  };
  const likely = (productId: string) => {
    const load = () => {
      void preloadModifierSheet();
      void client.prefetchQuery({ ...productQuery(api, productId), staleTime: 60_000 });
    };
    return { onPointerEnter: load, onFocus: load };
  };
  const sheet: ReactNode = asked && (
    <Sheet
      key={asked.turn}
      open={open}
      productId={asked.productId}
      line={asked.line}
      storeId={storeId}
      onClose={() => setOpen(false)}
      save={async (item) => {
        const { line } = asked;
        const { sku, quantity, modifiers, note, unitPrice } = item;
        const body = { sku, quantity, modifiers, note, unitPrice };
        if (line)
          return await cartStore.change(() =>
            api.call('updateCartLine', { params: { line: line.id }, body }),
          );
        const order = await cartStore.add(item);
        onAdded?.(item.productName);
        return order;
      }}
    />
  );
  return { ask, likely, sheet };
}
