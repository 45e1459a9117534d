import { expect, test } from 'vitest';
import { locales } from './locales.ts';
import { translator } from './translate.ts';

const en = translator('en', (await locales.en.load()).default);
const zh = translator('zh', (await locales.zh.load()).default);

test('a message is filled with its values', () => {
  expect(en('rule.outOfStockLine', { product: 'Moon cup' })).toBe('Moon cup is out of stock');
});

test('a value in a message is text, whatever it looks like', () => {
  expect(en('rule.outOfStockLine', { product: '{product} $& <b>' })).toBe('{product} $& <b> is out of stock');
});

test('a missing value leaves its placeholder visible', () => {
  expect(en('rule.outOfStockLine', {})).toBe('{product} is out of stock');
});

test('a key without a message is an error in tests and while developing', () => {
  expect(() => translator<string>('en', {})('nobody.wrote.this')).toThrow(
    'There is no message nobody.wrote.this',
  );
});

test('a plural follows the rules of the language', () => {
  expect(en('shell.cart.count', { count: 1 })).toBe('Cart, 1 item');
  expect(en('shell.cart.count', { count: 2 })).toBe('Cart, 2 items');
  expect(zh('shell.cart.count', { count: 1 })).toBe('购物车，1 件');
});

test('numbers in a message are written as the language writes them, texts as they are', () => {
  expect(en('shell.cart.count', { count: 12_345 })).toBe('Cart, 12,345 items');
  expect(zh('shell.cart.count', { count: 12_345 })).toBe('购物车，12,345 件');
  expect(en('rule.outOfStockLine', { product: '2026' })).toBe('2026 is out of stock');
});

test('a sentence that ends with an abbreviation has one full stop', () => {
  expect(en('confirm.keptUntil', { when: 'Sunday at 6:00 p.m.' })).toBe(
    'We’ll hold your items until Sunday at 6:00 p.m. After that, they go back on sale.',
  );
  expect(en('confirm.keptUntil', { when: 'Sunday' })).toBe(
    'We’ll hold your items until Sunday. After that, they go back on sale.',
  );
});
