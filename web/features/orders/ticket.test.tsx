import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import type { LineItem } from '#contract/schemas/order.ts';
import { sampleOrder } from '#tests/sample-order.ts';
import { I18nProvider, loadI18n } from '#web/i18n/i18n.tsx';
import { Ticket } from './ticket.tsx';

const line = (sku: string, brandContent: LineItem['brandContent']): LineItem => ({
  itemName: sku,
  sku,
  product: sku,
  productName: sku,
  nameContent: { en: sku },
  brandContent,
  optionPairs: '',
  optionText: '',
  quantity: 1,
  unitPrice: 100,
  listPrice: null,
  lineTotal: 100,
  image: null,
  inStoreOnly: false,
  inventoryProcessingStatus: 'processed',
  obtainable: 1,
});

const kiln = { en: 'Kiln No. 9', zh: '九号窑' };
const lines = [line('a', kiln), line('b', { en: 'Hanlu Tea', zh: '寒露茶' }), line('c', kiln), line('d', null)];

async function ticketOf(language: 'en' | 'zh', lineItems: LineItem[]): Promise<string> {
  return renderToStaticMarkup(
    <I18nProvider i18n={await loadI18n(language)}>
      <Ticket order={{ ...sampleOrder, lineItems }} store={undefined} shopName="Shop">
        {null}
      </Ticket>
    </I18nProvider>,
  );
}

it('a ticket has the seal of each maker once, with the letters of its name', async () => {
  const english = await ticketOf('en', lines);
  expect(english).toContain('Made by');
  expect([...english.matchAll(/<\/svg>([^<]+)<\/li>/g)].map(([, name]) => name)).toEqual(['Kiln No. 9', 'Hanlu Tea']);
  expect([...english.matchAll(/<text[^>]*>(\w)<\/text>/g)].map(([, letter]) => letter)).toEqual(['S', 'K', 'N', 'H', 'T']);
  const chinese = await ticketOf('zh', lines);
  expect([...chinese.matchAll(/<text[^>]*>(\p{Script=Han})<\/text>/gu)].map(([, letter]) => letter).join('')).toBe(
    '九号窑寒露茶',
  );
});

it('a ticket of lines without a brand names no maker', async () => {
  expect(await ticketOf('en', [line('d', null)])).not.toContain('Made by');
});
