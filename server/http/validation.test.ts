import { expect, test } from 'vitest';
import { endpoints } from '#contract/shop/endpoints.ts';
import { AppError } from '#server/platform/errors.ts';
import { createValidator } from './validation.ts';

type Body = Parameters<typeof createValidator>[0];

function errorsOf(schema: Body, value: unknown): Record<string, unknown> {
  try {
    createValidator(schema, 'body')(value);
  } catch (error) {
    if (error instanceof AppError) return { ...error.details.errors };
    throw error;
  }
  return {};
}

/** A list that counts how many of its entries are read. */
function watched(length: number): { list: object[]; read: () => number } {
  let count = 0;
  const list = new Proxy(
    Array.from({ length }, () => ({})),
    {
      get(target, key, receiver) {
        if (typeof key === 'string' && /^\d+$/.test(key)) count += 1;
        return Reflect.get(target, key, receiver);
      },
    },
  );
  return { list, read: () => count };
}

test('a list that is too long is rejected without a look at its entries', () => {
  const { list, read } = watched(80_000);
  expect(errorsOf(endpoints.updateUserInfo.body, { billingAddresses: list })).toEqual({
    billingAddresses: { key: 'field.tooMany.other', values: { count: 100 } },
  });
  expect(errorsOf(endpoints.updateAddresses.body, list)).toEqual({
    body: { key: 'field.tooMany.other', values: { count: 100 } },
  });
  expect(errorsOf(endpoints.addToCart.body, { quantity: list })).toEqual({
    quantity: { key: 'field.tooMany.other', values: { count: 1000 } },
  });
  expect(read()).toBe(0);
});

test('an object with too many fields is rejected, with twenty of them named', () => {
  const many = Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [`field${n}`, {}]));
  const errors = errorsOf(endpoints.signon.body, many);
  expect(Object.keys(errors)).toHaveLength(20);
  expect(errors.field0).toBe('field.unknown');
  expect(errorsOf(endpoints.orderContactInfo.body, { contact: many })).toHaveProperty(['contact.field19']);
  expect(errorsOf(endpoints.addToCart.body, { quantity: many })).toEqual({ quantity: 'field.invalid' });
});

test('a text that may not be empty is missing when it is', () => {
  const body = { items: [{ sku: '', optionPairs: '' }] };
  expect(errorsOf(endpoints.addSetToCart.body, body)).toMatchObject({ 'items.0.sku': 'field.required' });
});
