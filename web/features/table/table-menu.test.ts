import { expect, it } from 'vitest';
import type { Product } from '#contract/schemas/catalogue.ts';
import { chosenSku, firstChoices, firstSentence } from './table-menu.tsx';

const priceInfo = { price: 700, listPrice: null, currency: 'CAD', from: false };
const sku = (name: string, optionPairs: string, inStock: boolean) => ({ sku: name, optionPairs, priceInfo, inStock });
const value = (name: string) => ({
  value: name,
  valueContent: { en: name },
  priceInfo: { price: 0 },
  overridePrice: null,
  inventoryAttribute: name,
  color: null,
  image: null,
});
const latte: Pick<Product, 'skus'> & { specification: Pick<Product['specification'], 'options'> } = {
  skus: [
    sku('DAIRY-S', '#Milk:Dairy#Size:S', false),
    sku('OAT-S', '#Milk:Oat#Size:S', true),
    sku('OAT-SL', '#Milk:Oat#Size:SL', true),
  ],
  specification: {
    options: [
      { name: 'Milk', nameContent: { en: 'Milk' }, values: [value('Dairy'), value('Oat')] },
      { name: 'Size', nameContent: { en: 'Size' }, values: [value('S'), value('SL')] },
    ],
  },
};

it('the first choices of a menu item are those of its first SKU in stock', () => {
  expect(firstChoices(latte)).toEqual({ Milk: 'Oat', Size: 'S' });
});

it('chosen values find the SKU that has exactly them', () => {
  expect(chosenSku(latte, { Milk: 'Oat', Size: 'SL' })?.sku).toBe('OAT-SL');
  expect(chosenSku(latte, { Milk: 'Oat', Size: 'S' })?.sku).toBe('OAT-S');
  expect(chosenSku(latte, { Milk: 'Dairy', Size: 'SL' })).toBeUndefined();
});

it('the first sentence of a description ends with its own mark, in English and in Chinese', () => {
  expect(firstSentence('Tieguanyin over ice. Unsweetened unless you ask.')).toBe('Tieguanyin over ice.');
  expect(firstSentence('铁观音隔夜冷泡，加冰。默认不加糖。')).toBe('铁观音隔夜冷泡，加冰。');
});

it('a point within a number ends no sentence, and a text without an end is whole', () => {
  expect(firstSentence('A cup of 1.5 dl, hot. With milk.')).toBe('A cup of 1.5 dl, hot.');
  expect(firstSentence('Lotus and egg yolk')).toBe('Lotus and egg yolk');
});
