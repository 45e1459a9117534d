import { expect, it } from 'vitest';
import { offeredMethods, preferredMethod } from './use-checkout-form.ts';

const all = ['shipping', 'pickup', 'instore'] as const;
const mug = { inStoreOnly: false };
const latte = { inStoreOnly: true };

it('dine-in is offered for what is served in the store, and not for parcels', () => {
  expect(offeredMethods(all, {}, [mug], false)).toEqual(['shipping', 'pickup']);
  expect(offeredMethods(all, {}, [mug, latte], false)).toEqual(all);
});

it('the link of a table, or a cart that nothing else can serve, offers dine-in for anything', () => {
  expect(offeredMethods(all, {}, [mug], true)).toEqual(all);
  expect(offeredMethods(all, { shipping: 'no', pickup: 'no' }, [mug], false)).toEqual(all);
  expect(offeredMethods(['instore'], {}, [mug], false)).toEqual(['instore']);
});

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
