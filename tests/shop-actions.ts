/** Actions of shoppers for tests: fill a cart, choose a delivery method, pay. */
import { randomUUID } from 'node:crypto';

import type { ErrorBody } from '#contract/schemas/common.ts';
import type { Response } from '#contract/shop/endpoints.ts';
import type { Reader } from '#db/database.ts';
import { differences } from '#server/modules/inventory/stock/movements.repository.ts';
import type { Answer, Shopper, TestApp } from './test-app.ts';

export const contact = {
  firstName: 'Jordan',
  lastName: 'Lin',
  phoneNumber: '+1 519-555-0104',
  email: 'demo@maple-and-clay.example',
};

export const address = {
  streetNumberAndNameDetails: '100 Demonstration Road, Unit 5',
  city: 'Waterloo',
  province: 'Ontario',
  postCode: 'N2L 0A1',
  countryISOCode: 'CA',
};

export const cards = {
  approve: '4242 4242 4242 4242',
  decline: '4000 0000 0000 0002',
  codeInvalid: '4000 0000 0000 0127',
  numberInvalid: '4242 4242 4242 4241',
  notAuthorized: '4000 0000 0000 0101',
  unavailable: '4000 0000 0000 0119',
  answerLost: '4000 0000 0000 0341',
  challenge: '4000 0000 0000 3220',
  slow: '4000 0000 0000 0259',
} as const;

/** The submitted card form. Its security code occurs in no other text of a test. */
export function card(number: string = cards.approve) {
  return {
    cardHolderName: 'Jordan Lin',
    creditCardNumber: number,
    cardCode: '7391',
    expirationMonth: 12,
    expirationYear: 2031,
  };
}

export function add(
  testApp: TestApp,
  session: Shopper,
  sku: string,
  quantity = 1,
): Promise<Answer<Response<'addToCart'> & ErrorBody>> {
  return testApp.ask('addToCart', { session, params: { itemName: sku }, body: { quantity } });
}

/** A new shopper with one unit of a SKU in the cart. */
export async function cartWith(testApp: TestApp, sku: string): Promise<Shopper> {
  const session = testApp.shopper();
  await add(testApp, session, sku);
  return session;
}

/** Chooses when an order will be picked up, epoch ms. */
export function choosePickup(testApp: TestApp, session: Shopper, at: number) {
  return testApp.ask('orderPickupDate', { session, body: { pickupDate: at } });
}

export function deliver(testApp: TestApp, session: Shopper, change: object = {}) {
  return testApp.ask('orderDeliverInfo', { session, body: { contact, address, ...change } });
}

/** Chooses pickup at Queen West; `query` changes that. */
export function visit(testApp: TestApp, session: Shopper, query: object = {}) {
  return testApp.ask('orderContactInfo', {
    session,
    query: { methodName: 'pickup', localStoreName: 'toronto-queen-west', ...query },
    body: { contact },
  });
}

/** Pays by the house gateway. The answer has an `orderID` with every card except the one with a challenge. */
export function pay(
  testApp: TestApp,
  session: Shopper,
  number: string = cards.approve,
  change: object = {},
): Promise<Answer<Response<'postBilling'> & { orderID: string } & ErrorBody>> {
  return testApp.ask('postBilling', {
    session,
    params: { gatewayName: '{host}' },
    body: { paymentInstrucment: card(number), billingAddress: address, ...change },
  }) as Promise<Answer<Response<'postBilling'> & { orderID: string } & ErrorBody>>;
}

export function reserve(testApp: TestApp, session: Shopper, body: object = {}) {
  return testApp.ask('reserve', { session, body });
}

/** Reserves or pays for the cart in a language. Returns the order's id, and its number for customers. */
export async function finish(
  testApp: TestApp,
  session: Shopper,
  {
    how,
    lang,
    billingAddress = address,
  }: { how: 'reserve' | 'pay'; lang: 'en' | 'zh'; billingAddress?: typeof address },
): Promise<{ id: string; number: string }> {
  const { orderID } =
    how === 'reserve'
      ? await testApp.call('reserve', { session, lang })
      : await testApp.call('postBilling', {
          session,
          lang,
          params: { gatewayName: '{host}' },
          body: { paymentInstrucment: card(), billingAddress },
        });
  const id = orderID ?? '';
  const { orderNumber } = await testApp.call('order', { session, params: { id } });
  return { id, number: orderNumber ?? '' };
}

/** The IP address of the `n`th of many shoppers, each in their own network. */
export function homeOf(n: number): string {
  return `198.18.${n >> 8}.${n & 255}`;
}

/** A new shopper with an item in the cart, to be shipped. */
export async function shopperWithCart(
  testApp: TestApp,
  sku: string,
  quantity = 1,
  home?: string,
): Promise<Shopper> {
  const session = testApp.shopper(home);
  await testApp.call('addToCart', { session, params: { itemName: sku }, body: { quantity } });
  await testApp.call('orderDeliverInfo', { session, body: { contact, address } });
  return session;
}

/** Counts the units of a SKU. Sales never change `stock + held + sold`. */
export async function unitsOf(
  db: Reader,
  sku: string,
): Promise<{ stock: number; held: number; sold: number; all: number }> {
  const sum = async (rows: Promise<{ quantity: number }[]>) =>
    (await rows).reduce((total, { quantity }) => total + quantity, 0);
  const stock = await sum(db.selectFrom('stock').select('quantity').where('sku', '=', sku).execute());
  const held = await sum(db.selectFrom('holds').select('quantity').where('sku', '=', sku).execute());
  const moved = await sum(
    db
      .selectFrom('stock_movements')
      .select('quantity')
      .where('sku', '=', sku)
      .where('kind', 'in', ['sale', 'refund'])
      .execute(),
  );
  // Not `-moved`, which is -0 before the first sale.
  const sold = 0 - moved;
  return { stock, held, sold, all: stock + held + sold };
}

/** Sets the units of a SKU at one place, and to zero everywhere else. */
export async function setUnits(
  testApp: Pick<TestApp, 'db'>,
  sku: string,
  units: number,
  place = 'warehouse',
): Promise<void> {
  await testApp.db.transaction(async (trx) => {
    await trx.updateTable('stock').set({ quantity: 0 }).where('sku', '=', sku).execute();
    await trx
      .updateTable('stock')
      .set({ quantity: units })
      .where('sku', '=', sku)
      .where('location_id', '=', place)
      .execute();
    const cause = { kind: 'count', order_id: null, actor: 'terminal', reason: null, at: 0 } as const;
    for (const row of await differences(trx))
      if (row.sku === sku) {
        await trx
          .insertInto('stock_movements')
          .values({ ...row, ...cause, id: randomUUID() })
          .execute();
        await trx
          .insertInto('stock_costs')
          .values({ sku, units: row.quantity, costed: 0, cost_cents: 0 })
          .onConflict((c) =>
            c.column('sku').doUpdateSet((eb) => ({ units: eb('stock_costs.units', '+', row.quantity) })),
          )
          .execute();
      }
  });
}

/** Every row about orders, holds, payments and stock, so that two states can be compared. */
export async function everything(db: Reader): Promise<unknown> {
  const tables = [
    'orders',
    'order_lines',
    'order_events',
    'holds',
    'pickup_slots',
    'payments',
    'house_charges',
    'stock',
    'stock_movements',
  ] as const;
  const rows = await Promise.all(
    tables.map(async (table) => [table, await db.selectFrom(table).selectAll().execute()] as const),
  );
  return Object.fromEntries(
    rows.map(([table, all]) => [table, all.map((row) => JSON.stringify(row)).sort()]),
  );
}
