/** Starts the shop: `npm start`. With WORKERS above 1 a first process prepares the database and keeps the others. */
import cluster from 'node:cluster';
import { ConfigurationError, type Env, readEnv } from './env.ts';
import { prepare, serveShop } from './start.ts';
import { keepWorkers } from './workers.ts';

function configuration(): Env {
  try {
    return readEnv(process.env);
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    console.error(error.message);
    process.exit(1);
  }
}

/** The one line on standard output. */
function announce(address: string): void {
  console.log(`The shop is open at ${address}`);
}

const env = configuration();
try {
  if (env.workers > 1 && cluster.isPrimary) {
    await prepare(env);
    await keepWorkers(env.workers, announce);
  } else {
    // A worker finds the database prepared.
    if (cluster.isPrimary) await prepare(env);
    const address = await serveShop(env);
    if (cluster.isWorker) process.send?.({ address });
    else announce(address);
  }
} catch (error) {
  // Known reasons in a sentence, the unforeseen with its stack.
  console.error(error instanceof Error && error.name === 'NewerDatabaseError' ? error.message : error);
  process.exit(1);
}
