import { expect, test } from 'vitest';
import { LruCache } from './lru-cache.ts';

const kept = (cache: LruCache<number>, keys: string) =>
  [...keys].filter((key) => cache.get(key) !== undefined).join('');

test('the cache evicts the values that were not used for longest', () => {
  const cache = new LruCache<number>(4000);
  for (const [index, key] of [...'abc'].entries()) cache.set(key, index, 1000);
  expect(cache.get('a')).toBe(0);
  cache.set('d', 3, 1000);
  expect(kept(cache, 'abcd')).toBe('acd');
});

test('the cache never holds more bytes than its limit', () => {
  const cache = new LruCache<number>(4000);
  cache.set('a', 1, 1000);
  cache.set('huge', 2, 5000);
  expect(cache.size).toBe(0);
  expect(cache.bytes).toBe(0);
  for (let n = 0; n < 100; n++) cache.set(String(n), n, 500);
  expect(cache.bytes).toBeLessThanOrEqual(4000);
  expect(cache.get('99')).toBe(99);
});

test('a value that is replaced or deleted no longer counts', () => {
  const cache = new LruCache<number>(4000);
  cache.set('a', 1, 3000);
  cache.set('a', 2, 100);
  expect(cache.get('a')).toBe(2);
  expect(cache.bytes).toBeLessThan(400);
  cache.delete('a');
  expect([cache.bytes, cache.size, cache.get('a')]).toEqual([0, 0, undefined]);
});
