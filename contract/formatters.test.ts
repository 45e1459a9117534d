import { expect, test } from 'vitest';
import { formatMerchantMoney, formatMoney } from './formatters.ts';

test('shoppers read every dollar as $, in both languages', () => {
  expect(formatMoney(123_456, 'en', 'CAD')).toBe('$1,234.56');
  expect(formatMoney(123_456, 'zh', 'USD')).toBe('$1,234.56');
  expect(formatMoney(-50, 'en', 'EUR')).toBe('−€0.50');
  expect(formatMoney(-5050, 'zh', 'CAD')).toMatch(/^−/);
});

test('merchants read which dollar a foreign amount is in', () => {
  expect(formatMerchantMoney(4972, 'CAD')).toBe('$49.72');
  expect(formatMerchantMoney(4972, 'USD')).toBe('US$49.72');
});
