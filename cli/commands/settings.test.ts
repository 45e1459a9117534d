import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { sellProduct } from '#tests/products.ts';
import { add } from '#tests/shop-actions.ts';
import { shopCommand } from '#tests/shop-command.ts';
import { createTestApp, onOneEngine, type TestApp } from '#tests/test-app.ts';
import { everySetting, written } from './settings.ts';

onOneEngine((engine) => {
  let testApp: TestApp;
  beforeAll(async () => {
    testApp = await createTestApp({ engine, demo: true });
    await sellProduct(testApp, 'MUG-OAT');
  });

  const settings = (...args: string[]) => shopCommand(testApp, ['settings', ...args]);
  const got = async (name: string) => (await settings('get', name)).printed;

  it('a new currency applies to all prices at once', async () => {
    const currencies = async () => {
      const { products } = await testApp.call('products', { query: { numberToLoad: 12 } });
      return new Set(products.map(({ priceInfo }) => priceInfo.currency));
    };
    expect(await currencies()).toEqual(new Set(['CAD']));
    await settings('set', 'currency', 'EUR');
    expect(await currencies()).toEqual(new Set(['EUR']));
    await settings('set', 'currency', 'CAD');
  });

  it('the settings command accepts what it prints, even an empty list', async () => {
    const { taxRates } = await testApp.services.settings.all();
    await settings('set', 'taxRates', '[]');
    expect(await got('taxRates')).toBe('none');
    expect((await settings('set', 'taxRates', 'none')).code).toBe(0);
    expect((await settings('set', 'taxRates', await got('taxRates'))).code).toBe(0);
    await testApp.services.settings.update({ taxRates });
  });

  it('a changed setting applies to a running shop', async () => {
    expect((await testApp.call('checkoutConfig')).enabledGuestOrders).toBe(true);
    expect(await settings('set', 'enabledGuestOrders', 'off')).toEqual({
      code: 0,
      printed: 'Changed checkoutConfig.enabledGuestOrders from on to off.',
    });
    const config = await testApp.call('checkoutConfig');
    // The other fields of the same row stay unchanged.
    expect(config).toMatchObject({ enabledGuestOrders: false, enablePickup: true, requireEmail: true });

    const session = testApp.shopper();
    await add(testApp, session, 'MUG-OAT');
    await testApp.services.settings.update({ tipTaxClasses: [] });
    await settings('set', 'tipPercentages', '5, 12.5');
    const { tips } = await testApp.call('myCart', { session });
    expect(tips?.choices.map(({ percent }) => percent)).toEqual([5, 12.5]);
    await settings('set', 'tipPercentages', 'none');
    expect((await testApp.call('myCart', { session })).tips?.choices).toEqual([]);
  });

  it('a text setting is stored by language, and a translation can be removed', async () => {
    await settings('set', 'tagline.zh', '好茶，好器。');
    expect(await testApp.services.settings.all()).toMatchObject({
      tagline: { en: expect.any(String), zh: '好茶，好器。' },
    });
    expect((await settings('set', 'tagline.zh', '')).printed).toBe(
      'Changed tagline.zh from 好茶，好器。 to (empty).',
    );
    expect((await testApp.services.settings.all()).tagline).not.toHaveProperty('zh');
  });

  it('a list setting is read from a file in the format that `get` prints', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'shopwright-settings-'));
    try {
      const file = join(folder, 'rates.json');
      const rates = JSON.parse(await got('taxRates')) as { provinceCode: string; hstPercent: number }[];
      await writeFile(
        file,
        JSON.stringify(rates.map((rate) => ({ ...rate, hstPercent: rate.hstPercent > 0 ? 14 : 0 }))),
      );
      expect((await settings('set', 'taxRates', '--file', file)).code).toBe(0);
      const { taxRates } = await testApp.services.settings.all();
      expect(taxRates.find(({ provinceCode }) => provinceCode === 'ON')?.hstPercent).toBe(14);
      await writeFile(file, JSON.stringify([{ provinceCode: 'ON' }]));
      expect(await settings('set', 'taxRates', '--file', file)).toMatchObject({
        code: 1,
        printed: expect.stringContaining('/0'),
      });
      expect((await testApp.services.settings.all()).taxRates).toEqual(taxRates);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('every list of single values is set and printed in one form', async () => {
    const before = await testApp.services.settings.all();
    for (const [name, list] of [
      ['tipTaxClasses', 'prepared-food,standard'],
      ['packing.holidays', '2026-12-25,2027-01-01'],
      ['listFilters.tags', 'dishwasher-safe,caffeine-free'],
      ['tipPercentages', '5,12.5'],
    ] as const) {
      expect((await settings('set', name, list.replace(',', ', '))).code, name).toBe(0);
      expect(await got(name)).toBe(list);
      expect((await settings('set', name, 'none')).printed).toMatch(/ to none\.$/);
      expect(await got(name)).toBe('none');
    }
    await testApp.services.settings.update(before);
  });

  // Two commands for each setting, which no engine reads otherwise.
  it('the settings command lists every setting and accepts each current value', async () => {
    const before = await testApp.services.settings.all();
    const { printed } = await settings('list');
    for (const setting of everySetting) {
      expect(printed).toContain(`${setting.name} `);
      expect((await settings('set', setting.name, await got(setting.name))).code, setting.name).toBe(0);
    }
    expect(await testApp.services.settings.all()).toEqual(before);
    expect(
      (await settings('list', 'tipMethods')).printed.split('\n').map((line) => line.split(/ +/)),
    ).toEqual([
      ['tipMethods.shipping', written(before.tipMethods.shipping)],
      ['tipMethods.pickup', written(before.tipMethods.pickup)],
      ['tipMethods.instore', written(before.tipMethods.instore)],
    ]);
  });

  it('the language of the staff and the recipients of new orders are settings', async () => {
    const before = await testApp.services.settings.all();
    const addresses = '{"ottawa-byward":["kitchen@shop.example"]}';
    expect((await settings('set', 'staffLanguage', 'zh')).printed).toBe(
      'Changed staffLanguage from en to zh.',
    );
    expect((await settings('set', 'newOrderEmails.addresses', addresses)).code).toBe(0);
    expect((await settings('set', 'newOrderEmails.enabled', 'off')).code).toBe(0);
    expect(await testApp.services.settings.all()).toMatchObject({
      staffLanguage: 'zh',
      newOrderEmails: { enabled: false, addresses: { 'ottawa-byward': ['kitchen@shop.example'] } },
    });
    await testApp.services.settings.update(before);
  });

  it('the new reservation time leaves existing reservations alone, and the command says so', async () => {
    expect((await settings('set', 'reservationHours', '48')).printed).toContain(
      'Existing reservations keep their time.',
    );
    expect(await got('reservationHours')).toBe('48');
  });

  it.each([
    [
      ['set'],
      "Missing required argument 'name'. Usage: npm run shop -- settings set [options] <name> [value]",
    ],
    [['get'], "Missing required argument 'name'"],
    [['get', 'weather'], 'Unknown setting: weather. Run "npm run shop -- settings list"'],
    [['set', 'payAtStore', 'on'], 'Did you mean:\n  paymentConfig.payAtStoreEnabled'],
    [['set', 'reservationHours'], 'Expected one value. Quote it if it contains spaces.'],
    [
      ['set', 'shopName.en', 'Maple', '&', 'Clay'],
      'Expected 2 arguments but got 4: shopName.en, Maple, &, Clay.',
    ],
    [['set', 'payAtStoreEnabled', 'perhaps'], 'must be on or off, not perhaps'],
    [['set', 'reservationHours', 'soon'], 'must be a number, not soon'],
    [['set', 'reservationHours', '0'], 'Setting reservationHours'],
    [['set', 'reservationHours', '1.5'], 'Setting reservationHours'],
    [['set', 'staffLanguage', 'fr'], 'Setting staffLanguage'],
    [
      ['set', 'newOrderEmails.addresses', '{"ottawa-byward":["kitchen"]}'],
      'Setting newOrderEmails/addresses/ottawa-byward/0',
    ],
    [['set', 'newOrderEmails.addresses', 'kitchen@shop.example'], 'newOrderEmails.addresses must be JSON'],
    [['set', 'tipPercentages', '10,150'], 'Setting tipPercentages/1'],
    [['set', 'tipPercentages', '1,2,3,4,5,6,7'], 'Setting tipPercentages'],
    [['set', 'defaultGateWayProviderName', 'stripe'], 'Setting paymentConfig/defaultGateWayProviderName'],
    [['set', 'currency', 'dollars'], 'Setting currency'],
    [['set', 'taxRates', 'ON,QC'], 'taxRates must be JSON'],
    [
      [
        'set',
        'taxRates',
        JSON.stringify([
          { provinceCode: 'QC', gstPercent: 5, pstPercent: 9.97512, pstLabel: 'QST', hstPercent: 0 },
        ]),
      ],
      'at most three decimals',
    ],
    [['set', 'taxRates', '--file', '/nowhere.json'], 'File not found: /nowhere.json.'],
    [['list', 'weather'], 'No setting has weather'],
    [['change'], "Unknown command 'change'"],
  ])('the settings arguments %j are rejected with a hint how to fix them', async (args, words) => {
    const before = await testApp.services.settings.all();
    const { code, printed } = await settings(...args);
    expect(code).toBe(1);
    expect(printed).toContain(words);
    expect(await testApp.services.settings.all()).toEqual(before);
  });

  it('the settings command prints its usage', async () => {
    expect((await settings()).printed).toContain('tipPercentages 10,15,20');
    expect((await settings('help')).code).toBe(0);
  });
});
