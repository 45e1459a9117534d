import { describe, expect, test } from 'vitest';
import { linksOfCategories, withoutCategories } from './categories.ts';

const categories = [
  { id: 'tea', parent: null, name: { en: 'Tea' } },
  { id: 'green', parent: 'tea', name: { en: 'Green' } },
  { id: 'ware', parent: null, name: { en: 'Ware' } },
];
const kiln = { label: { en: 'Our kiln' }, link: '/kiln' };

describe('categories in a menu', () => {
  test('links of categories give way to the list of the shop, and other links keep their order', () => {
    const [tea, ware] = linksOfCategories(categories);
    if (!tea || !ware) throw new Error('The first categories have no links');
    expect(tea.children).toEqual([{ label: { en: 'Green' }, link: '/products/green' }]);
    expect(withoutCategories([tea, kiln, ware], categories)).toEqual([kiln]);
  });

  test('a link of another kind below a category moves up when the category goes', () => {
    const tea = {
      label: { en: 'Tea' },
      link: '/products/tea',
      children: [{ label: { en: 'Green' }, link: '/products/green' }, kiln],
    };
    expect(withoutCategories([tea], categories)).toEqual([kiln]);
  });

  test('a group of the merchant’s own keeps its links to categories', () => {
    const gifts = {
      label: { en: 'Gifts' },
      link: '/gifts',
      children: [{ label: { en: 'Tea' }, link: '/products/tea' }],
    };
    expect(withoutCategories([gifts], categories)).toEqual([gifts]);
  });

  test('a link to a category below another stays, as the shop does not show that beside its first ones', () => {
    const green = { label: { en: 'Green tea' }, link: '/products/green' };
    expect(withoutCategories([green], categories)).toEqual([green]);
  });
});
