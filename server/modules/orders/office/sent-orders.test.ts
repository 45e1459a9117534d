/** Where an order goes, how and by when: on every screen, email, paper and ticket that somebody works with. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AddressInput } from '#contract/schemas/order.ts';
import { confirmEmail, mailsFor, register } from '#tests/accounts.ts';
import { sellProduct } from '#tests/products.ts';
import { add, contact, deliver, finish, setUnits } from '#tests/shop-actions.ts';
import { askStaff, joinStaff } from '#tests/staff.ts';
import { createTestApp, forEachEngine, type Shopper, type TestApp } from '#tests/test-app.ts';
import { fakePrinter } from '#tests/ticket-printer.ts';

const store = 'toronto-queen-west';
const buyer = 'buyer@sent.example';

/** Every field of the form; a new one has to be added here, and is then looked for everywhere. */
const typed: Required<Omit<AddressInput, 'streetNumberAndDetails' | 'country'>> = {
  streetNumberAndNameDetails: '25 Niagara Street',
  addressDescription: 'Apt 1204, buzzer 77',
  city: 'Old Toronto',
  province: 'Ontario',
  postCode: 'M6J 1K2',
  countryISOCode: 'CA',
  contactPhone: '+1 416-555-0177',
};
const corners = [
  { lat: 43.64, lng: -79.42 },
  { lat: 43.66, lng: -79.42 },
  { lat: 43.66, lng: -79.39 },
];
const receiver = { firstName: 'Aiko', lastName: 'Moreau', phoneNumber: '', email: '' };
const { countryISOCode: _, ...seen } = { ...typed, country: 'Canada', name: 'Aiko Moreau' };

forEachEngine((engine) => {
  let testApp: TestApp;
  let printer: Awaited<ReturnType<typeof fakePrinter>>;
  let owner: Shopper;
  beforeEach(async () => {
    printer = await fakePrinter();
    testApp = await createTestApp({
      engine,
      demo: true,
      env: { TICKET_PRINTERS: `${store}=tcp://127.0.0.1:${printer.port}?encoding=cp858` },
    });
    await testApp.services.settings.update({ staffLanguage: 'en' });
    await sellProduct(testApp, 'TEA', { priceCents: 2500 });
    owner = await joinStaff(testApp, 'owner@sent.example');
  });
  afterEach(() => printer.close());

  async function order(shippingMethod: string, from = 'warehouse') {
    await setUnits(testApp, 'TEA', 20, from);
    await register(testApp, { email: buyer });
    const session = await confirmEmail(testApp, buyer);
    await add(testApp, session, 'TEA');
    const body = {
      contact: { ...contact, email: buyer },
      shippingContact: receiver,
      address: typed,
      shippingMethod,
    };
    const { status } = await deliver(testApp, session, body);
    expect(status).toBe(200);
    return finish(testApp, session, { how: 'pay', lang: 'en' });
  }

  /** What is said of an order, by where. */
  async function texts(number: string): Promise<Record<string, string>> {
    const [desk] = (await askStaff(testApp, 'deskOrders', { as: owner, query: { numbers: number } })).body
      .orders;
    const [paper] = (await askStaff(testApp, 'papers', { as: owner, query: { numbers: number } })).body
      .papers;
    const sheet = (await askStaff(testApp, 'order', { as: owner, params: { number } })).body;
    const list = (await askStaff(testApp, 'orders', { as: owner, query: { text: number } })).body.orders;
    await testApp.services.deliveries.run();
    const toStaff = (await mailsFor(testApp, '', 'newOrder')).filter(({ text }) => text.includes(number));
    const [toBuyer] = await mailsFor(testApp, buyer, 'orderConfirmation');
    return {
      desk: JSON.stringify([desk?.name, desk?.phone, desk?.address, desk?.delivery]),
      slip: JSON.stringify([paper?.name, paper?.phone, paper?.address, paper?.delivery]),
      sheet: JSON.stringify([sheet.order.shippingContact, sheet.order.shippingAddress, sheet.delivery]),
      list: JSON.stringify(list.map(({ delivery }) => delivery)),
      toStaff: toStaff.map(({ text }) => text).join(),
      toBuyer: toBuyer?.text ?? '',
      ticket: printer.printed.map((bytes) => new TextDecoder('latin1').decode(bytes)).join(),
    };
  }

  describe('an order that is sent', () => {
    it('every field of the address, the receiver and their phone reach the desk, the slip, the ticket and both emails', async () => {
      const stores = await testApp.services.stores.all();
      const zone = {
        id: 'core',
        name: { en: 'By bike', zh: '骑行配送' },
        polygon: [...corners],
        postalCodes: ['M6J'],
      };
      const deliveryZones = [{ ...zone, feeCents: 500, minimumCents: 0, freeFromCents: null, minutes: 40 }];
      await testApp.services.stores.upsert(
        stores.map((each) => (each.id === store ? { ...each, deliveryZones } : each)),
      );
      const { number } = await order(`${store}.core`, store);
      const all = await texts(number);
      for (const place of ['desk', 'slip', 'toStaff', 'toBuyer', 'ticket'])
        for (const [field, value] of Object.entries(seen))
          expect([place, field, all[place]]).toEqual([place, field, expect.stringContaining(value)]);
      expect(all.ticket).toContain('By bike');
      expect(all.ticket).toMatch(/Deliver by[^\n]*May 16, 10:40/);
      expect(all.toStaff).toMatch(/Deliver by.*\n?.*\d\d:\d\d/);
      for (const place of ['desk', 'slip', 'sheet', 'list'])
        expect(all[place]).toMatch(/By bike.*"dueAt":\d+/);
    });

    it('the method that was bought and the day by which it leaves stand wherever a parcel is worked on, also once it is renamed', async () => {
      const { shippingMethods } = await testApp.services.settings.all();
      const express = shippingMethods.find(({ id }) => id === 'ca-express');
      const { number } = await order(express?.id ?? '');
      const renamed = shippingMethods.map((each) =>
        each.id === express?.id ? { ...each, name: { en: 'Slower', zh: '慢' } } : each,
      );
      await testApp.services.settings.update({ shippingMethods: renamed });
      const all = await texts(number);
      const name = express?.name.en ?? 'nothing';
      for (const place of ['desk', 'slip', 'sheet', 'list', 'toStaff'])
        expect([place, all[place]]).toEqual([place, expect.stringContaining(name)]);
      for (const place of ['desk', 'slip', 'sheet', 'list'])
        expect(all[place]).toMatch(/"sendBy":"\d{4}-\d\d-\d\d".*"earliest"/);
      expect(all.toStaff).toContain('Send by');
      expect(all.toStaff).toContain('Promised arrival');
    });
  });
});
