/**
 * A merchant at work, for benchmarks: changes the price of one product after another, CHANGES_PER_SECOND times a second, in a
 * process of its own on the shop's database. Prints an address when it has begun, as servers do.
 */
import { openDatabase } from '#db/database.ts';
import products from '#demo/data/products.json' with { type: 'json' };
import { createContainer } from '#server/container.ts';
import { readEnv } from '#server/env.ts';
import { generateProducts } from './generator/products.ts';

const perSecond = Number(process.env.CHANGES_PER_SECOND);
const env = readEnv(process.env);
const db = await openDatabase({ dataDir: env.dataDir, databaseUrl: env.databaseUrl });
const { changes, editor } = createContainer({ db, env, now: Date.now });
// The products of `bench/generate.ts`, which the same seed makes again.
const generated = [
  ...generateProducts({ count: 900, seed: 1, models: products, now: Date.UTC(2026, 10, 1) }),
];

let changed = 0;
let changing = Promise.resolve();
const timer = setInterval(() => {
  const product = generated[(changed * 7) % generated.length];
  changed += 1;
  const cents = 100 * (1 + (changed % 50));
  if (!product) return;
  const repriced = [{ ...product, priceCents: product.priceCents + cents }];
  const save = () =>
    changes.run({ kind: 'system' }, 'bench', (change) => editor.upsertProducts(change, repriced));
  changing = changing.then(save);
}, 1000 / perSecond);
process.stdout.write('http://127.0.0.1:0\n');

process.once('SIGTERM', () => {
  clearInterval(timer);
  void changing.then(() => db.close());
});
