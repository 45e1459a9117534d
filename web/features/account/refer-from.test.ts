import { expect, test } from 'vitest';
import { returnPath } from './refer-from.ts';

test('leads back to where the shopper was, in whatever language the page then has', () => {
  expect(returnPath('/checkout')).toBe('/checkout');
  expect(returnPath('/zh/account/orders?page=2')).toBe('/account/orders?page=2');
  expect(returnPath('/zh')).toBe('/');
});

test('leads to no other site', () => {
  const others = ['https://evil.example', '//evil.example', '/zh//evil.example', '/\\evil.example', 'javascript:alert(1)', 7];
  for (const other of [...others, undefined]) expect(returnPath(other)).toBeUndefined();
});

test('does not lead back to signing in', () => {
  expect(returnPath('/account/login?referFrom=/account/login')).toBeUndefined();
  expect(returnPath('/zh/account/signup')).toBeUndefined();
});
