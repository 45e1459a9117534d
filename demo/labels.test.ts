/** What is printed on tins and jars in the photographs (demo/studio/labels.py). */
import { describe, expect, test } from 'vitest';
import labels from './data/labels.json' with { type: 'json' };
import products from './data/products.json' with { type: 'json' };

type Both = Record<'en' | 'zh', string>;
type Label = Record<'name' | 'origin' | 'harvest' | 'weight', Both>;
interface Tea {
  slug: string;
  name: Both;
  tea?: { packGrams: number; origin?: Both; harvest?: Both };
}

const teas = products as Tea[];
const printed = Object.entries(labels as Record<string, Label>);

describe('the labels of tins and jars', () => {
  test('each tea that is sold in a tin or jar has one', () => {
    // A pressed cake is in paper.
    const packed = teas.filter(({ slug, tea }) => tea && slug !== 'puer-cake').map(({ slug }) => slug);
    expect(packed.length).toBeGreaterThan(8);
    expect(printed.map(([slug]) => slug).toSorted()).toEqual(packed.toSorted());
  });

  test.each(printed)('the label of %s says what its page says', (slug, { name, origin, harvest, weight }) => {
    const { tea, name: called } = teas.find((product) => product.slug === slug) ?? {};
    for (const language of ['en', 'zh'] as const)
      expect(called?.[language].startsWith(name[language]), language).toBe(true);
    expect({ origin, harvest }).toEqual({ origin: tea?.origin, harvest: tea?.harvest });
    expect(weight).toEqual({ en: `${tea?.packGrams} g`, zh: `净含量 ${tea?.packGrams} 克` });
  });
});
