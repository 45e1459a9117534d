/** Tickets on printers that speak ESC/POS: what is printed, once, and what happens while a printer is away. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { noStore } from '#contract/limits.ts';
import { mailsFor } from '#tests/accounts.ts';
import { sellTea, tea, usual } from '#tests/modifiers.ts';
import { finish, visit } from '#tests/shop-actions.ts';
import { askStaff, joinStaff } from '#tests/staff.ts';
import { createTestApp, forEachEngine, type TestApp } from '#tests/test-app.ts';
import { fakePrinter, type Manner, manners } from '#tests/ticket-printer.ts';

const store = 'toronto-queen-west';

forEachEngine((engine) => {
  let testApp: TestApp;
  let printer: Awaited<ReturnType<typeof fakePrinter>>;
  beforeEach(async () => {
    printer = await fakePrinter();
    const address = `tcp://127.0.0.1:${printer.port}`;
    testApp = await createTestApp({
      engine,
      demo: true,
      env: { TICKET_PRINTERS: `${store}=${address} ottawa-byward=${address}?columns=32` },
    });
    await sellTea(testApp);
    await testApp.services.settings.update({ staffLanguage: 'zh' });
  });
  afterEach(() => printer.close());

  async function order(note = '不要吸管 | ^1 _straw_'): Promise<string> {
    const session = testApp.shopper();
    const body = { quantity: 2, modifiers: usual, note };
    await testApp.call('addToCart', { session, params: { itemName: tea }, body });
    await visit(testApp, session, { methodName: 'instore', localStoreName: store, tableNumber: '7' });
    return (await finish(testApp, session, { how: 'pay', lang: 'en' })).number;
  }
  const deliver = () => testApp.services.deliveries.run();

  describe('the ticket of a new order', () => {
    it('the ticket has the table, the lines with what was chosen and their notes as typed, and no prices', async () => {
      const number = await order();
      await deliver();
      await deliver();
      expect(printer.printed).toHaveLength(1);
      const text = new TextDecoder('gb18030').decode(printer.printed[0]);
      for (const words of ['7 号桌', number, '2×', '珍珠', '不要吸管 | ^1 _straw_'])
        expect(text).toContain(words);
      expect(text).not.toMatch(/\d\.\d\d/);
    });

    it('a change of the order prints only what came and went, marked as changed', async () => {
      const number = await order();
      await deliver();
      const { fulfilment, orderChanges, orders } = testApp.services;
      const { id } = await fulfilment.find(number);
      const [line] = await orders.lines(testApp.db.read, await fulfilment.find(number));
      const lines = [
        { line: line?.id ?? '', quantity: 3 },
        { sku: tea, modifiers: [...usual], note: '去冰' },
      ];
      const { version } = await orderChanges.plan(id, lines, 'zh');
      await orderChanges.book(id, { lines, version, mayGiveBack: true }, 'zh');
      await deliver();
      expect(printer.printed).toHaveLength(2);
      const text = new TextDecoder('gb18030').decode(printer.printed[1]);
      for (const words of ['已更改', number, '+1×', '去冰']) expect(text).toContain(words);
      expect(text).not.toMatch(/[23]×/);
    });

    it('a printer that is away gets its ticket when it is back, and the merchant is told after a minute', async () => {
      const { port } = printer;
      printer.close();
      await order();
      for (let attempt = 0; attempt < 7; attempt += 1) {
        await deliver();
        testApp.clock.advance(10_000);
      }
      const alerts = await mailsFor(testApp, 'hello@maple-and-clay.example', 'merchantAlert');
      expect(alerts.map(({ text }) => text.includes(`127.0.0.1:${port}`))).toEqual([true]);
      printer = await fakePrinter(port);
      testApp.clock.advance(10_000);
      await deliver();
      expect(printer.printed).toHaveLength(1);
    });

    it('desk and kitchen hear at once which tickets wait for a printer, and why, until it has printed them', async () => {
      const as = await joinStaff(testApp, 'cook@tickets.example', 'assistant', [store, 'ottawa-byward']);
      const shown = async (query = {}) =>
        (await askStaff(testApp, 'deskOrders', { as, query })).body.unprinted;
      const hints = async () =>
        (await testApp.db.read.selectFrom('feed').selectAll().where('topic', '=', 'order').execute()).length;
      const number = await order();
      expect(await shown()).toEqual([]);
      printer.paper = 0x72;
      const before = await hints();
      await deliver();
      expect(await hints()).toBe(before + 1);
      expect(await shown()).toEqual([{ printer: store, trouble: 'noPaper', numbers: [number] }]);
      expect(await shown({ store: 'ottawa-byward' })).toEqual([]);
      const owner = await joinStaff(testApp, 'owner@tickets.example');
      const { body: parcels } = await askStaff(testApp, 'deskOrders', {
        as: owner,
        query: { store: noStore },
      });
      expect(parcels.unprinted).toEqual([]);
      const { port } = printer;
      printer.close();
      testApp.clock.advance(10_000);
      await deliver();
      expect(await shown()).toEqual([{ printer: store, trouble: 'away', numbers: [number] }]);
      printer = await fakePrinter(port);
      testApp.clock.advance(10_000);
      await deliver();
      expect(await shown()).toEqual([]);
      expect(await hints()).toBe(before + 2);
    });

    it('a printer without paper is sent nothing until it has some, and one that tells no state is sent all', async () => {
      printer.paper = 0x72;
      await order();
      await deliver();
      expect(printer.printed).toEqual([]);
      printer.paper = null;
      testApp.clock.advance(10_000);
      await deliver();
      expect(printer.printed).toHaveLength(1);
    });

    for (const manner of Object.keys(manners) as Manner[])
      it(`a printer that ${manner} prints each ticket once, however often it could be tried again`, async () => {
        printer.manner = manner;
        if (manner.startsWith('stays silent')) printer.paper = null;
        await order();
        for (let attempt = 0; attempt < 4; attempt += 1) {
          await deliver();
          testApp.clock.advance(15_000);
        }
        expect(printer.printed).toHaveLength(1);
        const sent = await testApp.db.read
          .selectFrom('deliveries')
          .select(['state', 'attempts'])
          .where('kind', '=', 'kitchenTicket')
          .execute();
        expect(sent).toEqual([{ state: 'delivered', attempts: 1 }]);
      });

    it('a printer that hangs up at once, as another computer is printing, gets its ticket later', async () => {
      printer.isBusy = true;
      await order();
      await deliver();
      expect(printer.printed).toEqual([]);
      printer.isBusy = false;
      testApp.clock.advance(10_000);
      await deliver();
      expect(printer.printed).toHaveLength(1);
    });

    it('a cancelled order is not printed', async () => {
      const number = await order();
      await testApp.services.fulfilment.cancel(number, 'by the merchant');
      await deliver();
      expect(printer.printed).toEqual([]);
    });
  });
});
