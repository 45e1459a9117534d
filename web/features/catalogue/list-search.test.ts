import { describe, expect, test } from 'vitest';
import { checkListSearch, checkProductListSearch, checkSearchSearch } from './list-search.ts';
import { brandUrl, categoryUrl, filtersOf, listUrl } from './source.ts';

const nothing = { cat: undefined, brand: undefined, sort: undefined, page: undefined };

describe('the query string of a list', () => {
  test('the query string of a list is read as typed', () => {
    expect(checkListSearch({ cat: 'teapots', brand: 'kiln-no-9', sort: 'price', page: '3' })).toEqual({
      cat: 'teapots',
      brand: 'kiln-no-9',
      sort: 'price',
      page: 3,
    });
  });

  test.each([
    [{}],
    [{ page: '0' }],
    [{ page: '1' }],
    [{ page: '-2' }],
    [{ page: '1e9' }],
    [{ page: '999999' }],
    [{ page: 'two' }],
    [{ sort: 'default' }],
    [{ sort: 'constructor' }],
    [{ cat: '../../etc' }],
    [{ brand: '<script>' }],
    [{ brand: 'x'.repeat(101) }],
    [{ cat: ['a'], brand: { a: 1 }, page: null, sort: 7 }],
  ])('an invalid query %o is left out', (raw) => {
    expect(checkListSearch(raw)).toEqual(nothing);
  });

  test('a search text loses outer spaces and everything beyond 200 characters', () => {
    expect(checkSearchSearch({ key: '  blue   mug ' }).key).toBe('blue mug');
    expect(checkSearchSearch({ key: '   ' }).key).toBeUndefined();
    expect(checkSearchSearch({}).key).toBeUndefined();
    expect(checkSearchSearch({ key: 'x'.repeat(300) }).key).toHaveLength(200);
  });

  test('a search text is never cut through a character', () => {
    const key = checkSearchSearch({ key: `${'x'.repeat(199)}🍵` }).key ?? '';
    expect(key).toBe('x'.repeat(199));
    expect(() => encodeURIComponent(key)).not.toThrow();
  });

  test('the query newArrival=true asks for new arrivals', () => {
    expect(checkProductListSearch({ newArrival: 'true' }).newArrival).toBe(true);
    expect(checkProductListSearch({ newArrival: '1' }).newArrival).toBeUndefined();
  });
});

describe('filters of a list', () => {
  test('the condition that defines a list cannot be removed as a filter', () => {
    expect(filtersOf({ kind: 'brand', name: 'kiln-no-9' }, { brand: 'other', cat: 'teapots' })).toEqual({
      brandName: 'kiln-no-9',
      categoryName: 'teapots',
    });
  });

  test('subcategories of a category list link to pages; categories of other lists are filters that start at the first page', () => {
    expect(categoryUrl({ kind: 'category', name: 'teapots' }, { brand: 'b', sort: 'name', page: 4 }, 'cups')).toBe(
      '/products/cups?brand=b&sort=name',
    );
    expect(categoryUrl({ kind: 'search', key: 'blue mug' }, { page: 4 }, 'cups')).toBe('/search?key=blue+mug&cat=cups');
    expect(categoryUrl({ kind: 'category', name: 'teapots' }, {}, undefined)).toBe('/productlist');
  });

  test('a brand filter can be added and removed', () => {
    expect(brandUrl({ kind: 'sale' }, { sort: 'price', page: 2 }, 'kiln-no-9')).toBe('/clearance?brand=kiln-no-9&sort=price');
    expect(brandUrl({ kind: 'sale' }, { brand: 'kiln-no-9' }, undefined)).toBe('/clearance');
  });

  test('the first page and the default order have the bare address', () => {
    expect(listUrl({ kind: 'tag', name: 'gift' }, { page: 1, sort: 'default' })).toBe('/tag/gift');
  });
});
