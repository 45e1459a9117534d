import { expect, test } from 'vitest';
import { unknownKeys, usedKeys } from './used-keys.ts';

const keys = [
  'cart.title',
  'cart.count.one',
  'cart.count.other',
  'modifiers.allergen.milk',
  'modifiers.allergen.egg',
  'kind.order',
];

test('a source uses the keys that it names whole, both forms of a pair, and all that a beginning goes on to', () => {
  const code = `t('cart.count', { count }); label: shared(\`modifiers.allergen.\${each}\`); t(\`kind.\${each}\`)`;
  expect([...usedKeys(code, keys)]).toEqual(keys.slice(1));
  for (const read of ["rows['cart.title']", "rows()?.['cart.title']"])
    expect([...usedKeys(read, keys)]).toEqual([]);
  expect([...usedKeys("const tabs = [['cart.title', {}]]", keys)]).toEqual(['cart.title']);
});

test('a key without a message, and a beginning that nothing goes on from, are unknown', () => {
  const code = `t('cart.titel'); shared(\`modifiers.mark.\${each}\`); t('cart.count', { count }); may.includes('cart.read')`;
  expect(unknownKeys(code, keys)).toEqual(['cart.titel', 'modifiers.mark.']);
});
