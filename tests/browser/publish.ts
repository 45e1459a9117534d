/** Publishes pages in the running shop, as a merchant's import would: `node publish.ts <data folder>`, pages as JSON on the input. */
import { text } from 'node:stream/consumers';
import { openDatabase } from '#db/database.ts';
import { createContainer } from '#server/container.ts';
import { readEnv } from '#server/env.ts';
import type { PageInput } from '#server/modules/content/index.ts';
import { asMerchant } from '#tests/as-merchant.ts';

const [dataDir = ''] = process.argv.slice(2);
const pages = JSON.parse(await text(process.stdin)) as PageInput[];
const db = await openDatabase({ dataDir });
try {
  const { content } = asMerchant(createContainer({ db, env: readEnv({ DATA_DIR: dataDir }), now: Date.now }));
  const reports = await content.upsertPages(pages);
  if (reports.length > 0) throw new Error(JSON.stringify(reports));
} finally {
  await db.close();
}
