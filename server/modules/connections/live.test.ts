/** What owners enter while the shop runs: payment keys, printers, the map, a geocoder, Instagram. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createContainer } from '#server/container.ts';
import { startStripeFake } from '#tests/fakes/stripe/server.ts';
import { askStaff, joinStaff, secureStaff } from '#tests/staff.ts';
import { createTestApp, onOneEngine, type Shopper, type TestApp, testEnv } from '#tests/test-app.ts';
import { fakePrinter } from '#tests/ticket-printer.ts';

const keys = {
  publishableKey: 'pk_test_0123456789abcdef',
  secretKey: 'sk_test_0123456789abWXYZ',
  webhookSecret: 'whsec_0123456789abcdef',
};

onOneEngine((engine) => {
  let testApp: TestApp;
  let owner: Shopper;
  beforeAll(async () => {
    testApp = await createTestApp({ engine, demo: true, env: { DEMO: '' } });
    owner = await joinStaff(testApp, 'anna@shop.example');
    await secureStaff(testApp, owner);
  });
  afterAll(() => testApp.close());

  const save = (name: string, fields: Record<string, string | null>, as = owner, app = testApp) =>
    askStaff(app, 'saveConnection', { as, params: { name }, body: { fields } });
  const testOf = async (name: string, as = owner, app = testApp) =>
    (await askStaff(app, 'testConnection', { as, params: { name } })).body;

  test('a provider’s keys end the simulator at once, in every process, and without them it is back', async () => {
    const other = createContainer({
      db: testApp.db,
      env: testEnv({ DATA_DIR: testApp.dataDir, DEMO: '' }),
      now: testApp.clock.now,
    });
    const namesIn = async (services: Pick<typeof other, 'orders' | 'payments'>) => {
      await services.orders.settings();
      return services.payments.providers.all().map(({ name }) => name);
    };
    expect(await namesIn(other)).toEqual(['house']);
    const { status, body } = await save('stripe', keys);
    expect(status).toBe(200);
    expect(body.connections.find(({ name }) => name === 'stripe')).toMatchObject({
      on: true,
      fields: [
        { name: 'publishableKey', value: keys.publishableKey },
        { name: 'secretKey', value: null, tail: 'WXYZ' },
        { name: 'webhookSecret', value: null, tail: null },
      ],
    });
    expect(await namesIn(other)).toEqual(['Stripe']);
    expect(await testApp.call('stripePublicKey')).toEqual({ publishableKey: keys.publishableKey });
    expect(await testApp.call('paymentConfig')).toMatchObject({ defaultGateWayProviderName: 'Stripe' });
    await save('stripe', { publishableKey: null, secretKey: null, webhookSecret: null });
    expect(await namesIn(other)).toEqual(['house']);
    expect((await testApp.ask('stripePublicKey')).status).toBe(404);
  });

  test('a bill is for the provider whose keys another process has just saved', async () => {
    const other = createContainer({
      db: testApp.db,
      env: testEnv({ DATA_DIR: testApp.dataDir, DEMO: '' }),
      now: testApp.clock.now,
    });
    const bill = (gatewayName: string) => testApp.ask('getBilling', { params: { gatewayName } });
    const none = Object.fromEntries(Object.keys(keys).map((field) => [field, null]));
    const set = (fields: Record<string, string | null>) =>
      other.changes.run({ kind: 'terminal' }, 'connection set', (change) =>
        other.connections.save(change, 'stripe', fields),
      );
    // The cart is empty, but the provider is known.
    expect((await bill('{host}')).status).toBe(409);
    await set(keys);
    expect((await bill('Stripe')).status).toBe(409);
    await set(none);
    expect((await bill('Stripe')).status).toBe(404);
  });

  test('keys that are incomplete or of two modes are refused at their fields', async () => {
    const incomplete = await save('stripe', { publishableKey: keys.publishableKey });
    expect(incomplete).toMatchObject({
      status: 400,
      body: { errors: { 'fields.secretKey': 'This is missing' } },
    });
    const mixed = await save('stripe', { ...keys, publishableKey: 'pk_live_0123456789abcdef' });
    expect(mixed).toMatchObject({
      status: 400,
      body: { errors: { 'fields.publishableKey': 'Please check this value' } },
    });
  });

  test('the keys of a provider are tried at the provider, and what they lack is said', async () => {
    const fake = await startStripeFake();
    const stripeApp = await createTestApp({ engine, demo: true, env: fake.env });
    const as = await joinStaff(stripeApp, 'anna@shop.example');
    await secureStaff(stripeApp, as);
    expect(await testOf('stripe', as, stripeApp)).toEqual({
      works: true,
      text: 'Stripe accepts the keys. They are test keys: orders are placed, but no money is taken.',
    });
    await fake.close();
    expect(await testOf('stripe', as, stripeApp)).toMatchObject({
      works: false,
      text: expect.stringContaining('does not accept the keys'),
    });
    await stripeApp.close();
  });

  test('a printer prints a test ticket, and one that is away is named', async () => {
    const printer = await fakePrinter();
    const list = `toronto-queen-west=tcp://127.0.0.1:${printer.port}?columns=42&encoding=gb18030`;
    expect((await save('printers', { list: 'toronto-queen-west=lp0' })).body.errors).toEqual({
      'fields.list': 'Please check this value',
    });
    expect((await save('printers', { list })).status).toBe(200);
    expect((await testApp.container.orders.settings()).ticketPrinters).toMatchObject([
      { store: 'toronto-queen-west' },
    ]);
    expect(await testOf('printers')).toEqual({ works: true, text: 'Printed on each printer: 1.' });
    expect(new TextDecoder('gb18030').decode(printer.printed[0])).toContain('toronto-queen-west');
    await printer.close();
    expect((await testOf('printers')).text).toContain('does not answer');
    await save('printers', { list: null });
  });

  test('the map shows the tiles that an owner enters', async () => {
    const map = async () => (await testApp.call('appInfoInit')).appContent.map;
    const before = await map();
    expect(before.tilesUrl).toContain('openstreetmap');
    expect((await save('map', { tilesUrl: 'https://tiles.example/world.png' })).status).toBe(400);
    await save('map', { tilesUrl: '/tiles/{z}/{x}/{y}.png', attribution: '© Us' });
    expect(await map()).toEqual({ tilesUrl: '/tiles/{z}/{x}/{y}.png', attribution: '© Us' });
    expect((await testOf('map')).works).toBe(true);
    await save('map', { tilesUrl: null, attribution: null });
    expect(await map()).toEqual(before);
  });

  test('a geocoder that does not answer is named', async () => {
    expect((await save('geocoder', { url: 'nominatim' })).status).toBe(400);
    await save('geocoder', { url: 'http://127.0.0.1:1/search' });
    expect(await testOf('geocoder')).toEqual({
      works: false,
      text: '127.0.0.1:1 does not answer as it should. Check the address.',
    });
    await save('geocoder', { url: null });
  });

  test('an Instagram token with spaces is refused', async () => {
    expect((await save('instagram', { token: 'two words' })).status).toBe(400);
    expect(await testOf('instagram')).toEqual({ works: false, text: 'Set it up first, then test it.' });
  });
});
