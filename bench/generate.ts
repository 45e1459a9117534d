/**
 * Fills the shop's database (DATA_DIR or DATABASE_URL) with a plausible catalogue of any size, modelled on the demo shop, which
 * is loaded first: `npm run generate -- --products 100000 [--seed 1]`. The same seed gives the same catalogue; a second run
 * updates the existing products.
 */
import { parseArgs } from 'node:util';
import { sql } from 'kysely';
import { openDatabase } from '#db/database.ts';
import { migrate } from '#db/migrate.ts';
import products from '#demo/data/products.json' with { type: 'json' };
import { loadDemo } from '#demo/load.ts';
import { createContainer } from '#server/container.ts';
import { readEnv } from '#server/env.ts';
import { generatedBrands, generateProducts } from './generator/products.ts';

const { values } = parseArgs({
  options: { products: { type: 'string', default: '1000' }, seed: { type: 'string', default: '1' } },
});
const [wanted, seed] = [Number(values.products), Number(values.seed)];
if (!Number.isInteger(wanted) || wanted < 0 || wanted > 10_000_000 || !Number.isInteger(seed)) {
  console.error('--products takes a whole number up to 10000000, --seed a whole number');
  process.exit(1);
}

const env = readEnv(process.env);
// Generated data can be generated again, so there is no need to wait for the disk.
const db = await openDatabase({ dataDir: env.dataDir, databaseUrl: env.databaseUrl, durable: false });
const started = performance.now();
const seconds = () => `${((performance.now() - started) / 1000).toFixed(1)} s`;
try {
  await migrate(db);
  const services = createContainer({ db, env, now: Date.now });
  await loadDemo(services);
  const run = services.changes.by({ kind: 'system' }, 'bench');
  const brands = generatedBrands.map(({ id, name }) => ({
    id,
    name,
    story: { en: `${name.en} makes things for every day.`, zh: `${name.zh}，做日常用的东西。` },
    image: null,
  }));
  await run((change) => services.editor.upsertBrands(change, brands));
  // The demo's products are included in the count.
  const count = Math.max(0, wanted - products.length);
  const make = () => generateProducts({ count, seed, models: products, now: Date.UTC(2026, 10, 1) });
  let said = 0;
  await services.editor.importProducts(run, make, {
    onProgress(done) {
      if (done - said < 10_000) return;
      said = done;
      console.log(`${done} of ${count} products, ${seconds()}`);
    },
  });
  // Without ANALYZE, PostgreSQL has no statistics about the new rows until autovacuum runs.
  if (db.engine === 'postgres') await sql`analyze`.execute(db.read);
  console.log(`${await services.catalogue.count({})} products in the shop, ${seconds()}`);
} finally {
  await db.close();
}
