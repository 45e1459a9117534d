import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { openDatabase } from '#db/database.ts';
import { migrate } from '#db/migrate.ts';
import { registerHealth } from './health.ts';

test('the server is ready once the database answers and has the current version', async () => {
  const app = Fastify();
  const db = await openDatabase({ dataDir: ':memory:', durable: false });
  registerHealth(app, db);
  const ask = async (url: string) => {
    const answer = await app.inject(url);
    return [answer.statusCode, answer.json().status];
  };
  expect(await ask('/readyz')).toEqual([503, 'notMigrated']);
  await migrate(db);
  expect(await ask('/readyz')).toEqual([200, 'ready']);
  await db.close();
  expect(await ask('/readyz')).toEqual([503, 'databaseUnreachable']);
  expect(await ask('/healthz')).toEqual([200, 'ok']);
  await app.close();
});
