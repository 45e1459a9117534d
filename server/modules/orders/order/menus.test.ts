import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isServedAt, type Menu } from '#contract/rules/menus.ts';
import { addDays, weekdayOn } from '#contract/rules/opening-hours.ts';
import { instantAt, wallClock } from '#server/platform/time-zone.ts';
import { iced, pearls, sellTea, tea, whole } from '#tests/modifiers.ts';
import { sellProduct } from '#tests/products.ts';
import { add, choosePickup, contact } from '#tests/shop-actions.ts';
import { askStaff, joinStaff } from '#tests/staff.ts';
import { createTestApp, onBothEngines, onOneEngine, type Shopper, type TestApp } from '#tests/test-app.ts';

const store = 'toronto-queen-west';
const zone = 'America/Toronto';
/** The Saturday of `testNow`, on which the store is open from 10:00 to 21:00. */
const today = '2026-05-16';
const at = (clock: string, date = today) => {
  const [hours = 0, minutes = 0] = clock.split(':').map(Number);
  return instantAt(date, hours * 60 + minutes, zone) ?? 0;
};
const plainMenu: Menu = {
  id: 'breakfast',
  name: { en: 'Breakfast', zh: '早餐' },
  stores: [],
  days: [],
  from: '08:00',
  until: '13:00',
  categories: [],
  products: ['egg'],
  limit: null,
};

async function shop(engine: TestApp['engine'], menus: Menu[]): Promise<TestApp> {
  const testApp = await createTestApp({ engine, demo: true, connections: 10 });
  for (const sku of ['EGG', 'SODA', 'MUG'])
    await sellProduct(testApp, sku, { units: 500, priceCents: 300, inStoreOnly: sku === 'SODA' });
  const [first] = await testApp.services.stores.all();
  await testApp.services.settings.update({ menus: menus as never });
  if (first)
    await testApp.services.stores.upsert([{ ...first, pickupSlotCapacity: 100, pickupLeadMinutes: 0 }]);
  return testApp;
}

let shoppers = 0;

/** Of a shopper with an address and email of their own: what is unpaid is limited by both. */
async function pickupCart(testApp: TestApp, items: Record<string, number>): Promise<Shopper> {
  shoppers += 1;
  const session = testApp.shopper(`10.${shoppers >> 8}.${shoppers & 255}.1`);
  for (const [sku, quantity] of Object.entries(items)) await add(testApp, session, sku, quantity);
  const query = { methodName: 'pickup', localStoreName: store };
  const own = { ...contact, email: `shopper-${shoppers}@maple-and-clay.example` };
  const { status } = await testApp.ask('orderContactInfo', { session, query, body: { contact: own } });
  expect(status).toBe(200);
  return session;
}

const slotsOf = async (testApp: TestApp, session: Shopper) => {
  const { slots } = await testApp.call('pickupSlots', {
    session,
    query: { localStoreName: store, date: today },
  });
  return (clock: string) => slots.find((slot) => slot.at === at(clock))?.reason;
};

onOneEngine((engine) => {
  describe('menus', () => {
    it('the time chosen for pickup counts, and a cart that no longer fits says so and keeps its lines', async () => {
      const testApp = await shop(engine, [plainMenu]);
      const session = await pickupCart(testApp, { MUG: 1 });
      expect((await choosePickup(testApp, session, at('15:00'))).status).toBe(200);
      const added = (await add(testApp, session, 'EGG')).body;
      expect(added.lineItems.map(({ unavailable }) => unavailable)).toEqual([
        undefined,
        'egg is served until 13:00',
      ]);
      expect(added.lineItems[1]).toMatchObject({ inventoryProcessingStatus: 'available', quantity: 1 });
      expect((await testApp.call('myCart', { session, lang: 'zh' })).lineItems[1]?.unavailable).toBe(
        'egg供应至 13:00',
      );
      const refused = await testApp.ask('reserve', { session });
      expect([refused.status, refused.body.errors]).toEqual([
        409,
        { 'lineItems.EGG': 'egg is served until 13:00' },
      ]);
      const other = await choosePickup(testApp, session, at('14:00'));
      expect([other.status, other.body.errors]).toEqual([400, { pickupDate: 'egg is served until 13:00' }]);
      const reasonAt = await slotsOf(testApp, session);
      expect([reasonAt('12:55'), reasonAt('13:00')]).toEqual([null, 'notServed']);
      expect((await choosePickup(testApp, session, at('12:00'))).body.lineItems[1]).not.toHaveProperty(
        'unavailable',
      );
      expect((await testApp.ask('reserve', { session })).status).toBe(200);
    });

    it('a table orders for now, and a menu counts at its stores and on its days', async () => {
      const cakes: Menu = {
        ...plainMenu,
        id: 'cakes',
        from: '14:00',
        until: '24:00',
        days: ['saturday'],
        stores: [store],
        products: ['soda'],
      };
      const testApp = await shop(engine, [cakes]);
      const atTable = async (localStoreName: string) => {
        const session = testApp.shopper();
        await add(testApp, session, 'SODA');
        const query = { methodName: 'instore', localStoreName, tableNumber: '3', partySize: '2' };
        const { body } = await testApp.ask('orderContactInfo', { session, query, body: { contact } });
        return { session, line: body.lineItems[0]?.unavailable };
      };
      const { session, line } = await atTable(store);
      expect(line).toBe('soda is served from 14:00');
      expect((await testApp.ask('reserve', { session })).body.errors).toEqual({
        'lineItems.SODA': 'soda is served from 14:00',
      });
      expect((await atTable('ottawa-byward')).line).toBeUndefined();
      testApp.clock.set(at('14:00'));
      expect((await testApp.ask('reserve', { session })).status).toBe(200);
      testApp.clock.set(at('15:00', '2026-05-17'));
      expect((await atTable(store)).line).toBe('soda is served on Sat only');
    });

    it('a product with another address keeps its place in its menu, and its hours with it', async () => {
      const testApp = await shop(engine, [plainMenu]);
      const as = await joinStaff(testApp, 'menus@shop.example');
      const moved = await askStaff(testApp, 'moveProduct', {
        as,
        params: { product: 'egg' },
        body: { id: 'boiled-egg' },
      });
      expect(moved.status).toBe(200);
      expect((await testApp.services.settings.all()).menus[0]?.products).toEqual(['boiled-egg']);
      const session = await pickupCart(testApp, { EGG: 1 });
      expect((await choosePickup(testApp, session, at('15:00'))).body.errors).toEqual({
        pickupDate: 'egg is served until 13:00',
      });
    });

    it('a menu has the products of categories below its own, and the product says when it is served', async () => {
      const testApp = await shop(engine, [{ ...plainMenu, products: [], categories: ['food'] }]);
      const category = { description: { en: '' }, image: null };
      await testApp.services.editor.upsertCategories([
        { id: 'food', parent: null, name: { en: 'Food' }, ...category },
        { id: 'eggs', parent: 'food', name: { en: 'Eggs' }, ...category },
      ]);
      await sellProduct(testApp, 'EGG', { category: 'eggs' });
      const session = await pickupCart(testApp, { EGG: 1 });
      expect((await choosePickup(testApp, session, at('14:00'))).status).toBe(400);
      const served = async (id: string) =>
        (await testApp.call('product', { params: { id } })).specification.attributes.find(
          ({ name }) => name === 'Served',
        )?.value;
      expect(await served('egg')).toBe('Breakfast: 08:00–13:00');
      expect(await served('mug')).toBeUndefined();
    });

    it('cards, products and categories say when they are served, by store where stores differ', async () => {
      const testApp = await shop(engine, [
        { ...plainMenu, products: [], categories: ['eggs'], from: '00:00', until: '11:00' },
      ]);
      await testApp.services.editor.upsertCategories([
        { id: 'eggs', parent: null, name: { en: 'Eggs' }, description: { en: '' }, image: null },
      ]);
      await sellProduct(testApp, 'EGG', { category: 'eggs' });
      const read = async (lang: 'en' | 'zh' = 'en') => {
        const { products } = await testApp.call('products', { query: { categoryName: 'eggs' }, lang });
        return {
          card: products[0],
          product: await testApp.call('product', { params: { id: 'egg' }, lang }),
          category: await testApp.call('category', { params: { name: 'eggs' }, lang }),
        };
      };
      const everywhere = await read();
      expect(everywhere.card?.note).toBe('Served until 11:00');
      for (const each of [everywhere.card, everywhere.product, everywhere.category]) {
        expect(each?.served?.text).toBe('Served until 11:00');
        expect(each?.served?.stores).toMatchObject({ [store]: 'Served until 11:00' });
      }
      expect((await read('zh')).card?.note).toBe('供应时间：11:00 前');
      const [first] = (await testApp.services.settings.all()).menus;
      if (!first) throw new Error('no menu');
      const cakes = {
        ...first,
        id: 'cakes',
        stores: [store],
        days: ['saturday' as const],
        from: '14:00',
        until: '24:00',
      };
      await testApp.services.settings.update({ menus: [cakes] });
      const { card } = await read();
      expect(card?.served).toEqual({
        text: 'Served Sat from 14:00 (Toronto – Queen West)',
        stores: { [store]: 'Served Sat from 14:00' },
      });
      await testApp.services.settings.update({
        menus: [cakes, { ...cakes, id: 'always', days: [], from: '00:00' }],
      });
      expect(await read()).toMatchObject({ card: { id: 'egg' } });
      expect((await read()).card).not.toHaveProperty('note');
      expect((await read()).product).not.toHaveProperty('served');
    });

    it('choices of a modifier group can be ordered only while its menu is served', async () => {
      const extras = { ...plainMenu, products: [], modifierGroups: ['toppings'] };
      const testApp = await shop(engine, [extras]);
      await sellTea(testApp);
      const session = await pickupCart(testApp, { MUG: 1 });
      expect((await choosePickup(testApp, session, at('15:00'))).status).toBe(200);
      const put = (modifiers: object[]) =>
        testApp.ask('addToCart', {
          session,
          params: { itemName: tea },
          body: { quantity: 1, modifiers } as never,
        });
      expect((await put([iced, whole])).body.lineItems[1]).not.toHaveProperty('unavailable');
      const { lineItems } = (await put([iced, whole, pearls(2)])).body;
      expect(lineItems.map(({ unavailable }) => unavailable)).toEqual([
        undefined,
        undefined,
        'Pearls is served until 13:00',
      ]);
      expect((await testApp.ask('reserve', { session })).body.errors).toEqual({
        [`lineItems.${tea}`]: 'Pearls is served until 13:00',
      });
      const reasonAt = await slotsOf(testApp, session);
      expect([reasonAt('12:55'), reasonAt('13:00')]).toEqual([null, 'notServed']);
      const product = await testApp.call('product', { params: { id: lineItems[1]?.product ?? '' } });
      const groups = product.modifierGroups?.map(({ id, served }) => [id, served?.text]);
      expect(groups).toContainEqual(['toppings', 'Served 08:00–13:00']);
      expect(groups).toContainEqual(['milk', undefined]);
      expect((await choosePickup(testApp, session, at('12:00'))).status).toBe(200);
      expect((await testApp.ask('reserve', { session })).status).toBe(200);
    });
  });
});

onBothEngines((engine) => {
  describe('limits of menus', () => {
    const drinks: Menu = {
      ...plainMenu,
      id: 'drinks',
      from: '00:00',
      until: '24:00',
      limit: { of: 'units', most: 6, minutes: 10 },
    };

    it('a pickup time without room for the cart is full, and the next free one is named', async () => {
      const testApp = await shop(engine, [drinks]);
      const first = await pickupCart(testApp, { EGG: 4, MUG: 3 });
      await choosePickup(testApp, first, at('15:40'));
      expect((await testApp.ask('reserve', { session: first })).status).toBe(200);
      const second = await pickupCart(testApp, { EGG: 3 });
      const reasonAt = await slotsOf(testApp, second);
      expect([reasonAt('15:35'), reasonAt('15:40'), reasonAt('15:45'), reasonAt('15:50')]).toEqual([
        null,
        'full',
        'full',
        null,
      ]);
      const refused = await choosePickup(testApp, second, at('15:45'));
      expect(refused.body.errors).toEqual({
        pickupDate: 'That time is fully booked. 15:50 is the next free time.',
      });
      const small = await slotsOf(testApp, await pickupCart(testApp, { EGG: 2 }));
      expect(small('15:45')).toBeNull();
      const many = await slotsOf(testApp, await pickupCart(testApp, { EGG: 7 }));
      expect(many('17:00')).toBe('tooMany');
    });

    it('orders placed at once never exceed a limit', async () => {
      const testApp = await shop(engine, [drinks]);
      const sessions = await Promise.all(Array.from({ length: 5 }, () => pickupCart(testApp, { EGG: 2 })));
      for (const session of sessions) await choosePickup(testApp, session, at('15:40'));
      const placed = await Promise.all(sessions.map((session) => testApp.ask('reserve', { session })));
      expect(placed.map(({ status }) => status).sort()).toEqual([200, 200, 200, 400, 400]);
      const full = placed.find(({ status }) => status === 400);
      expect(full?.body.errors?.pickupDate).toBe('That time is fully booked. 15:50 is the next free time.');
    });

    it('no time has more than its limit and room that is free can be taken, whatever is ordered, cancelled and moved', {
      timeout: 120_000,
    }, async () => {
      const orderLimit: Menu = {
        ...drinks,
        id: 'orders',
        products: ['mug'],
        limit: { of: 'orders', most: 2, minutes: 15 },
      };
      const testApp = await shop(engine, [drinks, orderLimit]);
      const { menuRows, cancel, move } = actionsOf(testApp);
      const step = fc.record({
        kind: fc.constantFrom('order', 'order', 'order', 'cancel', 'move'),
        eggs: fc.nat(4),
        mugs: fc.nat(2),
        slot: fc.nat(5),
        which: fc.nat(9),
      });
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), async (steps) => {
          let open: {
            number: string;
            id: string;
            session: Shopper;
            eggs: number;
            mugs: number;
            slot: number;
          }[] = [];
          const room = (others: typeof open, eggs: number, mugs: number, slot: number) => {
            const inWindow = (minutes: number) =>
              others.filter(
                (each) => Math.floor((each.slot * 5) / minutes) === Math.floor((slot * 5) / minutes),
              );
            const taken = inWindow(10).reduce((sum, each) => sum + each.eggs, 0);
            const orders = inWindow(15).filter((each) => each.mugs > 0).length;
            return (eggs === 0 || taken + eggs <= 6) && (mugs === 0 || orders < 2);
          };
          const slotAt = (slot: number) => at('15:00') + slot * 5 * 60_000;
          for (const { kind, eggs, mugs, slot, which } of steps) {
            const chosen = open[which % Math.max(1, open.length)];
            if (kind === 'order' && eggs + mugs > 0) {
              const session = await pickupCart(testApp, {
                ...(eggs ? { EGG: eggs } : {}),
                ...(mugs ? { MUG: mugs } : {}),
              });
              const isChosen = (await choosePickup(testApp, session, slotAt(slot))).status === 200;
              expect(isChosen).toBe(room(open, eggs, mugs, slot));
              if (!isChosen) continue;
              const { orderID: id } = (await testApp.ask('reserve', { session })).body;
              const { orderNumber } = await testApp.call('order', { session, params: { id: id ?? '' } });
              open.push({ number: orderNumber ?? '', id: id ?? '', session, eggs, mugs, slot });
            } else if (kind === 'cancel' && chosen) {
              await cancel(chosen.number);
              open = open.filter((each) => each !== chosen);
            } else if (kind === 'move' && chosen) {
              const others = open.filter((each) => each !== chosen);
              const isMoved = await move(chosen.id, slotAt(slot));
              expect(isMoved).toBe(slot === chosen.slot || room(others, chosen.eggs, chosen.mugs, slot));
              if (isMoved) chosen.slot = slot;
            }
          }
          expect(await menuRows()).toEqual(open.reduce((sum, each) => sum + each.eggs, 0));
          for (const { number } of open) await cancel(number);
          expect(await menuRows()).toBe(0);
        }),
        { numRuns: engine === 'sqlite' ? 12 : 4, endOnFailure: true },
      );
    });
  });
});

it('a menu is served from its beginning to before its end on its days, also past midnight', () => {
  const days = fc.uniqueArray(fc.constantFrom('monday', 'friday', 'saturday', 'sunday'), { maxLength: 3 });
  const quarter = (n: number) =>
    `${String(Math.floor(n / 4)).padStart(2, '0')}:${String((n % 4) * 15).padStart(2, '0')}`;
  fc.assert(
    fc.property(
      days,
      fc.nat(95),
      fc.integer({ min: 1, max: 96 }),
      fc.integer({ min: 0, max: 14 * 96 }),
      (on, from, length, moment) => {
        const until = from + length === 96 ? '24:00' : quarter((from + length) % 96);
        const menu = { ...plainMenu, days: on as Menu['days'], from: quarter(from), until };
        const date = addDays('2026-05-16', Math.floor(moment / 96));
        const isOn = (day: string) => on.length === 0 || (on as string[]).includes(weekdayOn(day));
        const q = moment % 96;
        const expected =
          (isOn(date) && q >= from && q < from + length) ||
          (isOn(addDays(date, -1)) && q + 96 >= from && q + 96 < from + length);
        expect(isServedAt(menu, { date, minutes: q * 15 })).toBe(expected);
      },
    ),
  );
});

it('a menu is served by the clock of the store when clocks change', () => {
  const spring = (utc: string) =>
    isServedAt({ ...plainMenu, from: '02:00', until: '03:30' }, wallClock(Date.parse(utc), zone));
  expect([
    spring('2026-03-08T06:59:00Z'),
    spring('2026-03-08T07:00:00Z'),
    spring('2026-03-08T07:30:00Z'),
  ]).toEqual([false, true, false]);
});

function actionsOf(testApp: TestApp) {
  return {
    menuRows: async () => {
      const rows = await testApp.db.read
        .selectFrom('menu_slots')
        .selectAll()
        .where('menu', '=', 'drinks')
        .execute();
      return rows.reduce((sum, { units }) => sum + units, 0);
    },
    cancel: (number: string) => testApp.services.fulfilment.cancel(number, 'test'),
    move: async (id: string, to: number) => {
      const token = await testApp.container.orderLinks.create(id);
      return (
        (await testApp.ask('orderLinkPickup', { params: { token }, body: { pickupDate: to } })).status === 200
      );
    },
  };
}
