/** For whoever watches the process: `/healthz` says that it runs, `/readyz` that it can serve. */
import type { FastifyInstance } from 'fastify';
import type { Database } from '#db/database.ts';
import { isMigrated } from '#db/migrate.ts';

export function registerHealth(app: FastifyInstance, db: Database): void {
  app.get('/healthz', async (_request, reply) => reply.header('cache-control', 'no-store').send({ status: 'ok' }));

  app.get('/readyz', async (request, reply) => {
    reply.header('cache-control', 'no-store');
    try {
      await db.ping();
    } catch (error) {
      request.log.warn({ err: error }, 'database not reachable');
      return reply.status(503).send({ status: 'databaseUnreachable' });
    }
    // A database without any table of ours fails the question itself.
    const migrated = await isMigrated(db).catch(() => false);
    return migrated ? { status: 'ready' } : reply.status(503).send({ status: 'notMigrated' });
  });
}
