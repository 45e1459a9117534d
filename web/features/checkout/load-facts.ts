/** Loads what cart and checkout show to everyone, so that it is part of the server's page. */
import type { QueryClient } from '@tanstack/react-query';
import { addressDefaults } from '#contract/limits.ts';
import type { ApiClient } from '#web/lib/api.ts';
import { storesQuery } from '#web/lib/stores-query.ts';
import { checkoutConfigQuery, countriesQuery, paymentConfigQuery, provincesQuery } from './queries.ts';

/**
 * Loads delivery and payment methods, stores, and the countries and provinces of the address form. On the server only: in the browser
 * the screens load them, and show meanwhile that they do. Whatever fails to load here is left to the browser as well.
 */
export async function loadCheckoutFacts({ api, queryClient }: { api: ApiClient; queryClient: QueryClient }): Promise<void> {
  if (!import.meta.env.SSR) return;
  await Promise.all([
    queryClient.prefetchQuery(checkoutConfigQuery(api)),
    queryClient.prefetchQuery(paymentConfigQuery(api)),
    queryClient.prefetchQuery(storesQuery(api)),
    queryClient.prefetchQuery(countriesQuery(api)),
    queryClient.prefetchQuery(provincesQuery(api, addressDefaults.countryISOCode)),
  ]);
}
