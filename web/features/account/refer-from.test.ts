import { expect, test } from 'vitest';
import { backTo } from './refer-from.ts';

test('leads back to where the shopper was, in whatever language the page then has', () => {
  expect(backTo('/checkout')).toBe('/checkout');
  expect(backTo('/zh/account/orders?page=2')).toBe('/account/orders?page=2');
  expect(backTo('/zh')).toBe('/');
});

test('leads to no other site', () => {
  const others = ['https://evil.example', '//evil.example', '/zh//evil.example', '/\\evil.example', 'javascript:alert(1)', 7];
  for (const other of [...others, undefined]) expect(backTo(other)).toBeUndefined();
});

test('does not lead back to signing in', () => {
  expect(backTo('/account/login?referFrom=/account/login')).toBeUndefined();
  expect(backTo('/zh/account/signup')).toBeUndefined();
});
