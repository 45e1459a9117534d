import { describe, expect, test } from 'vitest';
import { checkListSearch, checkProductListSearch, checkSearchSearch } from './list-search.ts';
import { filtersOf, filterUrl, listUrl } from './source.ts';

const noFilters = {
  cat: undefined,
  brand: undefined,
  price: undefined,
  capacity: undefined,
  colour: undefined,
  store: undefined,
  tag: undefined,
};
const nothing = { ...noFilters, sort: undefined, page: undefined };

describe('the query string of a list', () => {
  test('the query string of a list is read as typed', () => {
    expect(checkListSearch({ cat: 'teapots', brand: 'kiln-no-9', sort: 'price', page: '3' })).toEqual({
      ...noFilters,
      cat: 'teapots',
      brand: 'kiln-no-9',
      sort: 'price',
      page: 3,
    });
    const filters = {
      price: '3000-5999',
      capacity: '801-',
      colour: 'green',
      store: 'ottawa-byward',
      tag: 'caffeine-free',
    };
    expect(checkListSearch(filters)).toEqual({ ...nothing, ...filters });
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
    [{ price: '-' }],
    [{ price: 'cheap', capacity: '1-2-3' }],
    [{ colour: '#fff', store: '../x', tag: '' }],
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
    expect(
      filterUrl({ kind: 'category', name: 'teapots' }, { brand: 'b', sort: 'name', page: 4 }, 'cat', 'cups'),
    ).toBe('/products/cups?brand=b&sort=name');
    expect(filterUrl({ kind: 'search', key: 'blue mug' }, { page: 4 }, 'cat', 'cups')).toBe(
      '/search?key=blue+mug&cat=cups',
    );
    expect(filterUrl({ kind: 'category', name: 'teapots' }, {}, 'cat', undefined)).toBe('/productlist');
  });

  test('a brand filter can be added and removed', () => {
    expect(filterUrl({ kind: 'sale' }, { sort: 'price', page: 2 }, 'brand', 'kiln-no-9')).toBe(
      '/clearance?brand=kiln-no-9&sort=price',
    );
    expect(filterUrl({ kind: 'sale' }, { brand: 'kiln-no-9' }, 'brand', undefined)).toBe('/clearance');
  });

  test('a filter keeps the others', () => {
    const search = { price: '3000-5999', colour: 'green', store: 'ottawa-byward', page: 3 } as const;
    expect(filterUrl({ kind: 'tag', name: 'gift' }, search, 'capacity', '-150')).toBe(
      '/tag/gift?price=3000-5999&capacity=-150&colour=green&store=ottawa-byward',
    );
    expect(filterUrl({ kind: 'category', name: 'tea' }, search, 'cat', 'green-tea')).toBe(
      '/products/green-tea?price=3000-5999&colour=green&store=ottawa-byward',
    );
  });

  test('the first page and the default order have the bare address', () => {
    expect(listUrl({ kind: 'tag', name: 'gift' }, { page: 1, sort: 'default' })).toBe('/tag/gift');
  });
});
