/** A service charge: on the bill, by method and party size, on what is sent about an order, and in refunds. */
import { beforeAll, beforeEach, expect, it } from 'vitest';
import { mailsFor } from '#tests/accounts.ts';
import { sellProduct } from '#tests/products.ts';
import { cartWith, contact, deliver, finish, visit } from '#tests/shop-actions.ts';
import { createTestApp, onOneEngine, type TestApp } from '#tests/test-app.ts';

const charge = {
  percent: 18,
  fromPartySize: null,
  stores: [] as string[],
  methods: { shipping: false, pickup: false, instore: true },
  taxClass: 'standard',
  name: { en: 'Service charge', zh: '服务费' },
};
const name = charge.name;

onOneEngine((engine) => {
  let testApp: TestApp;
  const update = (serviceCharge: object) =>
    testApp.services.settings.update({ serviceCharge: { ...charge, ...serviceCharge } });
  const table = { methodName: 'instore', tableNumber: '4' };
  const atTable = async (query: object = {}) => {
    const session = await cartWith(testApp, 'CAKE');
    return { session, ...(await visit(testApp, session, { ...table, ...query })) };
  };

  beforeAll(async () => {
    testApp = await createTestApp({ engine, demo: true });
    await sellProduct(testApp, 'CAKE', { priceCents: 1000 });
  });
  beforeEach(() => update({}));

  it('a shop has no service charge until it sets one', async () => {
    await update({ percent: 0, fromPartySize: 6 });
    expect((await atTable()).body.bill).toMatchObject({ total: 1130 });
    expect((await atTable()).body.bill).not.toHaveProperty('serviceCharge');
    expect(await testApp.call('checkoutConfig')).not.toHaveProperty('partyCharge');
  });

  it('a service charge is on the bill of the methods that it is for, with its tax', async () => {
    expect((await atTable()).body.bill).toMatchObject({
      serviceCharge: { nameContent: name, amount: 180, taxes: [{ label: 'HST 13%', amount: 23 }] },
      tax: 130 + 23,
      total: 1000 + 180 + 153,
    });
    const session = await cartWith(testApp, 'CAKE');
    expect((await deliver(testApp, session)).body.bill).not.toHaveProperty('serviceCharge');
    expect((await visit(testApp, session)).body.bill).not.toHaveProperty('serviceCharge');
    await update({ methods: { shipping: true, pickup: true, instore: true }, taxClass: '' });
    expect((await visit(testApp, session)).body.bill).toMatchObject({
      serviceCharge: { amount: 180, taxes: [] },
      total: 1000 + 180 + 130,
    });
  });

  it('a charge for large parties asks tables how many they are, and charges from there on', async () => {
    await update({ fromPartySize: 6, methods: { shipping: true, pickup: true, instore: true } });
    expect((await testApp.call('checkoutConfig')).partyCharge).toEqual({
      nameContent: name,
      percent: 18,
      fromPartySize: 6,
      stores: [],
    });
    for (const partySize of [undefined, '', '0', '100', 'six', '1.5']) {
      const { status, body } = await atTable(partySize === undefined ? {} : { partySize });
      expect([status, body.errors]).toEqual([
        400,
        { partySize: 'Please enter the number of people, from 1 to 99' },
      ]);
    }
    expect((await atTable({ partySize: '5' })).body.bill).not.toHaveProperty('serviceCharge');
    const query = { methodName: 'instore', localStoreName: 'toronto-queen-west', partySize: '6' } as const;
    const { session, body } = await atTable({ partySize: ' 6 ' });
    expect([body.partySize, body.bill.serviceCharge?.amount]).toEqual([6, 180]);
    expect((await testApp.call('billEstimate', { session, query })).total).toBe(body.bill.total);
    // Nobody else has a party.
    const pickedUp = (await visit(testApp, session)).body;
    expect(pickedUp.bill).not.toHaveProperty('serviceCharge');
    expect(pickedUp).not.toHaveProperty('partySize');
  });

  it('a charge of some stores is charged and asked about there alone', async () => {
    await update({ fromPartySize: 6, stores: ['ottawa-byward'] });
    const { status, body } = await atTable();
    expect([status, body.bill.total]).toEqual([200, 1130]);
    const elsewhere = { localStoreName: 'ottawa-byward' };
    expect((await atTable(elsewhere)).body.errors).toHaveProperty('partySize');
    expect((await atTable({ ...elsewhere, partySize: '6' })).body.bill.serviceCharge?.amount).toBe(180);
    expect((await atTable({ partySize: '6' })).body.bill).not.toHaveProperty('serviceCharge');
  });

  it('a cart from before the shop asked for the party size is not placed without it', async () => {
    const { session } = await atTable();
    await update({ fromPartySize: 2 });
    const { status, body } = await testApp.ask('reserve', { session, body: {}, lang: 'zh' });
    expect([status, body.errors]).toEqual([400, { partySize: '请填写用餐人数，1 至 99 人' }]);
  });

  it('a placed order keeps its service charge, which its mail names and a refund gives back once', async () => {
    await update({ fromPartySize: 6 });
    const { session, body } = await atTable({ partySize: '8' });
    const { id, number } = await finish(testApp, session, { how: 'pay', lang: 'zh' });
    await update({ percent: 50, name: { en: 'Other' } });
    const order = await testApp.call('order', { session, params: { id } });
    expect(order).toMatchObject({
      partySize: 8,
      bill: { serviceCharge: { nameContent: name, amount: 180 }, total: body.bill.total },
    });
    const [mail] = await mailsFor(testApp, contact.email, 'orderConfirmation');
    expect(mail?.text).toContain('服务费');

    await testApp.services.orderRefunds.refund(number, { reason: '' });
    const { payment } = await testApp.call('order', { session, params: { id } });
    expect(payment?.refunded).toBe(body.bill.total);
    await expect(testApp.services.orderRefunds.refund(number, { reason: '', amount: 1 })).rejects.toThrow();
  });

  it('a service charge with more than three decimals is refused', async () => {
    await expect(update({ percent: 12.3456 })).rejects.toMatchObject({
      problems: [{ path: ['settings', 'serviceCharge', 'percent'], key: 'problem.percent.decimals' }],
    });
    await expect(update({ fromPartySize: 1 })).rejects.toThrow('fromPartySize');
  });
});
