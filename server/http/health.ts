import type { FastifyInstance } from 'fastify';
import { tryWrite } from '#db/counters.ts';
import type { Database } from '#db/database.ts';
import { isMigrated } from '#db/migrate.ts';

const probeEveryMs = 1000;

export function registerHealth(app: FastifyInstance, db: Database): void {
  const probe = writeProbe(db);
  app.get('/healthz', async (_request, reply) => reply.header('cache-control', 'no-store').send({ status: 'ok' }));

  app.get('/readyz', async (request, reply) => {
    reply.header('cache-control', 'no-store');
    try {
      await db.ping();
    } catch (error) {
      if (db.outage.note(error) === null) request.log.warn({ err: error }, 'database not reachable');
      return reply.status(503).send({ status: 'databaseUnreachable' });
    }
    // The query itself fails in a database without the shop's tables.
    const migrated = await isMigrated(db).catch(() => false);
    if (!migrated) return reply.status(503).send({ status: 'notMigrated' });
    const writable = await probe();
    return writable ? { status: 'ready' } : reply.status(503).send({ status: 'databaseNotWritable', cause: db.outage.cause });
  });
}

/** At most once a second, however many checks arrive, since each probe writes to the disk. */
function writeProbe(db: Database): () => Promise<boolean> {
  let last: { at: number; answer: Promise<boolean> } | null = null;
  return () => {
    if (!last || Date.now() - last.at >= probeEveryMs) {
      const answer = tryWrite(db).then(
        () => true,
        () => false,
      );
      last = { at: Date.now(), answer };
    }
    return last.answer;
  };
}
