/** The two halves of starting: bringing the database up to date, and serving from it. */
import { type Database, openDatabase } from '#db/database.ts';
import { migrate } from '#db/migrate.ts';
import { buildApp } from './app.ts';
import type { Env } from './env.ts';
import { createServices } from './services.ts';
import type { WebRenderer } from './ssr/renderer.ts';

/** In-flight requests get this long to finish once the process is told to stop. */
const graceMs = 10_000;
/** Expired sessions, holds and the like are cleared away this often. */
const sweepEveryMs = 60_000;

function open(env: Env): Promise<Database> {
  return openDatabase({ dataDir: env.dataDir, databaseUrl: env.databaseUrl, replicaUrls: env.databaseReplicaUrls });
}

/** Migrates the database, and fills it with the demo shop where it is empty and DEMO is not 0. */
export async function prepare(env: Env): Promise<void> {
  const db = await open(env);
  try {
    await migrate(db);
    if (env.demo && (await isEmpty(db))) {
      const { loadDemo } = await import('#demo/load.ts');
      await loadDemo(createServices({ db, env, now: Date.now }));
    }
  } finally {
    await db.close();
  }
}

async function isEmpty(db: Database): Promise<boolean> {
  return (await db.read.selectFrom('products').select('id').limit(1).executeTakeFirst()) === undefined;
}

/** Serves until the process is told to stop (SIGTERM, SIGINT). Returns the address it listens at. */
export async function serveShop(env: Env): Promise<string> {
  const db = await open(env);
  const services = createServices({ db, env, now: Date.now });
  const app = await buildApp({ env, db, services, web: renderer });
  const address = await app.listen({ host: env.host, port: env.port });

  const sweeping = setInterval(() => {
    services.sweep().catch((error: unknown) => app.log.error({ err: error }, 'sweep failed'));
  }, sweepEveryMs);

  let stopping = false;
  const stop = async (signal: string) => {
    // A second signal does not wait.
    if (stopping) process.exit(1);
    stopping = true;
    clearInterval(sweeping);
    setTimeout(() => process.exit(1), graceMs).unref();
    app.log.info({ signal }, 'stopping');
    await app.close();
    await db.close();
    process.exit(0);
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  return address;
}

/** The build, or Vite while developing. */
async function renderer(server: import('node:http').Server): Promise<WebRenderer> {
  if (process.env.NODE_ENV === 'development') {
    const { openDevelopmentRenderer } = await import('./ssr/development.ts');
    return openDevelopmentRenderer(server);
  }
  const { openBuiltRenderer } = await import('./ssr/built.ts');
  return openBuiltRenderer();
}
