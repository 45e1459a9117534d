import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { startNewCart, useCartStore } from '#web/features/cart/use-cart.ts';
import { abandonAttempt, rememberedAttempt } from '#web/features/payment/remembered-attempt.ts';
import { useApi } from '#web/lib/api.ts';
import { urls } from '#web/lib/urls.ts';

/** Shows the resulting cart, or the order if it was too late. Without an answer nothing is lost: any change of the cart ends the attempt. */
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
