import { expect, test } from 'vitest';
import { formatMerchantMoney, formatMoney, formatTotal } from './formatters.ts';

test('shoppers read every dollar as $, in both languages', () => {
  expect(formatMoney(123_456, 'en', 'CAD')).toBe('$1,234.56');
  expect(formatMoney(123_456, 'zh', 'USD')).toBe('$1,234.56');
  expect(formatMoney(-50, 'en', 'EUR')).toBe('−€0.50');
  expect(formatMoney(-5050, 'zh', 'CAD')).toMatch(/^−/);
});

test('a total names its currency where country or language could mislead', () => {
  const sent = (countryISOCode: string) => ({
    method: 'shipping' as const,
    shippingAddress: { countryISOCode },
  });
  const text = (...of: Parameters<typeof formatTotal>) => formatTotal(...of).replaceAll('\u00a0', ' ');
  expect(text(9000, 'en', 'CAD', sent('US'))).toBe('$90.00 CAD');
  expect(text(9000, 'zh', 'CAD', sent('CA'))).toBe('$90.00');
  expect(text(9000, 'en', 'USD', sent('PR'))).toBe('$90.00');
  expect(text(9000, 'en', 'JPY', sent('CN'))).toBe('¥9,000 JPY');
  expect(text(9000, 'en', 'EUR', sent('US'))).toBe('€90.00');
  const unknown = { method: null, shippingAddress: null };
  expect([text(9000, 'en', 'CAD', unknown), text(9000, 'zh', 'CAD', unknown)]).toEqual([
    '$90.00',
    '$90.00 CAD',
  ]);
  expect(text(9000, 'zh', 'CAD', { method: 'pickup' })).toBe('$90.00');
});

test('every currency whose symbol is also that of another has its countries', () => {
  const symbol = (currency: string) => formatMoney(0, 'en', currency).replaceAll(/[\d.,\s\u00a0]/g, '');
  const shops = 'CAD USD AUD NZD HKD SGD TWD MXN JPY CNY GBP EUR CHF SEK NOK DKK KRW INR BRL'.split(' ');
  for (const currency of shops) {
    const isShared = shops.some((other) => other !== currency && symbol(other) === symbol(currency));
    const abroad = { method: 'shipping' as const, shippingAddress: { countryISOCode: 'AQ' } };
    if (isShared) expect(formatTotal(100, 'en', currency, abroad), currency).toContain(currency);
  }
});

test('merchants read which dollar a foreign amount is in', () => {
  expect(formatMerchantMoney(4972, 'CAD')).toBe('$49.72');
  expect(formatMerchantMoney(4972, 'USD')).toBe('US$49.72');
});
