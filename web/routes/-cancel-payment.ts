/** A shopper who began to pay and went back: the cart is theirs again. */
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { startNewCart } from '#web/features/cart/queries.ts';
import { useCartStore } from '#web/features/cart/use-cart.ts';
import { abandonAttempt, rememberedAttempt } from '#web/features/payment/remembered-attempt.ts';
import { useApi } from '#web/lib/api-context.tsx';
import { urls } from '#web/lib/urls.ts';

/**
 * Ends the attempt to pay that this tab began, if it did, and shows the cart as it then is; where it
 * was too late, the order. Without an answer nothing is lost: any change of the cart ends it as well.
 */
export function useCancelPayment(): void {
  const api = useApi();
  const client = useQueryClient();
  const cartStore = useCartStore();
  const navigate = useNavigate();
  useEffect(() => {
    if (rememberedAttempt() === null) return;
    const end = async () => {
      const order = await abandonAttempt(api);
      if (order.placedAt === null) return void (await cartStore.change(async () => order));
      const oid = order.orderID ?? '';
      await navigate({ href: urls.confirm({ oid }), replace: true });
      await startNewCart(client, api, oid);
    };
    end().catch(() => undefined);
  }, [api, client, cartStore, navigate]);
}
