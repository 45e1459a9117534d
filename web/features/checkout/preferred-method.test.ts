import { expect, it } from 'vitest';
import { preferredMethod } from './preferred-method.ts';

const all = ['shipping', 'pickup', 'instore'] as const;
const mug = { inStoreOnly: false };
const latte = { inStoreOnly: true };

it('a cart of parcels is shipped, and a cart from the tea bar is served at a table', () => {
  expect(preferredMethod(all, {}, [mug])).toBe('shipping');
  expect(preferredMethod(all, { shipping: 'no' }, [mug, latte])).toBe('instore');
});

it('the only method that can serve the cart is chosen', () => {
  expect(preferredMethod(all, { shipping: 'no', instore: 'no' }, [mug])).toBe('pickup');
  expect(preferredMethod(all, { pickup: 'no', instore: 'no' }, [mug])).toBe('shipping');
});

it('no method is chosen if none can serve the cart', () => {
  expect(preferredMethod(all, { shipping: 'no', pickup: 'no', instore: 'no' }, [mug])).toBeNull();
});
