/** Creates a link to an order in the running shop, as an email does: `node link.ts <data folder> <order id>`. Prints its token. */
import { openDatabase } from '#db/database.ts';
import { createContainer } from '#server/container.ts';
import { readEnv } from '#server/env.ts';

const [dataDir = '', orderId = ''] = process.argv.slice(2);
const db = await openDatabase({ dataDir });
try {
  const { orderLinks } = createContainer({ db, env: readEnv({ DATA_DIR: dataDir }), now: Date.now });
  process.stdout.write(await orderLinks.create(orderId));
} finally {
  await db.close();
}
