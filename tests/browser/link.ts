/**
 * Creates a link to an order in the running shop, as an email does: `node link.ts <data folder> <order id> [cents]`. Prints its token.
 * With cents the order's bill rises by as much before.
 */
import { openDatabase } from '#db/database.ts';
import { createContainer } from '#server/container.ts';
import { readEnv } from '#server/env.ts';
import { rebill } from '#tests/rebill.ts';

const [dataDir = '', orderId = '', cents = '0'] = process.argv.slice(2);
const db = await openDatabase({ dataDir });
try {
  const services = createContainer({ db, env: readEnv({ DATA_DIR: dataDir }), now: Date.now });
  const { orderLinks, orders } = services;
  const order = await orders.findById(db.read, orderId);
  if (order?.bill && cents !== '0') {
    const { bill } = order;
    const raised = { ...bill, subtotal: bill.subtotal + Number(cents), total: bill.total + Number(cents) };
    await rebill(services, order.number ?? '', raised, Date.now());
  }
  process.stdout.write(await orderLinks.create(orderId));
} finally {
  await db.close();
}
