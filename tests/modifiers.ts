/** Modifier groups that tests make for themselves. */
import type { ModifierGroupInput, ModifierInput } from '#contract/schemas/modifier-input.ts';
import { sellProduct } from './products.ts';
import type { TestApp } from './test-app.ts';

/** A modifier that is free, not chosen by default and without stock. */
export function plainModifier(id: string, changes: Partial<ModifierInput> = {}): ModifierInput {
  return {
    id,
    name: { en: id, zh: id },
    priceCents: 0,
    prices: [],
    default: 0,
    sku: null,
    dietaryMarks: [],
    allergens: [],
    opens: [],
    taxClass: null,
    singleServings: 1,
    hidden: false,
    ...changes,
  };
}

/** A group of which one modifier may be chosen. */
export function plainGroup(
  id: string,
  modifiers: ModifierInput[],
  changes: Partial<ModifierGroupInput> = {},
): ModifierGroupInput {
  return {
    id,
    name: { en: id, zh: id },
    text: null,
    min: 0,
    max: 1,
    quantities: false,
    free: 0,
    setParts: false,
    modifiers,
    ...changes,
  };
}

export const tea = 'TEA';
export const iced = {
  group: 'temperature',
  modifier: 'iced',
  modifiers: [{ group: 'ice', modifier: 'less' }],
};
export const whole = { group: 'milk', modifier: 'whole' };
export const oat = { group: 'milk', modifier: 'oat' };
export const pearls = (quantity = 1) => ({ group: 'toppings', modifier: 'pearls', quantity });
export const usual = [iced, oat, pearls(2)];

/** The product `tea`, whose modifiers are these, with others that need them; pearls have a stock of their own. */
export async function sellTea(testApp: Pick<TestApp, 'services'>): Promise<void> {
  const { editor } = testApp.services;
  await sellProduct(testApp, 'PEARLS', { units: 50 });
  await sellProduct(testApp, 'MUFFIN', { priceCents: 300, taxClass: 'zero-rated-grocery' });
  const named = (en: string, zh: string) => ({ name: { en, zh } });
  await editor.upsertModifierGroups([
    plainGroup('ice', [
      plainModifier('less', named('Less ice', '少冰')),
      plainModifier('none', { priceCents: 10 }),
    ]),
    plainGroup(
      'temperature',
      [
        plainModifier('hot', { default: 1 }),
        plainModifier('iced', { ...named('Iced', '冰'), opens: ['ice'] }),
      ],
      {
        min: 1,
        ...named('Temperature', '温度'),
      },
    ),
    plainGroup(
      'milk',
      [
        plainModifier('whole', { default: 1 }),
        plainModifier('oat', { priceCents: 80, ...named('Oat milk', '燕麦奶') }),
      ],
      {
        min: 1,
        ...named('Milk', '奶'),
      },
    ),
    plainGroup(
      'toppings',
      [plainModifier('pearls', { priceCents: 75, sku: 'PEARLS', ...named('Pearls', '珍珠') })],
      {
        max: 3,
        quantities: true,
      },
    ),
    plainGroup('size', [plainModifier('any')], { min: 1 }),
  ]);
  const modifierGroups = ['temperature', 'milk', 'toppings'].map((group) => ({ group }));
  await sellProduct(testApp, tea, { priceCents: 600, name: { en: 'Oolong', zh: '乌龙' }, modifierGroups });
  await editor.upsertModifierGroups([
    plainGroup('set-drink', [plainModifier('tea', { sku: tea, default: 1 })], { min: 1, setParts: true }),
    plainGroup(
      'set-cake',
      [plainModifier('muffin', { sku: 'MUFFIN', default: 1 }), plainModifier('two', { sku: 'MUFFIN' })],
      {
        min: 1,
        setParts: true,
      },
    ),
  ]);
  await sellProduct(testApp, 'PLAIN', { modifierGroups: [{ group: 'size' }] });
  await sellProduct(testApp, 'SET', {
    priceCents: 800,
    modifierGroups: [{ group: 'set-drink' }, { group: 'set-cake' }],
  });
  await sellProduct(testApp, 'CUP');
}
