/** Modifier groups in the commands of a merchant: fill, export, remove and doctor. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { shopCommand } from '#tests/shop-command.ts';
import { createTestApp, onBothEngines, type TestApp } from '#tests/test-app.ts';

const folder = mkdtempSync(join(tmpdir(), 'shopwright-modifiers-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const names = (en: string) => ({ en, zh: en });
const product = (id: string, sku: string, more: object = {}) => ({
  id,
  name: names(id),
  brand: 'kiln',
  category: 'drinks',
  priceCents: 600,
  skus: [{ sku, options: {}, stock: { warehouse: 9 } }],
  ...more,
});
const ice = { id: 'ice', name: names('Ice'), modifiers: [{ id: 'less', name: names('Less ice') }] };
const temperature = {
  id: 'temperature',
  name: names('Temperature'),
  min: 1,
  modifiers: [
    { id: 'hot', name: names('Hot'), default: 1 },
    {
      id: 'iced',
      name: names('Iced'),
      priceCents: 50,
      prices: [{ options: { Size: 'Large' }, priceCents: 70 }],
      opens: ['ice'],
    },
  ],
};
const toppings = {
  id: 'toppings',
  name: names('Toppings'),
  max: 4,
  quantities: true,
  modifiers: [
    {
      id: 'pearls',
      name: names('Pearls'),
      priceCents: 75,
      sku: 'PEARLS',
      dietaryMarks: ['vegan'],
      allergens: ['soy'],
    },
  ],
};
const shopFile = {
  brands: [{ id: 'kiln', name: names('Kiln') }],
  categories: [{ id: 'drinks', name: names('Drinks') }],
  modifierGroups: [temperature, ice, toppings],
  products: [
    product('tea', 'TEA', { modifierGroups: [{ group: 'temperature' }, { group: 'toppings', max: 2 }] }),
    product('pearls', 'PEARLS', { published: false }),
  ],
};

onBothEngines((engine) => {
  describe('modifier groups in files', () => {
    let testApp: TestApp;
    beforeEach(async () => {
      testApp = await createTestApp({ engine });
    });

    async function fill(content: object, ...more: string[]): Promise<{ code: number; printed: string }> {
      const path = join(folder, 'shop.json');
      writeFileSync(path, JSON.stringify(content));
      return shopCommand(testApp, ['fill', path, ...more]);
    }
    const tea = () => testApp.call('product', { params: { id: 'tea' } });

    test('a file with groups and the SKUs that they take is filled at once, exported, and filled again without a change', async () => {
      const { code, printed } = await fill(shopFile);
      expect([code, printed]).toEqual([0, expect.stringContaining('Imported 3 modifier groups: 3 new.')]);
      expect((await tea()).modifierGroups).toMatchObject([
        {
          id: 'temperature',
          modifiers: [
            { id: 'hot' },
            { id: 'iced', price: 50, prices: [{ optionPair: '#Size:Large', price: 70 }] },
          ],
        },
        {
          id: 'toppings',
          max: 2,
          modifiers: [{ sku: 'PEARLS', dietaryMarks: ['vegan'], allergens: ['soy'] }],
        },
        { id: 'ice', opened: true },
      ]);
      const exported = join(folder, engine);
      expect((await shopCommand(testApp, ['export', exported])).code).toBe(0);
      const { modifierGroups, products } = JSON.parse(readFileSync(join(exported, 'shop.json'), 'utf8'));
      expect(modifierGroups).toMatchObject(shopFile.modifierGroups);
      expect(products[0].modifierGroups).toEqual([{ group: 'temperature' }, { group: 'toppings', max: 2 }]);
      const again = await shopCommand(testApp, ['fill', join(exported, 'shop.json')]);
      expect(again.printed).toContain('Imported 3 modifier groups: 3 unchanged.');
      expect(again.printed).not.toMatch(/\bchanged/);
    });

    test('the shop file of the guide for drinks and food is valid, and sells what it says', async () => {
      const guide = readFileSync(join(import.meta.dirname, '../docs/how-to/sell-drinks-and-food.md'), 'utf8');
      const [, example = ''] = /```json\n([\s\S]*?)```/.exec(guide) ?? [];
      expect(await fill(JSON.parse(example))).toMatchObject({ code: 0 });
      const { modifierGroups, priceInfo } = await testApp.call('product', { params: { id: 'milk-tea' } });
      expect(modifierGroups?.map(({ id, max }) => [id, max])).toEqual([
        ['temperature', 1],
        ['milk', 1],
        ['toppings', 2],
        ['ice', 1],
      ]);
      expect(priceInfo).toMatchObject({ price: 700, from: true });
    });

    test('--check names what changes in a group and writes nothing', async () => {
      await fill(shopFile);
      const [hot, iced] = temperature.modifiers;
      const dearer = { modifierGroups: [{ ...temperature, modifiers: [hot, { ...iced, priceCents: 60 }] }] };
      const { printed } = await fill(dearer, '--check');
      expect(printed).toContain('changed: modifier group temperature: modifiers.1.priceCents 50 → 60');
      expect((await tea()).modifierGroups?.[0]?.modifiers[1]?.price).toBe(50);
      await fill(dearer);
      expect((await tea()).modifierGroups?.[0]?.modifiers[1]?.price).toBe(60);
    });

    test('a file with problems in its groups names each once, and imports nothing', async () => {
      const { code, printed } = await fill({
        ...shopFile,
        modifierGroups: [
          { ...temperature, min: 3 },
          { ...ice, modifiers: [{ id: 'less', name: { zh: '少冰' }, price: 5 }] },
          { ...toppings, modifiers: [{ id: 'jelly', name: names('Jelly'), sku: 'JELLY', opens: ['snow'] }] },
        ],
        products: [product('tea', 'TEA', { modifierGroups: [{ group: 'ice' }, { group: 'foam' }] })],
      });
      expect(code).toBe(1);
      expect(
        printed
          .split('\n')
          .slice(1)
          .map((line) => line.trim()),
      ).toEqual([
        'modifier group ice: /modifiers/less/price is an unknown field. Did you mean prices?',
        'modifier group ice: /modifiers/less/name/en is missing',
        'modifier group temperature: /min is more than max, which is 1, found 3',
        'modifier group temperature: /min is more than the number of modifiers, 2, found 3',
        'modifier group toppings: /modifiers/jelly/opens must be the id of an existing modifier group, found "snow"',
        'modifier group toppings: /modifiers/jelly/sku must be a SKU of the shop, found "JELLY"',
        'product tea: /modifierGroups/foam must be the id of an existing modifier group, found "foam"',
      ]);
      expect(await testApp.services.catalogueExport.modifierGroups()).toEqual([]);
    });

    test('a group that products use is removed with --yes, from them and from the groups that open it', async () => {
      await fill(shopFile);
      const refused = await shopCommand(testApp, ['remove', 'modifierGroup', 'ice']);
      expect(refused.printed).toContain('modifier group temperature will no longer open it');
      expect((await shopCommand(testApp, ['remove', 'modifierGroup', 'temperature'])).printed).toContain(
        'product tea will no longer ask for it',
      );
      expect((await tea()).modifierGroups).toHaveLength(3);
      expect((await shopCommand(testApp, ['remove', 'modifierGroup', 'ice', '--yes'])).code).toBe(0);
      expect((await tea()).modifierGroups?.map(({ id }) => id)).toEqual(['temperature', 'toppings']);
      await shopCommand(testApp, ['remove', 'modifierGroup', 'temperature', '--yes']);
      expect((await tea()).modifierGroups?.map(({ id }) => id)).toEqual(['toppings']);
      expect((await shopCommand(testApp, ['remove', 'modifierGroup', 'temperature'])).printed).toContain(
        'There is no',
      );
    });

    test('a product whose units a modifier takes is not removed', async () => {
      await fill(shopFile);
      const { code, printed } = await shopCommand(testApp, ['remove', 'product', 'pearls', '--yes']);
      expect([code, printed]).toEqual([
        1,
        'The modifier group toppings takes units of pearls. First take it out of the group.',
      ]);
    });

    test('doctor names groups that lack a language, and what products and modifiers name in vain', async () => {
      await fill({
        ...shopFile,
        modifierGroups: [temperature, { ...ice, text: { en: 'How much?' } }, toppings],
      });
      await testApp.db.transaction(async (trx) => {
        await trx.deleteFrom('skus').where('id', '=', 'PEARLS').execute();
        await trx
          .updateTable('products')
          .set({ modifier_groups: '[{"group":"foam"}]' })
          .where('id', '=', 'tea')
          .execute();
      });
      const { printed } = await shopCommand(testApp, ['doctor']);
      expect(printed).toContain('modifier group ice: text');
      expect(printed).toContain(
        'modifier group toppings: /modifiers/pearls/sku must be a SKU of the shop, found "PEARLS"',
      );
      expect(printed).toContain(
        'product tea: /modifierGroups/foam must be the id of an existing modifier group, found "foam"',
      );
    });
  });
});
