/** Orders that are shipped in one parcel or several, over HTTP and by the operation that commands use. */
import { beforeAll, describe, expect, it } from 'vitest';
import { undoMs } from '#contract/limits.ts';
import { mailsFor } from '#tests/accounts.ts';
import { sellProduct } from '#tests/products.ts';
import { add, address, contact, finish, setUnits } from '#tests/shop-actions.ts';
import { askStaff, joinStaff } from '#tests/staff.ts';
import { createTestApp, onBothEngines, type Shopper, type TestApp } from '#tests/test-app.ts';

onBothEngines((engine) => {
  let testApp: TestApp;
  let as: Shopper;
  let asked = 0;
  beforeAll(async () => {
    testApp = await createTestApp({ engine, demo: true });
    for (const sku of ['MUG-SHIP', 'POT-SHIP']) {
      await sellProduct(testApp, sku);
      await setUnits(testApp, sku, 90, 'warehouse');
    }
    as = await joinStaff(testApp, 'pack@shipping.example', 'packer');
  });

  async function placed() {
    asked += 1;
    const email = `parcel.${asked}@example.com`;
    const session = testApp.shopper();
    await add(testApp, session, 'MUG-SHIP', 3);
    await add(testApp, session, 'POT-SHIP', 1);
    await testApp.call('orderDeliverInfo', { session, body: { contact: { ...contact, email }, address } });
    const { number, id } = await finish(testApp, session, { how: 'pay', lang: 'en' });
    const order = async () => testApp.call('order', { session, params: { id } });
    const [mug = '', pot = ''] = (await order()).lineItems.map((line) => line.id);
    const mails = async () =>
      (await mailsFor(testApp, email)).filter((mail) => /has shipped/.test(JSON.stringify(mail)));
    return { number, order, mug, pot, mails };
  }
  const ship = (number: string, body: object) =>
    askStaff(testApp, 'shipOrder', { as, params: { number }, body });
  const takeBack = (number: string, id: string, reason: string) =>
    askStaff(testApp, 'takeBackShipment', { as, params: { number, id }, body: { reason } });

  describe('parcels', () => {
    it('an order is shipped once all of its items are, and each parcel has its own email with its items and link', async () => {
      const { number, order, mug, pot, mails } = await placed();
      const first = await ship(number, {
        lines: [{ line: mug, quantity: 2 }],
        tracking: 'https://www.ups.com/track?tracknum=1Z999AA10123456784',
        seen: 0,
      });
      expect(first.status).toBe(200);
      expect(await order()).toMatchObject({
        state: 'placed',
        shipments: [
          {
            carrier: 'UPS',
            trackingNumber: '1Z999AA10123456784',
            trackingUrl: expect.stringContaining('ups.com'),
            lines: [{ line: mug, quantity: 2 }],
          },
        ],
      });
      expect(await mails()).toHaveLength(0);
      testApp.clock.advance(undoMs + 1);
      const { body: sheet } = await askStaff(testApp, 'order', { as, params: { number } });
      expect(
        sheet.events.flatMap(({ what }) => (what.kind === 'action' ? (what.fields ?? []) : [])),
      ).toContainEqual({
        field: 'shipped',
        to: '2 × mug-ship',
      });
      const [mail] = await mails();
      expect(JSON.stringify(mail)).toContain('tracknum=1Z999AA10123456784');
      expect(JSON.stringify(mail)).toContain('ship separately');
      expect(
        (await ship(number, { tracking: '7023210039414604', carrier: 'canadaPost', seen: 1 })).status,
      ).toBe(200);
      expect(await order()).toMatchObject({
        state: 'shipped',
        shipments: [
          {},
          {
            carrier: 'Canada Post',
            lines: [
              { line: mug, quantity: 1 },
              { line: pot, quantity: 1 },
            ],
          },
        ],
      });
      testApp.clock.advance(undoMs + 1);
      expect(await mails()).toHaveLength(2);
      expect(JSON.stringify((await mails()).at(-1))).not.toContain('ship separately');
    });

    it('the same item is shipped once if two people ship it at once', async () => {
      const { number, order, pot } = await placed();
      const body = { lines: [{ line: pot, quantity: 1 }], tracking: '', seen: 0 };
      const answers = await Promise.all([1, 2, 3].map(() => ship(number, body)));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
      expect((await order()).shipments).toHaveLength(1);
      const more = await ship(number, { ...body, seen: 1 });
      expect([more.status, more.body.errorKey]).toEqual([409, 'error.order.notLeft']);
    });

    it('a parcel is taken back at once without an email, or later with a reason, and its items are to be shipped again', async () => {
      const { number, order, mug, mails } = await placed();
      const lines = [{ line: mug, quantity: 1 }];
      const { shipment } = (await ship(number, { lines, tracking: '', seen: 0 })).body;
      expect((await takeBack(number, shipment, '')).status).toBe(200);
      testApp.clock.advance(undoMs + 1);
      expect([(await order()).shipments, await mails()]).toEqual([undefined, []]);
      const part = (await ship(number, { lines, tracking: '', seen: 0 })).body.shipment;
      const rest = (await ship(number, { tracking: '', seen: 1 })).body.shipment;
      expect((await order()).state).toBe('shipped');
      testApp.clock.advance(undoMs + 1);
      expect((await takeBack(number, part, '')).body.errorKey).toBe('error.order.tooLate');
      expect((await takeBack(number, part, 'the wrong box')).status).toBe(200);
      expect(await order()).toMatchObject({ state: 'placed', shipments: [{ id: rest }] });
      const sheet = await askStaff(testApp, 'order', { as, params: { number } });
      expect(sheet.body.notes).toMatchObject([{ text: 'the wrong box' }]);
      expect((await takeBack(number, part, 'again')).body.errorKey).toBe('error.order.noStep');
      await ship(number, { tracking: '', seen: 1 });
      expect((await order()).state).toBe('shipped');
    });

    it('the step of the desk ships what is left, and taking it back takes its parcel back', async () => {
      const { number, order } = await placed();
      const { version } = await order();
      await askStaff(testApp, 'moveOrder', { as, params: { number }, body: { to: 'shipped', version } });
      const moved = await order();
      expect(moved).toMatchObject({
        state: 'shipped',
        shipments: [{ carrier: '', lines: [{ quantity: 3 }, { quantity: 1 }] }],
      });
      await askStaff(testApp, 'undoMove', { as, params: { number }, body: { version: moved.version } });
      const undone = await order();
      expect([undone.state, undone.shipments]).toEqual(['placed', undefined]);
    });

    it('refunded items that are not sent yet are no longer to be sent, and the last of them ends the shipping', async () => {
      const { number, order, mug, pot } = await placed();
      const sheet = async () => (await askStaff(testApp, 'order', { as, params: { number } })).body;
      const { refundParts, quoteParts } = testApp.services.orderRefunds;
      const words = { tip: 0, restock: false, reason: 'broken', note: '' };
      const refund = async (line: string, quantity: number, unsent?: number) => {
        const lines = [{ line, quantity, ...(unsent === undefined ? {} : { unsent }) }];
        return refundParts(number, { ...words, lines, amount: await quoteParts(number, { lines }) });
      };
      await ship(number, { lines: [{ line: mug, quantity: 1 }], tracking: '', seen: 0 });
      const rows = await askStaff(testApp, 'orders', { as, query: { text: number } });
      expect(rows.body.orders).toMatchObject([{ number, state: 'placed', isPartlyShipped: true }]);
      const card = async () =>
        (await askStaff(testApp, 'deskOrders', { as, query: { numbers: number } })).body.orders[0];
      expect(await card()).toMatchObject({
        isPartlyShipped: true,
        lines: [{ quantity: 3, left: 2 }, { left: 1 }],
      });
      // The one that arrived broken.
      await refund(mug, 1, 0);
      expect((await sheet()).unsent).toEqual([
        { line: mug, quantity: 2 },
        { line: pot, quantity: 1 },
      ]);
      await expect(refund(pot, 1, 2)).rejects.toThrow('has just changed');
      await refund(mug, 1);
      await refund(pot, 1);
      expect((await sheet()).unsent).toEqual([{ line: mug, quantity: 1 }]);
      const { papers } = (await askStaff(testApp, 'papers', { as, query: { numbers: number } })).body;
      expect(papers[0]?.lines).toMatchObject([
        { id: mug, quantity: 1, sent: 1 },
        { id: pot, quantity: 0, sent: 0 },
      ]);
      expect(
        (await ship(number, { lines: [{ line: pot, quantity: 1 }], tracking: '', seen: 1 })).status,
      ).toBe(409);
      await refund(mug, 1);
      expect(await card()).toMatchObject({ lines: [{ left: 0 }, { left: 0 }] });
      const { version } = await order();
      testApp.clock.advance(1);
      await askStaff(testApp, 'moveOrder', { as, params: { number }, body: { to: 'shipped', version } });
      const moved = await order();
      expect([moved.state, moved.shipments?.length]).toEqual(['shipped', 1]);
      await askStaff(testApp, 'undoMove', { as, params: { number }, body: { version: moved.version } });
      const undone = await order();
      expect([undone.state, undone.shipments?.length]).toEqual(['placed', 1]);
    });

    it.each([
      { tracking: 'it left this morning' },
      { tracking: 'javascript:alert(1)' },
      { tracking: '', lines: [] },
      { tracking: '', carrier: 'pigeon' },
    ])('the shipment %j is refused and nothing is sent', async (wrong) => {
      const { number, order } = await placed();
      expect((await ship(number, { seen: 0, ...wrong })).status).toBe(400);
      expect(await order()).not.toHaveProperty('shipments');
    });

    it('the rest of a partly shipped order is cancelled, and all of it once its parcel is taken back', async () => {
      const { number, mug } = await placed();
      const { shipment } = (
        await ship(number, { lines: [{ line: mug, quantity: 1 }], tracking: '', seen: 0 })
      ).body;
      const { fulfilment } = testApp.services;
      await takeBack(number, shipment, '');
      expect((await fulfilment.cancel(number, 'sold twice')).order.state).toBe('cancelled');
      const other = await placed();
      await ship(other.number, { lines: [{ line: other.mug, quantity: 1 }], tracking: '', seen: 0 });
      expect((await fulfilment.cancel(other.number, 'sold twice')).order.state).toBe('shipped');
    });

    it('more than is left of an item, or an item twice, is refused', async () => {
      const { number, mug } = await placed();
      for (const lines of [
        [{ line: mug, quantity: 4 }],
        [{ line: 'none', quantity: 1 }],
        [
          { line: mug, quantity: 1 },
          { line: mug, quantity: 1 },
        ],
      ])
        expect((await ship(number, { lines, tracking: '', seen: 0 })).status).toBe(409);
    });
  });
});
