/** Where a product can be picked up or bought, as its page shows it. */
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import type { Inventory } from '#contract/schemas/catalogue.ts';
import { I18nProvider } from '#ui/i18n.tsx';
import { loadI18n } from '#web/i18n/messages.ts';
import { ApiContext, createApiClient } from '#web/lib/api.ts';
import { FirstPickup } from './promise-rows.tsx';

const stores = [
  { localStoreName: 'studio', nameContent: { en: 'Studio', zh: '工作室' }, number: 2, allowPickup: false },
  { localStoreName: 'west', nameContent: { en: 'West', zh: '西店' }, number: 0, allowPickup: true },
];

async function shown(locale: 'en' | 'zh', inventoryStoreInfos: Inventory['inventoryStoreInfos']): Promise<string> {
  const api = createApiClient(locale, () => Promise.reject(new Error('nothing is asked for')));
  const live: Inventory = {
    sku: 'CUP-1',
    status: 'OutOfStock',
    priceInfo: null,
    shippable: 0,
    obtainable: 2,
    inventoryStoreInfos,
  };
  return renderToStaticMarkup(
    <QueryClientProvider client={new QueryClient()}>
      <ApiContext value={api}>
        <I18nProvider i18n={await loadI18n(locale)}>
          <FirstPickup live={live} />
        </I18nProvider>
      </ApiContext>
    </QueryClientProvider>,
  );
}

it('a product that only a store without pickup has names that store', async () => {
  expect(await shown('en', stores)).toContain('In stock at Studio; visit the store to buy');
  expect(await shown('zh', stores)).toContain('工作室有货，请到店购买');
});

it('a product that no store has is not available for pickup', async () => {
  const none = stores.map((store) => ({ ...store, number: 0 }));
  expect(await shown('en', none)).toContain('Pickup isn’t available right now');
});
