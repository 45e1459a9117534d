import { expect, it } from 'vitest';
import { missingForFreeShipping } from './free-shipping.ts';

it('shipping is free from exactly its amount on, and a discount counts against it', () => {
  expect(missingForFreeShipping({ subtotal: 9000, discount: 0 }, 9000)).toBe(0);
  expect(missingForFreeShipping({ subtotal: 9500, discount: 500 }, 9000)).toBe(0);
  expect(missingForFreeShipping({ subtotal: 9500, discount: 501 }, 9000)).toBe(1);
  expect(missingForFreeShipping({ subtotal: 20_000, discount: 0 }, 9000)).toBe(0);
});
