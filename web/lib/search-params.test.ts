import { expect, test } from 'vitest';
import { parsePlainSearch, stringifyPlainSearch } from './search-params.ts';

test('values are text and nothing else', () => {
  expect(parsePlainSearch('?key=2024&page=2&flag=true&json={"a":1}')).toEqual({
    key: '2024',
    page: '2',
    flag: 'true',
    json: '{"a":1}',
  });
});

test('empty values are dropped, the first of several counts', () => {
  expect(parsePlainSearch('?key=&brand=a&brand=b')).toEqual({ brand: 'a' });
  expect(stringifyPlainSearch({ key: '', brand: undefined, sort: null })).toBe('');
});

test('what a form sends comes back as it was typed', () => {
  const search = stringifyPlainSearch({ key: 'tea & 茶 +1' });
  expect(parsePlainSearch(search)).toEqual({ key: 'tea & 茶 +1' });
});

test('names of the language are only names', () => {
  expect(parsePlainSearch('?constructor=a')).toEqual({ constructor: 'a' });
});
