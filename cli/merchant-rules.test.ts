/** The rules for a merchant's data: `fill` and `settings` reject what breaks them, and `doctor` names what is in the database. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { takenPageNames } from '#server/modules/content/pages/page-problems.ts';
import { shopCommand } from '#tests/shop-command.ts';
import { createTestApp, onOneEngine, type TestApp } from '#tests/test-app.ts';

const folder = mkdtempSync(join(tmpdir(), 'shopwright-rules-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const how = readFileSync(join(import.meta.dirname, '../docs/how-to/fill-a-shop.md'), 'utf8');
const example = JSON.parse(/```json\n([\s\S]*?)```/.exec(how)?.[1] ?? '');
const [store] = example.stores;
const [product] = example.products;
const [rate] = example.settings.taxRates;

async function fill(testApp: TestApp, content: unknown): Promise<{ code: number; printed: string }> {
  const path = join(folder, 'shop.json');
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return shopCommand(testApp, ['fill', path]);
}

const { openingHours } = store;
const withHours = (hours: object) => ({ ...store, openingHours: { ...openingHours, friday: hours } });
const cups = (collectiontype: string, collectionname: string) => ({
  id: 'cups',
  type: 'productList',
  title: null,
  uiAttribute: {
    collectiontype,
    collectionname,
    number: 4,
    numberPerRow: 4,
    numberPerMobileRow: 2,
    sortby: 'default',
  },
});
const page = (name: string, blocks: unknown[] = []) => ({
  name,
  title: { en: name },
  metaDescription: { en: '' },
  blocks,
});
const blue = { ...product.skus[0], options: { Colour: 'Blue' } };

interface Rule {
  name: string;
  /** The part of a file that breaks the rule. */
  file: Record<string, unknown>;
  /** Puts the same into the database, as another version of the program or a person may have. */
  store: (trx: Parameters<Parameters<TestApp['db']['transaction']>[0]>[0]) => Promise<unknown>;
  /** What `fill` and `doctor` say. */
  problem: string;
}

const setSetting = (key: string, value: unknown): Rule['store'] => {
  const json = JSON.stringify(value);
  return (trx) =>
    trx
      .insertInto('settings')
      .values({ key, value: json })
      .onConflict((conflict) => conflict.column('key').doUpdateSet({ value: json }))
      .execute();
};
const setHours = (hours: object): Rule['store'] => {
  const json = JSON.stringify({ ...openingHours, friday: hours });
  return (trx) =>
    trx.updateTable('stores').set({ opening_hours: json }).where('id', '=', 'main-street').execute();
};
const addPage =
  (name: string, blocks: unknown[] = []): Rule['store'] =>
  (trx) =>
    trx
      .insertInto('pages')
      .values({
        name,
        title: '{"en":"a"}',
        meta_description: '{"en":""}',
        blocks: JSON.stringify(blocks),
        updated_at: 0,
      })
      .execute();
const second = { ...store, id: 'second', mainStore: true };

const rules: Rule[] = [
  {
    name: 'opening hours without minutes',
    file: { stores: [withHours({ open: '9', close: '18:00' })] },
    store: setHours({ open: '9', close: '18:00' }),
    problem:
      'store main-street: /openingHours/friday/open must be a time from "00:00" to "23:59", such as "09:30", found "9"',
  },
  {
    name: 'opening hours with a time that does not exist',
    file: { stores: [withHours({ open: '09:00', close: '25:99' })] },
    store: setHours({ open: '09:00', close: '25:99' }),
    problem:
      'store main-street: /openingHours/friday/close must be a time from "00:00" to "24:00", such as "18:00", found "25:99"',
  },
  {
    name: 'a store that closes before it opens',
    file: { stores: [withHours({ open: '18:00', close: '09:00' })] },
    store: setHours({ open: '18:00', close: '09:00' }),
    problem:
      'store main-street: /openingHours/friday closes at "09:00", allowed: after it opens at "18:00", or by "06:00" on the next day',
  },
  {
    name: 'a break outside the opening hours',
    file: {
      stores: [withHours({ open: '09:00', close: '18:00', breaks: [{ from: '17:00', until: '19:00' }] })],
    },
    store: setHours({ open: '09:00', close: '18:00', breaks: [{ from: '17:00', until: '19:00' }] }),
    problem:
      'store main-street: /openingHours/friday/breaks must be in order and within 09:00–18:00, found "17:00–19:00"',
  },
  {
    name: 'a contact address that is no email address',
    file: { settings: { contactEmail: 'x' } },
    store: setSetting('contactEmail', 'x'),
    problem: 'Setting contactEmail must be an email address, or empty, found "x"',
  },
  {
    name: 'a tax rate of a province by its name',
    file: { settings: { taxRates: [{ ...rate, provinceCode: 'Ontario' }] } },
    store: setSetting('taxRates', [{ ...rate, provinceCode: 'Ontario' }]),
    problem:
      'Setting taxRates/0/provinceCode must be one of "AB", "BC", "MB", "NB", "NL", "NS", "NT", "NU", "ON", "PE", "QC", "SK", "YT", found "Ontario"',
  },
  {
    name: 'two main stores',
    file: { stores: [second] },
    store: (trx) => trx.updateTable('stores').set({ main_store: 1 }).execute(),
    problem:
      'store second: /mainStore is true for main-street, second; one store can be the main store. Set it to false for the others',
  },
  {
    name: 'a page with the name of an endpoint',
    file: { pages: [page('healthz')] },
    store: addPage('healthz'),
    problem: `page healthz: /name is an address of the shop itself, allowed: any name except ${takenPageNames.join(', ')}`,
  },
  ...(['category', 'brand', 'tag'] as const).map((kind) => ({
    name: `a product list of an unknown ${kind}`,
    file: { pages: [page('list', [cups(kind, 'plates')])] },
    store: addPage('list', [cups(kind, 'plates')]),
    problem: `page list: /blocks/cups/uiAttribute/collectionname must be the id of an existing ${kind}, found "plates"`,
  })),
  {
    name: 'an option value that the product does not have',
    file: { products: [{ ...product, images: [], skus: [blue] }] },
    store: (trx) =>
      trx.updateTable('skus').set({ option_pairs: '#Colour:Blue' }).where('id', '=', 'RM-SAND').execute(),
    problem: 'product river-mug: /skus/RM-SAND has Colour "Blue", allowed: "Sand", "Ink"',
  },
];

onOneEngine((engine) => {
  describe('the rules for a merchant’s data', () => {
    test('fill rejects what breaks a rule, naming what was found and what is allowed, and doctor names it in the database', async () => {
      const testApp = await createTestApp({ engine });
      const { brands, categories, tags, stores, settings } = example;
      const others = { settings, brands, categories, tags, products: [{ ...product, images: [] }] };
      expect(
        await fill(testApp, { ...others, stores: [...stores, { ...second, mainStore: false }] }),
      ).toMatchObject({ code: 0 });
      for (const { name, file, problem } of rules) {
        const { code, printed } = await fill(testApp, file);
        expect([name, code, printed]).toEqual([name, 1, `Nothing was imported:\n  ${problem}`]);
      }
      const sound = await shopCommand(testApp, ['doctor']);
      expect(sound.printed).toContain('OK    Settings, stores and products: all valid');
      expect(sound.printed).toContain('OK    Pages and posts: all blocks and parts can be shown');

      for (const { name, store: write, problem } of rules) {
        await testApp.db.transaction(async (trx) => {
          await trx.deleteFrom('pages').execute();
          await write(trx);
        });
        const { code, printed } = await shopCommand(testApp, ['doctor']);
        const found = printed.split('\n').filter((line) => /^FAIL {2}(?:Settings|Pages)/.test(line));
        expect([name, code, found]).toEqual([
          name,
          1,
          expect.arrayContaining([expect.stringMatching(/^FAIL {2}/)]),
        ]);
        expect(
          found.map((line) => line.replace(/^FAIL {2}[^:]+: /, '')),
          name,
        ).toContain(problem);
      }
    });

    test.each([
      ['contactEmail', 'x', 'Setting contactEmail must be an email address, or empty, found "x"'],
      [
        'taxRates',
        JSON.stringify([{ ...rate, provinceCode: 'Ontario' }]),
        '/0/provinceCode must be one of "AB", "BC"',
      ],
      ['taxRates', JSON.stringify([rate, rate]), 'Setting taxRates has two entries for ON, allowed: one'],
      [
        'shippingMethods',
        JSON.stringify([{ ...example.settings.shippingMethods[0], provinceCodes: ['Quebec'] }]),
        'Setting shippingMethods/standard/provinceCodes must be a province code of CA, found "Quebec", allowed: AB, BC',
      ],
    ])('the settings command rejects a %s that fill rejects', async (name, value, problem) => {
      const testApp = await createTestApp({ engine });
      const before = await testApp.services.settings.all();
      const { code, printed } = await shopCommand(testApp, ['settings', 'set', name, value]);
      expect([code, printed]).toEqual([1, expect.stringContaining(problem)]);
      const file = await fill(testApp, {
        settings: { [name]: name === 'contactEmail' ? value : JSON.parse(value) },
      });
      expect([file.code, file.printed]).toEqual([1, expect.stringContaining(problem)]);
      expect(await testApp.services.settings.all()).toEqual(before);
    });
  });
});

test('files that begin with a byte-order mark are read', async () => {
  const testApp = await createTestApp({ engine: 'sqlite' });
  expect(await fill(testApp, `\uFEFF${JSON.stringify({ tags: example.tags })}`)).toEqual({
    code: 0,
    printed: 'new: tag stoneware\nImported 1 tag: 1 new.',
  });
  const rates = join(folder, 'rates.json');
  writeFileSync(rates, `\uFEFF${JSON.stringify([rate])}`);
  expect((await shopCommand(testApp, ['settings', 'set', 'taxRates', '--file', rates])).code).toBe(0);
  expect((await testApp.services.settings.all()).taxRates).toEqual([rate]);
});
