import { useQueryClient } from '@tanstack/react-query';
import type { SessionInfo } from '#contract/schemas/shop.ts';
import { clearPersonalData, guest, sessionKey } from '#web/features/account/queries.ts';
import { renewCart, useCartStore } from '#web/features/cart/use-cart.ts';
import { clearDraft } from '#web/features/checkout/draft.ts';
import { useApi } from '#web/lib/api.ts';
import { billingKey, clearTab, resetEmailKey } from '#web/lib/tab-storage.ts';

export function useSessionChange() {
  const api = useApi();
  const client = useQueryClient();
  const cartStore = useCartStore();
  return {
    /** After all pending changes of the guest's cart, which is merged into the customer's. */
    async enter(call: () => Promise<SessionInfo>): Promise<SessionInfo> {
      await cartStore.settled();
      const session = await call();
      clearPersonalData(client);
      client.setQueryData(sessionKey, session);
      await renewCart(client, api);
      return session;
    },
    /** SPEC §4: ends the session with `call`, and clears user, cart, categories and everything typed in this tab. */
    async leave(call: () => Promise<unknown>): Promise<void> {
      await cartStore.settled();
      await call();
      clearDraft();
      for (const key of [billingKey, resetEmailKey]) clearTab(key);
      clearPersonalData(client);
      client.removeQueries({ queryKey: ['category'] });
      client.setQueryData(sessionKey, guest);
      await renewCart(client, api);
    },
  };
}
