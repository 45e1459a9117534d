import { expect, test } from 'vitest';
import { returnPath } from './guest-forms.tsx';

test('signing in returns shoppers to the page they came from, in the page’s language at that time', () => {
  expect(returnPath('/checkout')).toBe('/checkout');
  expect(returnPath('/zh/account/orders?page=2')).toBe('/account/orders?page=2');
  expect(returnPath('/zh')).toBe('/');
});

test('signing in never leads to another site', () => {
  const others = [
    'https://evil.example',
    '//evil.example',
    '/zh//evil.example',
    '/\\evil.example',
    'javascript:alert(1)',
    7,
  ];
  for (const other of [...others, undefined]) expect(returnPath(other)).toBeUndefined();
});

test('signing in does not lead back to the sign-in page', () => {
  expect(returnPath('/account/login?referFrom=/account/login')).toBeUndefined();
  expect(returnPath('/zh/account/signup')).toBeUndefined();
});
