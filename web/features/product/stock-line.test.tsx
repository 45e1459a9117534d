/** The stock message of a product page for a product that is in stock. */
import { renderToStaticMarkup } from 'react-dom/server';
import { beforeAll, expect, it } from 'vitest';
import type { Inventory } from '#contract/schemas/catalogue.ts';
import { type I18n, I18nProvider } from '#ui/i18n.tsx';
import { loadI18n } from '#web/i18n/messages.ts';
import { StockLine } from './stock-line.tsx';

let i18n: I18n;
beforeAll(async () => {
  i18n = await loadI18n('en');
});

function said(shippable: number, atStore: { allowPickup: boolean; number: number }, inStoreOnly = false): string {
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
