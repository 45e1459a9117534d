import { expect, it } from 'vitest';
import type { StoredOptions } from '#contract/schemas/product.ts';
import { cardFact } from './card.ts';

const sizes = (...names: string[]): StoredOptions => [
  {
    name: { en: 'Size' },
    values: names.map((name) => ({
      name: { en: name, zh: `${name}（中）` },
      priceDeltaCents: 0,
      overridePriceCents: null,
      skuSuffix: '',
      color: null,
      image: null,
    })),
  },
];

it('the fact of a card is what the merchant says, before anything that the data say', () => {
  const keyFact = { en: 'Set of 4', zh: '4 只装' };
  const product = { details: { keyFact, dimensions: { capacityMl: 45 } }, options: sizes('50 g') };
  expect(cardFact(product, 'en')).toBe('Set of 4');
  expect(cardFact(product, 'zh')).toBe('4 只装');
});

it('the fact of a card is the first amount among the options', () => {
  expect(
    cardFact({ details: { dimensions: { capacityMl: 250 } }, options: sizes('50 g', '100 g') }, 'zh'),
  ).toBe('50 g（中）');
  expect(
    cardFact({ details: { dimensions: { capacityMl: 250 } }, options: sizes('Small', 'Large') }, 'en'),
  ).toBe('250 ml');
});

it('the fact of a card is the capacity of a vessel, or the height of what stands upright', () => {
  expect(cardFact({ details: { dimensions: { capacityMl: 3200, heightCm: 10 } }, options: [] }, 'en')).toBe(
    '3.2 L',
  );
  expect(cardFact({ details: { dimensions: { heightCm: 33, diameterCm: 32 } }, options: [] }, 'en')).toBe(
    '33 cm high',
  );
  expect(
    cardFact({ details: { dimensions: { heightCm: 2.5, diameterCm: 26 } }, options: [] }, 'en'),
  ).toBeUndefined();
});
