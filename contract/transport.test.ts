import { expect, test } from 'vitest';
import { requestOf } from './transport.ts';

test('path parameters are encoded', () => {
  expect(requestOf('productSearch', { params: { nameLike: 'tea/pot 茶?' } }, 'en')).toEqual({
    method: 'GET',
    url: '/api/istore/client/productManagement2/products/search/tea%2Fpot%20%E8%8C%B6%3F',
  });
});

test('undefined parameters are left out; false and 0 are not', () => {
  const { url } = requestOf(
    'products',
    { query: { brandName: undefined, onSale: false, startingPosition: 0 } },
    'en',
  );
  expect(url).toBe('/api/istore/client/productManagement2/products?onSale=false&startingPosition=0');
});

test('a call names its language only if it is not the default, so that one answer has one address', () => {
  expect(requestOf('brands', {}, 'en').url).not.toContain('lang');
  expect(requestOf('brands', {}, 'zh').url).toMatch(/\?lang=zh$/);
});
