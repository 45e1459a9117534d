import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type OrderFacts, orderKey, soldOutFrom } from './listing.ts';

const facts = fc.record<OrderFacts>({
  no: fc.integer({ min: 1, max: 2 ** 24 - 1 }),
  soldOut: fc.boolean(),
  newArrival: fc.boolean(),
  createdAt: fc.integer({ min: 0, max: Date.UTC(2100, 0, 1) }),
});

test('sold-out products come last, new arrivals first, then the newest', () => {
  const at = Date.UTC(2026, 0, 1);
  const old = { no: 1, soldOut: false, newArrival: false, createdAt: at };
  const order = [
    { ...old, no: 9, newArrival: true, createdAt: at - 86_400_000 },
    { ...old, no: 8, createdAt: at + 60_000 },
    old,
    { ...old, no: 2 },
    { ...old, no: 3, soldOut: true, newArrival: true, createdAt: at + 120_000 },
    { ...old, no: 4, soldOut: true },
  ].map(orderKey);
  expect(order).toEqual([...order].sort((a, b) => a - b));
});

test('a sort key is an exact integer that names its product', () => {
  fc.assert(
    fc.property(facts, (product) => {
      const key = orderKey(product);
      expect(Number.isSafeInteger(key)).toBe(true);
      expect(key).toBeLessThan(soldOutFrom * 2);
      expect(key >= soldOutFrom).toBe(product.soldOut);
      expect(key % 2 ** 24).toBe(product.no);
    }),
  );
});
