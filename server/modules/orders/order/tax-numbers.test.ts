/** The numbers by which a shop is registered for taxes stand where the taxes of an order do. */
import { expect, it } from 'vitest';
import { billRows } from '#contract/bill-rows.ts';
import { outbox } from '#tests/accounts.ts';
import { sellProduct } from '#tests/products.ts';
import { add, address, deliver, finish } from '#tests/shop-actions.ts';
import { createTestApp, onOneEngine } from '#tests/test-app.ts';

onOneEngine((engine) => {
  it('a placed order says the numbers for the taxes on it, of its own day, on the bill and in its mail', async () => {
    const testApp = await createTestApp({ engine, demo: true });
    await sellProduct(testApp, 'NUMBER-MUG', { taxClass: 'standard', priceCents: 2000 });
    const registration = { registered: true, from: null, until: null };
    await testApp.services.settings.update({
      taxRegistrations: [
        { ...registration, tax: 'GST/HST', number: '123456789 RT0001' },
        { ...registration, tax: 'BC PST', number: 'PST-1000-0001' },
        { ...registration, tax: 'QST', number: '1234567890 TQ0001' },
      ],
    });
    const order = async (to: object) => {
      const session = testApp.shopper();
      await add(testApp, session, 'NUMBER-MUG');
      await deliver(testApp, session, { address: to });
      expect((await testApp.call('myCart', { session })).bill.taxNumbers).toBeUndefined();
      const { id } = await finish(testApp, session, { how: 'pay', lang: 'en', billingAddress: address });
      return () => testApp.call('order', { session, params: { id } });
    };
    const ontario = await order(address);
    const vancouver = await order({
      ...address,
      city: 'Vancouver',
      province: 'British Columbia',
      postCode: 'V6B 1A1',
    });
    const quebec = await order({ ...address, city: 'Montréal', province: 'Quebec', postCode: 'H2X 1Y4' });
    const numbersOf = async (of: typeof ontario) => (await of()).bill.taxNumbers?.map(({ tax }) => tax);
    expect([await numbersOf(ontario), await numbersOf(vancouver), await numbersOf(quebec)]).toEqual([
      ['GST/HST'],
      ['GST/HST', 'BC PST'],
      ['GST/HST', 'QST'],
    ]);
    const { bill, method } = await vancouver();
    const rows = billRows(bill, { method }).filter(({ kind }) => kind === 'tax' || kind === 'taxNumber');
    expect(rows.slice(-2).map(({ label }) => label)).toEqual([
      { key: 'bill.taxNumber', values: { tax: 'GST/HST', number: '123456789 RT0001' } },
      { key: 'bill.taxNumber', values: { tax: 'BC PST', number: 'PST-1000-0001' } },
    ]);
    const mails = await outbox(testApp);
    expect(mails.some(({ text }) => text.includes('GST/HST no. 123456789 RT0001'))).toBe(true);
    // A registration that ended before is not that of the order.
    await testApp.services.settings.update({
      taxRegistrations: [
        { ...registration, tax: 'GST/HST', number: '123456789 RT0001', until: '2001-01-31' },
      ],
    });
    expect(await numbersOf(ontario)).toBeUndefined();
  });
});
