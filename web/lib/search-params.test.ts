import { expect, test } from 'vitest';
import { parsePlainSearch, stringifyPlainSearch } from './search-params.ts';

test('search parameters are text and nothing else', () => {
  expect(parsePlainSearch('?key=2024&page=2&flag=true&json={"a":1}')).toEqual({
    key: '2024',
    page: '2',
    flag: 'true',
    json: '{"a":1}',
  });
});

test('empty search parameters are dropped, and the first of several counts', () => {
  expect(parsePlainSearch('?key=&brand=a&brand=b')).toEqual({ brand: 'a' });
  expect(stringifyPlainSearch({ key: '', brand: undefined, sort: null })).toBe('');
});

test('a submitted form value comes back as it was typed', () => {
  const search = stringifyPlainSearch({ key: 'tea & 茶 +1' });
  expect(parsePlainSearch(search)).toEqual({ key: 'tea & 茶 +1' });
});

test('parameters named like object properties are ordinary parameters', () => {
  expect(parsePlainSearch('?constructor=a')).toEqual({ constructor: 'a' });
});
