/** The thread that makes the demo's past beside the server: see `past.ts`. It ends by itself, or when it is told anything. */
import { enableCompileCache } from 'node:module';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import { parentPort } from 'node:worker_threads';

enableCompileCache(join(import.meta.dirname, '../../node_modules/.cache/compiled'));
// There a priority is that of the thread alone, and whoever visits the shop comes first.
if (process.platform === 'linux') setPriority(5);

let isOver = false;
parentPort?.once('message', () => {
  isOver = true;
});
parentPort?.unref();

const [{ openDatabase }, { readEnv }, { makePast }] = await Promise.all([
  import('#db/database.ts'),
  import('#server/env.ts'),
  import('./past.ts'),
]);
const env = readEnv(process.env);
const db = await openDatabase(env);
try {
  await makePast(db, env, {
    isOver: () => isOver,
    log: (problem) => console.error(`demo shop: left out of its past: ${problem}`),
  });
} finally {
  await db.close();
}
