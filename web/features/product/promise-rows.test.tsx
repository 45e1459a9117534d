/** Where a product can be picked up or bought, as its page shows it. */
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { renderToStaticMarkup } from 'react-dom/server';
import { beforeAll, expect, it } from 'vitest';
import type { Inventory } from '#contract/schemas/catalogue.ts';
import { type I18n, I18nProvider } from '#ui/i18n.tsx';
import { loadI18n } from '#web/i18n/messages.ts';
import { ApiContext, createApiClient } from '#web/lib/api.ts';
import { FirstPickup } from './promise-rows.tsx';
import { StockLine } from './stock-line.tsx';

const stores = [
  { localStoreName: 'studio', nameContent: { en: 'Studio', zh: '工作室' }, number: 2, allowPickup: false },
  { localStoreName: 'west', nameContent: { en: 'West', zh: '西店' }, number: 0, allowPickup: true },
];

async function shown(
  locale: 'en' | 'zh',
  inventoryStoreInfos: Inventory['inventoryStoreInfos'],
): Promise<string> {
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

let i18n: I18n;
beforeAll(async () => {
  i18n = await loadI18n('en');
});

function said(
  shippable: number,
  atStore: { allowPickup: boolean; number: number },
  inStoreOnly = false,
): string {
  const live: Inventory = {
    sku: 'CUP-1',
    status: 'InStock',
    priceInfo: null,
    shippable,
    obtainable: Math.max(shippable, atStore.number),
    inventoryStoreInfos: [{ localStoreName: 'west', nameContent: { en: 'West' }, ...atStore }],
  };
  return renderToStaticMarkup(
    <I18nProvider i18n={i18n}>
      <StockLine stock={{ status: 'InStock', live, sku: 'CUP-1' }} inStoreOnly={inStoreOnly} />
    </I18nProvider>,
  );
}

it.each([
  ['with stock to ship is shipped', 'product.ships', 2, true, false],
  ['with nothing left to ship is for pickup only', 'product.pickupOnly', 0, true, false],
  ['without shipping or pickup is sold in store only', 'card.inStoreOnly', 0, false, false],
  ['that the merchant serves in store only is for dine-in only', 'product.served', 0, true, true],
] as const)('a product %s', (_what, key, shippable, allowPickup, inStoreOnly) => {
  expect(said(shippable, { allowPickup, number: 1 }, inStoreOnly)).toContain(i18n.t(key));
});

it.each([
  [1, 'Only 1 left'],
  [3, 'Only 3 left'],
])('a product with %i left says how many', (left, text) => {
  expect(said(left, { allowPickup: true, number: 1 })).toContain(text);
});

it('a product with four left does not say how many', () => {
  expect(said(4, { allowPickup: true, number: 1 })).not.toContain('left');
});
