import { beforeAll, describe, expect, it } from 'vitest';
import { countryName } from '#contract/countries.ts';
import { sellProduct } from '#tests/products.ts';
import { cards, cartWith, deliver, pay, setUnits } from '#tests/shop-actions.ts';
import { createTestApp, onOneEngine, type TestApp } from '#tests/test-app.ts';

const mug = 'MUG-OAT';

/** As people write them; what a country does not have is missing. `kept` is what an order says. */
const places: readonly (readonly [
  country: string,
  typed: Record<string, string>,
  kept?: Record<string, unknown>,
])[] = [
  [
    'CA',
    { city: 'Vancouver', province: 'BC', postCode: 'v6b1a1' },
    { postCode: 'V6B 1A1', province: 'British Columbia', provinceCode: 'BC' },
  ],
  ['US', { city: 'Washington', province: 'DC', postCode: '20500' }, { provinceCode: 'DC' }],
  ['GB', { city: 'London', postCode: 'sw1a1aa' }, { postCode: 'SW1A 1AA', province: '' }],
  ['IE', { city: 'Dublin', province: 'Dublin' }, { provinceCode: 'D', postCode: '' }],
  ['DE', { city: 'Berlin', postCode: '10115' }],
  ['FR', { city: 'Paris', postCode: '75001' }],
  ['ES', { city: 'Madrid', province: 'Madrid', postCode: '28001' }, { provinceCode: 'M' }],
  ['IT', { city: 'Roma', province: 'RM', postCode: '00184' }, { province: 'Roma' }],
  ['NL', { city: 'Amsterdam', postCode: '1012ab' }, { postCode: '1012 AB' }],
  ['PL', { city: 'Warszawa', postCode: '00950' }, { postCode: '00-950' }],
  ['SE', { city: 'Stockholm', postCode: '114 55' }, { postCode: '114 55', provinceCode: null }],
  ['CN', { city: '杭州市', province: '浙江省', postCode: '310000' }, { provinceCode: 'ZJ' }],
  ['HK', { city: '中環', province: '香港島' }, { province: 'Hong Kong Island', postCode: '' }],
  [
    'JP',
    { city: '新宿区', province: '東京都', postCode: '1600022' },
    { province: 'Tokyo', postCode: '160-0022' },
  ],
  ['KR', { city: '중구', province: '서울', postCode: '04524' }, { provinceCode: '11' }],
  ['SG', { postCode: '238801' }, { city: '', province: '' }],
  ['AE', { province: 'Dubai' }, { provinceCode: 'DU', postCode: '' }],
  ['QA', { city: 'Doha' }, { postCode: '' }],
  ['AU', { city: 'Sydney', province: 'NSW', postCode: '2000' }, { province: 'New South Wales' }],
  [
    'BR',
    { city: 'São Paulo', province: 'sao paulo', postCode: '01310100' },
    { provinceCode: 'SP', postCode: '01310-100' },
  ],
  ['IN', { city: 'Bengaluru', province: 'Karnataka', postCode: '560001' }, { provinceCode: 'KA' }],
  ['MX', { city: 'Mérida', province: 'Yucatán', postCode: '97000' }, { provinceCode: 'YUC' }],
];

onOneEngine((engine) => {
  let testApp: TestApp;
  beforeAll(async () => {
    testApp = await createTestApp({ engine, demo: true });
    await sellProduct(testApp, mug);
    await setUnits(testApp, mug, 100);
    const { shippingMethods } = await testApp.services.settings.all();
    const [first] = shippingMethods.slice(-1);
    if (!first) return expect.fail();
    const countries = places.map(([code]) => ({
      countryISOCode: code,
      name: { en: countryName(code, 'en'), zh: countryName(code, 'zh') },
    }));
    await testApp.services.settings.update({
      countries,
      shippingMethods: [
        { ...first, id: 'world', countries: places.map(([code]) => code), provinceCodes: [] },
      ],
    });
  });

  const typedAt = (country: string, parts: object) => ({
    streetNumberAndNameDetails: '5 Example Street',
    countryISOCode: country,
    ...parts,
  });

  const orders = places.map(([country, typed, kept = {}]) => ({ country, typed, kept }));
  it.each(orders)('an order is sent and billed to $country', async ({ country, typed, kept }) => {
    const session = await cartWith(testApp, mug);
    const address = typedAt(country, typed);
    const sent = await deliver(testApp, session, { address });
    expect(sent.body).not.toHaveProperty('errors');
    const { status, body } = await pay(testApp, session, cards.approve, { billingAddress: address });
    expect([status, body.errors]).toEqual([200, undefined]);
    const order = await testApp.call('order', { session, params: { id: body.orderID } });
    const row = await testApp.db.read
      .selectFrom('orders')
      .selectAll()
      .where('id', '=', body.orderID)
      .executeTakeFirstOrThrow();
    // A province is kept by its name in Latin letters, and by its code.
    const { province: _, ...parts } = typed;
    const expected = { countryISOCode: country, ...parts, ...kept };
    for (const stored of [row.shipping_address, row.billing_address])
      expect(JSON.parse(stored ?? '')).toMatchObject(expected);
    expect(order.state).toBe('placed');
  });

  it('the form of an address is sent in the caller’s language, and of no country that does not exist', async () => {
    const labels = async (lang: 'en' | 'zh') =>
      (await testApp.call('addressForm', { params: { id: 'jp' }, lang })).fields.map(({ label }) => label);
    expect(await labels('en')).toEqual(['Street address', 'City', 'Prefecture', 'Postal code']);
    expect(await labels('zh')).toEqual(['邮编', '都道府县', '城市', '街道与门牌号']);
    expect((await testApp.ask('addressForm', { params: { id: 'XX' } })).status).toBe(404);
  });

  describe('an address that is incomplete, or contradicts itself', () => {
    const errorsAt = async (country: string, parts: object, lang: 'en' | 'zh' = 'en') => {
      const session = await cartWith(testApp, mug);
      const body = {
        contact: { firstName: 'Jo', lastName: 'Lin', email: 'jo@shop.example' },
        address: typedAt(country, parts),
      };
      const answer = await testApp.ask('orderDeliverInfo', { session, lang, body });
      return (answer.body as { errors?: object }).errors;
    };
    it('each country names what it asks for in the SPEC’s sentences, and nothing else', async () => {
      expect(await errorsAt('HK', {})).toEqual({ 'address.province': 'Your state/province is missing' });
      expect(await errorsAt('SG', {})).toEqual({ 'address.postCode': 'Your zipcode is missing' });
      expect(await errorsAt('GB', {}, 'zh')).toEqual({
        'address.city': '请填写城市',
        'address.postCode': '请填写邮编',
      });
    });
    it('a postal code of Vancouver is refused with Ontario, in words', async () => {
      const there = { city: 'Toronto', province: 'Ontario', postCode: 'V6B 1A1' };
      expect(await errorsAt('CA', there)).toEqual({
        'address.postCode': 'This postal code is in BC. Please check the province and the postal code.',
      });
      expect(await errorsAt('CA', there, 'zh')).toEqual({
        'address.postCode': '该邮编属于 BC，请核对省份和邮编',
      });
    });
    it('a Canadian address does not take an American code, nor a province of another country', async () => {
      expect(await errorsAt('CA', { city: 'Toronto', province: 'Ontario', postCode: '90210' })).toEqual({
        'address.postCode': 'Please enter a postal code such as H3Z 2Y7',
      });
      expect(await errorsAt('JP', { city: 'Toronto', province: 'Ontario', postCode: '160-0022' })).toEqual({
        'address.province': 'Please choose a state/province from the list',
      });
    });
  });
});
