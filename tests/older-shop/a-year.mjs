/**
 * Fills a shop with a year of orders of every kind. It runs in the tree of an older version, whose code it calls, and not in this one:
 * `tests/update-of-books.slow.test.ts` copies it there. Arguments: the folder for the data, the address of PostgreSQL or '' for SQLite, the
 * year, and how many orders. Prints as JSON what that version says of each month, and what of it is booked otherwise since.
 */
import { clientToken, clientTokenHeader } from '#contract/limits.ts';
import { requestOf } from '#contract/transport.ts';
import { openDatabase } from '#db/database.ts';
import { migrate } from '#db/migrate.ts';
import { loadDemo } from '#demo/load.ts';
import { buildApp } from '#server/app.ts';
import { createContainer } from '#server/container.ts';
import { readEnv } from '#server/env.ts';
import { createPasswords } from '#server/modules/customers/index.ts';
import { createTakings } from '#server/modules/orders/takings/takings.ts';
import { mintPermit } from '#server/platform/permits.ts';
import { asMerchant } from '#tests/as-merchant.ts';
import { issueCoupon } from '#tests/coupons.ts';
import { FakeProvider } from '#tests/fake-provider.ts';
import { sellProduct } from '#tests/products.ts';
import { address, contact, homeOf } from '#tests/shop-actions.ts';

const [dataDir = '', databaseText = '', yearText = '', countText = ''] = process.argv.slice(2);
const databaseUrl = databaseText || null;
const [year, count] = [Number(yearText), Number(countText)];
const [hour, day] = [3_600_000, 24 * 3_600_000];
const store = 'toronto-queen-west';
const [mug, tea, cake] = ['YEAR-MUG', 'YEAR-TEA', 'YEAR-CAKE'];

const destinations = [
  ['Ontario', 'Waterloo', 'N2L 0A1', 'CA'],
  ['Quebec', 'Montréal', 'H2X 1Y4', 'CA'],
  ['British Columbia', 'Vancouver', 'V6B 1A1', 'CA'],
  ['Manitoba', 'Winnipeg', 'R3C 0V8', 'CA'],
  ['Saskatchewan', 'Regina', 'S4P 3Y2', 'CA'],
  ['Nova Scotia', 'Halifax', 'B3J 1S9', 'CA'],
  ['Yukon', 'Whitehorse', 'Y1A 1B1', 'CA'],
  ['New York', 'New York', '10001', 'US'],
];

/** A provider of which banks take money back. */
class DisputedProvider extends FakeProvider {
  lost = new Map();

  async activity(attempt) {
    const dispute = this.lost.get(attempt.reference);
    return { refunds: [], disputes: dispute ? [dispute] : [] };
  }
}

let now = Date.UTC(year, 0, 2, 15);
const stripe = new DisputedProvider('Stripe');
const env = readEnv({
  NODE_ENV: 'test',
  PORT: '0',
  LOG_LEVEL: 'silent',
  DEMO: '1',
  DATA_DIR: dataDir,
  ...(databaseUrl ? { DATABASE_URL: databaseUrl } : {}),
});
const db = await openDatabase({ dataDir, databaseUrl, durable: false });
await migrate(db);
const passwords = createPasswords(undefined, { memory: 256, passes: 1, parallelism: 1 });
const container = createContainer({ db, env, now: () => now, passwords, providers: { stripe } });
await loadDemo(container);
const app = await buildApp({ env, db, services: container, now: () => now });
const services = asMerchant(container);
const shop = { db, services, ask };

/** Calls the shop as one browser, whose cookies it keeps. */
async function ask(name, { session, ...input }) {
  const { method, url } = requestOf(name, input, 'en');
  const answer = await app.inject({
    method,
    url,
    remoteAddress: session.home,
    headers: { [clientTokenHeader]: clientToken, cookie: session.cookie },
    ...(input.body === undefined ? {} : { payload: input.body }),
  });
  for (const line of [answer.headers['set-cookie'] ?? []].flat()) session.cookie = line.split(';')[0];
  const body = answer.json();
  if (answer.statusCode >= 400)
    throw new Error(`${name} answered ${answer.statusCode}: ${JSON.stringify(body)}`);
  return { status: answer.statusCode, body };
}

await sellProduct(shop, mug, { priceCents: 2799 });
await sellProduct(shop, tea, { priceCents: 1833, taxClass: 'basic-grocery' });
await sellProduct(shop, cake, { priceCents: 745, taxClass: 'prepared-food' });
for (const sku of [mug, tea, cake])
  for (const place of ['warehouse', store])
    await services.stock.correct({ sku, place, units: 50_000 }, 'received');
const charge = {
  percent: 18,
  fromPartySize: null,
  stores: [],
  taxClass: 'standard',
  name: { en: 'Service charge' },
};
await services.settings.update({
  serviceCharge: { ...charge, methods: { shipping: false, pickup: false, instore: true } },
});
const coupon = await issueCoupon(shop);

let shoppers = 0;
async function filled(skus) {
  shoppers += 1;
  const session = { home: homeOf(shoppers), cookie: '' };
  for (const [sku, quantity] of Object.entries(skus))
    if (quantity > 0) await ask('addToCart', { session, params: { itemName: sku }, body: { quantity } });
  return session;
}

async function placed(session, how) {
  const body = { confirmationToken: 'ctoken_1', billingAddress: address };
  const { body: answer } = await (how === 'online'
    ? ask('payByStripe', { session, body })
    : ask('reserve', { session, body: {} }));
  const { body: order } = await ask('order', { session, params: { id: answer.orderID } });
  return { id: answer.orderID, number: order.orderNumber, total: order.bill?.total ?? 0 };
}

async function ship(index, skus) {
  const session = await filled(skus);
  const [province, city, postCode, countryISOCode] = destinations[index % destinations.length];
  await ask('orderDeliverInfo', {
    session,
    body: { contact, address: { ...address, province, city, postCode, countryISOCode } },
  });
  if (index % 3 === 2) await ask('couponVerification', { session, params: { code: coupon } });
  return placed(session, 'online');
}

async function bike(skus) {
  const session = await filled(skus);
  const to = {
    ...address,
    streetNumberAndNameDetails: '25 Niagara Street',
    city: 'Toronto',
    postCode: 'M5T 1A1',
  };
  await ask('orderDeliverInfo', {
    session,
    body: { contact, address: to, shippingMethod: `${store}.downtown-west` },
  });
  return placed(session, 'online');
}

async function visit(methodName, skus, how, tipAmount = 0) {
  const session = await filled(skus);
  const query = {
    methodName,
    localStoreName: store,
    ...(methodName === 'instore' ? { tableNumber: '4' } : {}),
  };
  await ask('orderContactInfo', { session, query, body: { contact } });
  if (methodName === 'pickup')
    await ask('orderPickupDate', { session, body: { pickupDate: now + 4 * hour - (now % hour) } }).catch(
      () => null,
    );
  if (tipAmount > 0) await ask('tips', { session, body: { addTips: true, tipAmount } });
  return placed(session, how);
}

const { orderRefunds, orderChanges } = services;
const { fulfilment } = services.orders;
const linesOf = ({ id }) =>
  db.read
    .selectFrom('order_lines')
    .select(['id', 'sku', 'quantity'])
    .where('order_id', '=', id)
    .orderBy('position')
    .execute();

async function change({ id }, lines) {
  const { version } = await orderChanges.plan(id, lines, 'en');
  return orderChanges.book(id, { lines, version, mayGiveBack: true }, 'en');
}

async function giveBackParts(order, { tip = 0, shipping = false }) {
  const [line] = await linesOf(order);
  const covers = { lines: [{ line: line.id, quantity: 1 }], shipping, serviceCharge: false };
  const amount = (await orderRefunds.quoteParts(order.number, covers)) + tip;
  await orderRefunds.refundParts(order.number, {
    restock: true,
    reason: 'broken',
    note: '',
    ...covers,
    tip,
    amount,
  });
}

async function lostToTheBank(order) {
  const [payment] = await services.payments.attempts.of(order.id);
  const dispute = {
    id: `dp_${order.number}`,
    amount: payment.amount,
    state: 'lost',
    reason: 'fraudulent',
    at: now,
    respondBy: null,
  };
  stripe.lost.set(payment.reference, { ...dispute, refundable: false });
  await services.payments.check(payment);
}

/** What becomes of an order later, by its kind; some of it in the month after. */
const fates = {
  shipped: [
    null,
    (order) => orderRefunds.refund(order.number, { amount: 500, reason: 'late' }),
    (order) => giveBackParts(order, { shipping: true }),
    (order) => orderRefunds.cancelOrder(order.number, 'changed their mind'),
    async (order) => change(order, [{ sku: cake, quantity: 2 }]),
    async (order) => {
      const [{ id, quantity }] = await linesOf(order);
      await change(order, [{ line: id, quantity: quantity === 1 ? 2 : 1 }]);
    },
    (order) => fulfilment.move(order.number, 'shipped'),
    (order) => orderRefunds.refund(order.number, { amount: 300, reason: 'twice', corrects: true }),
    async (order) => {
      stripe.refusesRefunds = true;
      await orderRefunds.refund(order.number, { amount: 250, reason: 'refused' }).catch(() => null);
      stripe.refusesRefunds = false;
    },
    lostToTheBank,
    async (order) => {
      await orderRefunds.refund(order.number, { amount: 700, reason: 'late' });
      await orderRefunds.cancelOrder(order.number, 'lost in the mail');
    },
  ],
  table: [
    null,
    (order) => giveBackParts(order, { tip: 333 }),
    (order) => orderRefunds.refund(order.number, { amount: 250, reason: 'cold' }),
    async (order) => {
      await change(order, [{ sku: cake, quantity: 1 }]);
      await fulfilment.take(order.number, 'cash');
    },
  ],
  reserved: [
    (order) => handOver(order, 'cash'),
    (order) => handOver(order, 'terminal'),
    // Nobody comes: the shop lets it lapse.
    null,
    (order) => orderRefunds.cancelOrder(order.number, 'will not come'),
    async (order) => {
      await handOver(order, 'cash');
      await container.changes.run({ kind: 'terminal' }, 'take back', (taken) =>
        container.orders.fulfilment.takeBack(taken, order.number, 'by mistake'),
      );
      now += hour;
      await fulfilment.move(order.number, 'completed', 'terminal');
    },
  ],
};

async function handOver(order, how) {
  await fulfilment.move(order.number, 'ready');
  await fulfilment.move(order.number, 'completed', how);
}

const due = [];
const turns = { shipped: 0, table: 0, reserved: 0 };
function after(kind, order, days) {
  const list = fates[kind];
  const fate = list[turns[kind]++ % list.length];
  if (fate) due.push({ at: now + days * day, order, fate });
}

async function settle() {
  due.sort((a, b) => a.at - b.at);
  while (due.length > 0 && due[0].at <= now) {
    const { order, fate } = due.shift();
    await fate(order);
  }
}

for (let index = 0; index < count; index++) {
  now = Math.max(
    now,
    Date.UTC(year, 0, 2, 16) + Math.floor((index * 355) / count) * day + (index % 3) * hour,
  );
  await settle();
  if (index % 7 === 0) await services.payments.reconcile();
  const skus = { [mug]: 1 + (index % 2), [tea]: index % 3, [cake]: index % 4 === 0 ? 1 : 0 };
  switch (index % 10) {
    case 5:
      await bike(skus);
      break;
    case 6:
      await visit('pickup', skus, 'online');
      break;
    case 7:
      after('table', await visit('instore', { [cake]: 2 + (index % 5), [mug]: index % 2 }, 'online', 333), 1);
      break;
    case 8:
      after('reserved', await visit('pickup', skus, 'counter'), 0.1);
      break;
    case 9: {
      const order = await visit('instore', { [cake]: 1 + (index % 3) }, 'counter');
      if (index % 20 === 9) await handTable(order);
      break;
    }
    default:
      // Often in the next month.
      after('shipped', await ship(index, skus), 1 + (index % 4) * 9);
  }
}
async function handTable(order) {
  await fulfilment.move(order.number, 'completed', 'terminal');
}
now = Math.max(now, Date.UTC(year, 11, 30, 18));
await settle();
await services.payments.reconcile();

const takings = createTakings({ db, now: () => now, stores: container.stores });
const { steps, cells } = await takings.of(mintPermit('reports.read', { kind: 'terminal' }, null), {
  from: `${year}-01-01`,
  to: `${year}-12-31`,
});
const undone = await db.read
  .selectFrom('payments')
  .select(['kind', 'amount_cents as amount', 'received_at as receivedAt', 'updated_at as undoneAt'])
  .where('state', '=', 'failed')
  .where('received_at', 'is not', null)
  .execute();
const lost = await db.read
  .selectFrom('disputes')
  .select(['amount_cents as amount', 'updated_at as at'])
  .where('state', '=', 'lost')
  .execute();
const orders = await db.read
  .selectFrom('orders')
  .select(['id', 'state', 'placed_at as placedAt'])
  // Those of the demo are of today.
  .where('placed_at', '<=', now)
  .execute();
await app.close();
await db.close();
// Nothing that still waits, such as a cache's timer, keeps it once all is written.
process.stdout.write(`${JSON.stringify({ steps, cells, undone, lost, orders })}\n`, () => process.exit(0));
