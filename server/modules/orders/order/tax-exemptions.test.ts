/** Buyers who do not pay a tax: what they are charged, what their orders keep of it, and what becomes of the evidence. */
import { beforeAll, expect, it } from 'vitest';
import { register } from '#tests/accounts.ts';
import { sellProduct } from '#tests/products.ts';
import { add, address, deliver, finish } from '#tests/shop-actions.ts';
import { askStaff, joinStaff, secureStaff } from '#tests/staff.ts';
import { createTestApp, onOneEngine, type Shopper, type TestApp } from '#tests/test-app.ts';

const mug = 'EXEMPT-MUG';
const inVancouver = { ...address, city: 'Vancouver', province: 'British Columbia', postCode: 'V6B 1A1' };
const bcPst = { kind: 'bcPst' as const, number: 'PST-1234-5678', expires: null, postCode: '' };
const reserve = { kind: 'reserve' as const, number: '0012345678', expires: '2099-12-31', postCode: 'v6b1a1' };

onOneEngine((engine) => {
  let testApp: TestApp;
  let owner: Shopper;
  beforeAll(async () => {
    testApp = await createTestApp({ engine, demo: true });
    await sellProduct(testApp, mug, { taxClass: 'standard', priceCents: 2000 });
    owner = await joinStaff(testApp, 'owner@exempt.example');
    await secureStaff(testApp, owner);
  });
  const exempt = (id: string, exemptions: object[]) =>
    askStaff(testApp, 'exemptCustomer', { as: owner, params: { id }, body: { exemptions } as never });
  async function taxed(session: Shopper, to: object) {
    await deliver(testApp, session, { address: to });
    return (await testApp.call('myCart', { session })).bill;
  }

  it('a buyer with a PST number pays no PST in British Columbia, and every tax elsewhere', async () => {
    const { session, id } = await register(testApp);
    await add(testApp, session, mug);
    expect((await taxed(session, inVancouver)).taxLines.map(({ label }) => label)).toEqual([
      'GST 5%',
      'PST 7%',
    ]);
    const { body } = await exempt(id, [bcPst]);
    expect(body.taxExemptions).toMatchObject([
      { ...bcPst, checkedBy: expect.stringMatching(/./), checkedAt: testApp.clock.now() },
    ]);
    const bill = await taxed(session, inVancouver);
    expect([bill.taxLines.map(({ label }) => label), bill.taxExemptions]).toEqual([
      ['GST 5%'],
      [{ kind: 'bcPst', number: 'PST-1234-5678' }],
    ]);
    const elsewhere = await taxed(session, address);
    expect([elsewhere.taxLines.map(({ label }) => label), elsewhere.taxExemptions]).toEqual([
      ['HST 13%'],
      undefined,
    ]);
  });

  it('an order that is delivered to a reserve bears no tax, with its shipping, and keeps by whom that was seen', async () => {
    const { session, id, email } = await register(testApp);
    await add(testApp, session, mug);
    await exempt(id, [reserve]);
    expect((await taxed(session, address)).tax).toBeGreaterThan(0);
    const bill = await taxed(session, inVancouver);
    expect([bill.tax, bill.shipping > 0]).toEqual([0, true]);
    const order = await finish(testApp, session, { how: 'pay', lang: 'en', billingAddress: address });
    const head = await testApp.container.orders.findById(testApp.db.read, order.id);
    expect(head?.bill?.taxTerms?.exemptions).toMatchObject([
      { number: '0012345678', checkedAt: expect.any(Number) },
    ]);
    expect(head?.bill?.taxed?.map(({ of, treatment, taxes }) => [of, treatment, taxes])).toEqual([
      ['line', 'exempt', []],
      ['shipping', 'exempt', []],
    ]);
    const { body } = await askStaff(testApp, 'exportCustomer', { as: owner, params: { id } });
    expect(JSON.stringify(body.data)).toContain('0012345678');
    // What is no longer exempt is charged again; the order stays.
    await exempt(id, []);
    expect(
      (await testApp.call('order', { session, params: { id: order.id } })).bill.taxExemptions,
    ).toHaveLength(1);
    expect(
      (await askStaff(testApp, 'eraseCustomer', { as: owner, params: { id }, body: { email } })).status,
    ).toBe(200);
  });

  it('an exemption that has ended, or whose reserve is not named, does not count', async () => {
    const { session, id } = await register(testApp);
    await add(testApp, session, mug);
    await exempt(id, [{ ...bcPst, expires: '2001-01-31' }]);
    expect((await taxed(session, inVancouver)).taxLines).toHaveLength(2);
    expect((await exempt(id, [{ ...reserve, postCode: ' ' }])).status).toBe(400);
    expect((await exempt(id, [bcPst, bcPst])).status).toBe(400);
    const { body } = await askStaff(testApp, 'customer', { as: owner, params: { id } });
    expect(body.taxExemptions).toMatchObject([{ expires: '2001-01-31' }]);
  });
});
